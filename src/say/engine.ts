/** Runs in the forked engine process, and is the only file that picks a model. */

import type { SpeechSynthesizer } from '../contracts/synthesis.ts';
import { serveEngine } from '../engine/host.ts';
import { HearsayError } from '../errors.ts';
import { loadFlite } from '../models/flite/synthesizer.ts';
import { loadKokoro } from '../models/kokoro/runtime/synthesizer.ts';
import { Languages } from '../text/languages.ts';
import { FLITE, type SynthesisEngineSettings } from './engine-settings.ts';
import { LexiconFile } from './pipeline/lexicon-file.ts';
import { startPipeline } from './pipeline/pipeline.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
const languages = new Languages({ lexicons: settings.lexicons });
const lexicon = new LexiconFile(settings.lexiconFile, (message) => process.stderr.write(`${message}\n`));
await serveEngine(async () => startPipeline(await loadSynthesizer(settings), languages, lexicon));

function loadSynthesizer(settings: SynthesisEngineSettings): Promise<SpeechSynthesizer> {
  const { model, device, threads, workers, timeoutMs, modelsDir, savedVoices } = settings;
  if (device === 'cuda') throw new HearsayError('model_load_failed', `The model ${model} runs on the CPU only.`);
  if (model === FLITE) return loadFlite({ threads, timeoutMs });
  // 8 bits can be heard: only who asks for them gets them.
  const computeType = settings.computeType === 'int8' ? 'int8' : 'float32';
  return loadKokoro({ checkpoint: model, modelsDir, computeType, threads, workers, timeoutMs, savedVoices });
}
