import type { SynthesisEvent, SynthesisJob, SynthesizerInfo } from '../contracts/synthesis.ts';
import type { EngineSupervisor } from '../engine/supervisor.ts';
import type { AdmissionGate } from '../scheduling/admission.ts';
import type { Drain } from '../scheduling/drain.ts';
import type { Capabilities } from './capabilities.ts';
import type { SayConfig } from './config.ts';
import type { Downloads } from './downloads/downloads.ts';
import type { Voice } from './voices/voices.ts';

/** The model, as the routes see it. */
export type SayModels = Pick<
  EngineSupervisor<SynthesisJob, SynthesisEvent, SynthesizerInfo>,
  'state' | 'info' | 'error' | 'resident' | 'deaths' | 'pid' | 'use' | 'unload'
>;

/** Dependencies of the routes. */
export interface SayContext {
  models: SayModels;
  /** Capabilities of the selected model, used until it is loaded. */
  expected: Capabilities;
  gate: Pick<AdmissionGate, 'active' | 'waiting' | 'capacity' | 'admit' | 'onSlot'>;
  drain: Drain;
  downloads: Downloads;
  /** An existing directory for speech that is sent when it is complete. */
  answerDir: string;
  /** Lists all current voices, whatever the model speaks. */
  voices: () => Promise<readonly Voice[]>;
  /** Called for each speech, with its duration and the time in the engine, both in seconds. */
  onSpoken: (speech: { seconds: number; inference: number }) => void;
  config: Pick<SayConfig, 'defaultVoice' | 'maxAnswerBytes' | 'maxBookCharacters' | 'maxInputCharacters'>;
}
