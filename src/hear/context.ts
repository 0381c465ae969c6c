import type { HearEvent, HearJob, SpeechModelInfo } from '../contracts/transcription.ts';
import type { EngineSupervisor } from '../engine/supervisor.ts';
import type { IncomingBodies } from '../http/incoming-bodies.ts';
import type { AdmissionGate } from '../scheduling/admission.ts';
import type { Drain } from '../scheduling/drain.ts';
import type { HearConfig } from './config.ts';
import type { Jobs } from './jobs/jobs.ts';

/** The model, as the routes see it. */
export type HearModels = Pick<
  EngineSupervisor<HearJob, HearEvent, SpeechModelInfo>,
  'state' | 'info' | 'error' | 'active' | 'loaded' | 'use' | 'activate'
>;

/** What the audio routes work with. */
export interface HearContext {
  models: HearModels;
  gate: Pick<AdmissionGate, 'active' | 'waiting' | 'assertRoom' | 'admit' | 'quiet'>;
  /** Uploads on disk. */
  uploads: IncomingBodies;
  drain: Drain;
  /** An existing directory. */
  uploadDir: string;
  config: Pick<
    HearConfig,
    'defaultLanguage' | 'maxAudioSeconds' | 'maxUploadBytes' | 'uploadMinBytesPerSecond' | 'uploadTimeoutSeconds'
  >;
  /** Background jobs. */
  jobs: Jobs;
  /** Called for each transcribed recording, with its seconds and those of speech without text. */
  onTranscribed: (recording: { duration: number; missed: number; isForeign: boolean }) => void;
}
