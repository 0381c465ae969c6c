/** Name of the model that ships with the package. */
export const MOONSHINE = 'moonshine-tiny';

/** What the service tells the engine process that it forks, as JSON in its first argument. */
export interface EngineSettings {
  /** `moonshine-tiny`, or the folder of a checkpoint. */
  model: string;
  threads: number;
  device: 'auto' | 'cpu' | 'cuda';
  computeType: 'auto' | 'float32' | 'int8';
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** How long one step of work may take before the engine counts as stuck. */
  timeoutMs: number;
}
