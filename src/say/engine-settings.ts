/** Name of the voice model that ships with the package. */
export const FLITE = 'flite';

/** What the service tells the engine process that it forks, as JSON in its first argument. */
export interface SynthesisEngineSettings {
  /** `flite`, or the folder of a checkpoint. */
  model: string;
  threads: number;
  /** Parts of speech that a model of several threads speaks at the same time. */
  workers: number;
  device: 'auto' | 'cpu' | 'cuda';
  computeType: 'auto' | 'float32' | 'int8';
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** Folder of misaki's lexicons, where they are complete. */
  lexicons?: string | undefined;
  /** The lexicon of the service, which need not be there. */
  lexiconFile: string;
  /** Folder of saved voices, where there may be any. */
  savedVoices?: string | undefined;
  /** How long one step of work may take before the engine counts as stuck. */
  timeoutMs: number;
}
