/** Name of the voice model that ships with the package. */
export const FLITE = 'flite';

/** What the service tells the engine process that it forks, as JSON in its first argument. */
export interface SynthesisEngineSettings {
  /** `flite`, or the folder of a checkpoint. */
  model: string;
  threads: number;
  device: 'auto' | 'cpu' | 'cuda';
  /** Where compiled graphs are kept, and misaki's lexicons, in `misaki/`, where there are any. */
  modelsDir: string;
  /** How long one step of work may take before the engine counts as stuck. */
  timeoutMs: number;
}
