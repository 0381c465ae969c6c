import type { RecognizerOptions } from '../models/entry.ts';
import type { DeviceSettings } from '../ort/device.ts';
import type { ModelFiles } from './model-files.ts';

/** What the service sends its engine process, as JSON in the first argument. */
export interface EngineSettings extends ModelFiles, DeviceSettings, Omit<RecognizerOptions, 'device'> {}
