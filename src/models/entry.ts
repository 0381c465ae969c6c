import type { Preset } from '../contracts/preset.ts';
import type { SpeakerModel } from '../contracts/speakers.ts';
import type { SpeechSynthesizer } from '../contracts/synthesis.ts';
import type { BeamSize, SpeechRecognizer } from '../contracts/transcription.ts';
import type { ComputeType, Device, DeviceSettings } from '../ort/device.ts';
import type { LanguageLetter } from '../text/types.ts';

// Entries of the registry are light: the HTTP process reads them, and only `load` imports the model.

/** A form in which checkpoints of a model are published. */
export interface CheckpointForm {
  /** Whether a checkpoint with this config.json has the form. */
  isConfiguration(config: Readonly<Record<string, unknown>>): boolean;
  /** Its files in a hub's repository. */
  files: RegExp;
}

/** Checkpoints of one file, without a tokenizer. */
export interface SingleFileForm {
  /** Matches the path of one. */
  path: RegExp;
  /**
   * Finds a tokenizer for a file: the directory of one next to it, or the files in a hub's repository.
   * @throws HearsayError `model_load_failed` if the file is not such a checkpoint, or its tokenizer is not known
   */
  tokenizer(path: string): Promise<{ directory: string } | { repository: string; files: RegExp }>;
}

/** A model that transcribes. */
export interface RecognizerEntry {
  /** Name of the model, and `model_type` in config.json of its checkpoints. */
  modelType: string;
  presets: readonly Preset[];
  /** Forms of its checkpoints, that of the presets first; absent for a model that ships with the package. */
  forms?: readonly [CheckpointForm, ...CheckpointForm[]];
  singleFile?: SingleFileForm;
  /** Number formats of its graphs for a GPU; none if it runs on the CPU only. */
  gpuTypes: readonly ComputeType[];
  /** Whether a fast GPU answers a single request sooner than the CPU. Default: it does */
  gainsFromGpu?(checkpoint: string): Promise<boolean>;
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
  /** Number formats of its graphs for a GPU; none if it runs on the CPU only. */
  gpuTypes: readonly ComputeType[];
  /** Runs in the engine process. @throws HearsayError `model_load_failed` */
  load(options: SynthesizerOptions): Promise<SpeechSynthesizer>;
}

/** A model that tells voices apart. */
export interface SpeakerEntry {
  /** Name of the model. */
  modelType: string;
  /** Name of the official checkpoint. */
  name: string;
  /** Hub id of the official checkpoint. */
  repository: string;
  /** Files of a checkpoint in a hub's repository: one of them is enough. */
  files: RegExp;
  /** Runs in the engine process. @throws HearsayError `model_load_failed` */
  load(options: SpeakerOptions): Promise<SpeakerModel>;
}

interface LoadOptions {
  /** Directory or file of the checkpoint; the name of a model that ships with the package. */
  checkpoint: string;
  device: Device;
  computeType: DeviceSettings['computeType'];
  /** Parent of the directory of compiled models. */
  modelsDir: string;
  /** Milliseconds of one step of work; an engine that takes longer is stuck. */
  timeoutMs: number;
}

export interface RecognizerOptions extends LoadOptions {
  /** Directory of the tokenizer, if the checkpoint has none. */
  tokenizer?: string | undefined;
  /** Name of the model in responses. */
  name: string;
  /** For models that can search. */
  beamSize: BeamSize;
}

export interface SynthesizerOptions extends LoadOptions {
  /** Chunks that are spoken at the same time. */
  workers: number;
  /** Directory of saved voices. */
  savedVoices?: string | undefined;
}

/** `checkpoint` is a file, or a directory with one. */
export type SpeakerOptions = Omit<LoadOptions, 'computeType'>;
