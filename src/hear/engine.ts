/** Runs in the forked engine process, and is the only file that picks a model. */

import type { SpeechRecognizer } from '../contracts/transcription.ts';
import { serveEngine } from '../engine/host.ts';
import { loadMoonshine } from '../models/moonshine/recognizer.ts';
import { loadWhisper } from '../models/whisper/runtime/recognizer.ts';
import { type Device, openDevice, resolveComputeType } from '../ort/device.ts';
import { VoiceActivityModel } from '../vad/silero.ts';
import { type EngineSettings, MOONSHINE } from './engine-settings.ts';
import { TranscriptionEngine } from './pipeline/transcription.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
await serveEngine(async () => {
  const device = openDevice(settings, settings.name);
  const [recognizer, voiceActivity] = await Promise.all([
    loadRecognizer(settings, device),
    VoiceActivityModel.load(device),
  ]);
  return new TranscriptionEngine(recognizer, voiceActivity);
});

function loadRecognizer({ model, ...settings }: EngineSettings, device: Device): Promise<SpeechRecognizer> {
  if (model === MOONSHINE) {
    return loadMoonshine({ ...settings, device, computeType: resolveComputeType(settings.computeType, 'int8') });
  }
  const computeType = resolveComputeType(settings.computeType, device.int8DotProduct ? 'int8' : 'float32');
  return loadWhisper({ ...settings, checkpoint: model, device, computeType });
}
