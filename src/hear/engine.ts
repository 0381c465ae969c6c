/** Runs in the forked engine process, and is the only file that loads a model. */

import { serveEngine } from '../engine/host.ts';
import type { RecognizerOptions } from '../models/entry.ts';
import { recognizers } from '../models/registry.ts';
import { type DeviceSettings, openDevice } from '../ort/device.ts';
import { VoiceActivityModel } from '../vad/silero.ts';
import type { ModelFiles } from './model-files.ts';
import { TranscriptionEngine } from './pipeline/transcription.ts';

/** What the service sends its engine process, as JSON in the first argument. */
export interface EngineSettings extends ModelFiles, DeviceSettings, Omit<RecognizerOptions, 'device'> {}

const { modelType, ...settings } = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
await serveEngine(async () => {
  const device = openDevice(settings, settings.name);
  const model = recognizers.find((entry) => entry.modelType === modelType)!;
  const [recognizer, voiceActivity] = await Promise.all([
    model.load({ ...settings, device }),
    VoiceActivityModel.load(device),
  ]);
  return new TranscriptionEngine(recognizer, voiceActivity);
});
