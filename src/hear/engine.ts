/** Runs in the forked engine process, and is the only file that loads a model. */

import { serveEngine } from '../engine/host.ts';
import { recognizers } from '../models/registry.ts';
import { openDevice } from '../ort/device.ts';
import { VoiceActivityModel } from '../vad/silero.ts';
import type { EngineSettings } from './engine-settings.ts';
import { TranscriptionEngine } from './pipeline/transcription.ts';

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
