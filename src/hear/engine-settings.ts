/** Name of the model that ships with the package. */
export const MOONSHINE = 'moonshine-tiny';

/** What the service tells the engine process that it forks, as JSON in its first argument. */
export interface EngineSettings {
  /** Name that the model was asked for by: what it is called in answers. */
  name: string;
  /** `moonshine-tiny`, or the folder of a checkpoint. */
  model: string;
  /** Sequences that are followed side by side where the model can; 1 is greedy. */
  beamSize: number;
  threads: number;
  device: 'auto' | 'cpu' | 'cuda';
  computeType: 'auto' | 'float32' | 'int8';
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** How long one step of work may take before the engine counts as stuck. */
  timeoutMs: number;
}
