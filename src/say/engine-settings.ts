import type { SynthesizerOptions } from '../models/entry.ts';
import type { DeviceSettings } from '../ort/device.ts';
import type { ModelFiles } from './model-files.ts';

/** What the service sends its engine process, as JSON in the first argument. */
export interface SynthesisEngineSettings
  extends ModelFiles,
    DeviceSettings,
    Omit<SynthesizerOptions, 'device' | 'languages'> {
  /** Directory of misaki's lexicons, if they are complete. */
  lexicons?: string | undefined;
  /** File of the service's lexicon, which need not exist. */
  lexiconFile: string;
}
