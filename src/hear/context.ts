import type { Batching, HearEvent, HearJob, SpeechModelInfo } from '../contracts/transcription.ts';
import type { EngineSupervisor } from '../engine/supervisor.ts';
import type { IncomingBodies } from '../http/incoming-bodies.ts';
import type { AdmissionGate } from '../scheduling/admission.ts';
import type { Drain } from '../scheduling/drain.ts';
import type { HearConfig } from './config.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { SpeakerSource } from './speaker-source.ts';

/** The model, as the routes see it. */
export type HearModels = Pick<
  EngineSupervisor<HearJob, HearEvent, SpeechModelInfo>,
  'state' | 'info' | 'error' | 'active' | 'loaded' | 'deaths' | 'pid' | 'use' | 'activate' | 'cancel' | 'remove'
>;

export interface TranscribedRecording {
  /** Seconds. */
  duration: number;
  /** Seconds in the engine. */
  inference: number;
  /** Undefined for a model that does not batch. */
  batching: Batching | undefined;
  /** Seconds of speech without text. */
  missed: number;
  /** Whether it does not sound like the only language of the model. */
  isForeign: boolean;
}

/** What the audio routes work with. */
export interface HearContext {
  models: HearModels;
  gate: Pick<AdmissionGate, 'active' | 'waiting' | 'capacity' | 'assertRoom' | 'admit' | 'onSlot' | 'quiet'>;
  /** Uploads on disk. */
  uploads: IncomingBodies;
  drain: Drain;
  /** An existing directory. */
  uploadDir: string;
  config: Pick<
    HearConfig,
    'defaultLanguage' | 'maxAudioSeconds' | 'maxUploadBytes' | 'uploadMinBytesPerSecond' | 'uploadTimeoutSeconds'
  >;
  /** The model that tells speakers apart. */
  speakers: SpeakerSource;
  /** Background jobs. */
  jobs: Jobs;
  /** Called for each transcribed recording. */
  onTranscribed: (recording: TranscribedRecording) => void;
}
