/** Runs in the forked engine process, and is the only file that picks a model. */

import type { SpeechRecognizer } from '../contracts/transcription.ts';
import { serveEngine } from '../engine/host.ts';
import { HearsayError } from '../errors.ts';
import { loadMoonshine } from '../models/moonshine/recognizer.ts';
import { loadWhisper } from '../models/whisper/runtime/recognizer.ts';
import { hasInt8DotProduct } from '../ort/device.ts';
import { VoiceActivityModel } from '../vad/silero.ts';
import { type EngineSettings, MOONSHINE } from './engine-settings.ts';
import { TranscriptionEngine } from './pipeline/transcription.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as EngineSettings;
await serveEngine(async () => {
  const [recognizer, voiceActivity] = await Promise.all([loadRecognizer(settings), VoiceActivityModel.load()]);
  return new TranscriptionEngine(recognizer, voiceActivity);
});

async function loadRecognizer({ model, device, ...settings }: EngineSettings): Promise<SpeechRecognizer> {
  if (device === 'cuda')
    throw new HearsayError('model_load_failed', `The model ${settings.name} runs on the CPU only.`);
  if (model === MOONSHINE) {
    return loadMoonshine({ ...settings, computeType: settings.computeType === 'float32' ? 'float32' : 'int8' });
  }
  const auto = hasInt8DotProduct() ? 'int8' : 'float32';
  return loadWhisper({
    ...settings,
    checkpoint: model,
    computeType: settings.computeType === 'auto' ? auto : settings.computeType,
  });
}
