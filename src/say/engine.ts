/** Runs in the forked engine process, and is the only file that picks a model. */

import type { SpeechSynthesizer } from '../contracts/synthesis.ts';
import { serveEngine } from '../engine/host.ts';
import { loadFlite } from '../models/flite/synthesizer.ts';
import { loadKokoro } from '../models/kokoro/runtime/synthesizer.ts';
import { openDevice, resolveComputeType } from '../ort/device.ts';
import { Languages } from '../text/languages.ts';
import { FLITE, type SynthesisEngineSettings } from './engine-settings.ts';
import { LexiconFile } from './pipeline/lexicon-file.ts';
import { SynthesisEngine } from './pipeline/synthesis.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
const languages = new Languages({ lexicons: settings.lexicons });
const lexicon = new LexiconFile(settings.lexiconFile, (message) => process.stderr.write(`${message}\n`));
await serveEngine(async () => new SynthesisEngine(await loadSynthesizer(settings), languages, lexicon));

function loadSynthesizer(settings: SynthesisEngineSettings): Promise<SpeechSynthesizer> {
  const { model, threads, workers, timeoutMs, modelsDir, savedVoices } = settings;
  const device = openDevice(settings, model);
  if (model === FLITE) return loadFlite({ threads, timeoutMs });
  // 8 bits can be heard: only who asks for them gets them.
  const computeType = resolveComputeType(settings.computeType, 'float32');
  return loadKokoro({ checkpoint: model, modelsDir, computeType, device, workers, timeoutMs, languages, savedVoices });
}
