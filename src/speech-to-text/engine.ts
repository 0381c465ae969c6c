/** Runs in the forked engine process, and is the only file that picks a model. */

import { HearsayError } from '../errors.ts';
import { serveEngine } from '../inference/engine-host.ts';
import { hasInt8DotProduct } from '../inference/session.ts';
import { loadMoonshine } from '../moonshine/recognizer.ts';
import { VoiceActivityModel } from '../silero/voice-activity.ts';
import type { SpeechRecognizer } from '../transcript.ts';
import { loadWhisper } from '../whisper/recognizer.ts';
import { type EngineSettings, MOONSHINE } from './engine-settings.ts';
import { TranscriptionEngine } from './transcription-engine.ts';

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
  const auto = (await hasInt8DotProduct()) ? 'int8' : 'float32';
  return loadWhisper({
    ...settings,
    checkpoint: model,
    computeType: settings.computeType === 'auto' ? auto : settings.computeType,
  });
}
