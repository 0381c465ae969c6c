import type { Preset } from '../contracts/preset.ts';
import type { SpeechSynthesizer } from '../contracts/synthesis.ts';
import type { SpeechRecognizer } from '../contracts/transcription.ts';
import type { Device, DeviceSettings } from '../ort/device.ts';
import type { LanguageLetter } from '../text/types.ts';

// Entries of the registry are light: the HTTP process reads them, and only `load` imports the model.

/** A model that transcribes. */
export interface RecognizerEntry {
  /** `model_type` of its checkpoints' config.json. */
  modelType: string;
  presets: readonly Preset[];
  /** Files of a checkpoint in a hub's repository; absent for a model that ships with the package. */
  files?: RegExp;
  /** Runs in the engine process. @throws HearsayError `model_load_failed` */
  load(options: RecognizerOptions): Promise<SpeechRecognizer>;
}

/** A model that speaks. */
export interface SynthesizerEntry {
  /** `model_type` of its checkpoints' config.json. */
  modelType: string;
  /** Name of the official model. */
  name: string;
  /** Hub id of the official checkpoint; absent for a model that ships with the package. */
  repository?: string;
  /** Files of a checkpoint in a hub's repository; absent for a model that ships with the package. */
  files?: RegExp;
  capabilities: { languages: readonly LanguageLetter[] };
  /** Whether it reads text with misaki's lexicons. */
  usesLexicons: boolean;
  /** Runs in the engine process. @throws HearsayError `model_load_failed` */
  load(options: SynthesizerOptions): Promise<SpeechSynthesizer>;
}

interface LoadOptions {
  /** Directory of the checkpoint; the name of a model that ships with the package. */
  checkpoint: string;
  device: Device;
  computeType: DeviceSettings['computeType'];
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  /** Milliseconds of one step of work; an engine that takes longer is stuck. */
  timeoutMs: number;
}

export interface RecognizerOptions extends LoadOptions {
  /** What the model is called in responses. */
  name: string;
  /** 1 for greedy decoding, more for beam search if the model can. */
  beamSize: number;
}

export interface SynthesizerOptions extends LoadOptions {
  /** Chunks that are spoken at the same time. */
  workers: number;
  /** Directory of saved voices. */
  savedVoices?: string | undefined;
}
