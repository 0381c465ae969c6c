import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { loadFlite } from '../flite/synthesizer.ts';
import { serveEngine } from '../inference/engine-host.ts';
import { loadKokoro } from '../kokoro/synthesizer.ts';
import type { SpeechSynthesizer } from '../synthesis.ts';
import { FLITE, type SynthesisEngineSettings } from './engine-settings.ts';
import { SynthesisEngine } from './synthesis-engine.ts';

/** Runs in the forked engine process, and is the only file that picks a model. */
const settings = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
await serveEngine(async () => new SynthesisEngine(await loadSynthesizer(settings), loadEnglish));

function loadSynthesizer(settings: SynthesisEngineSettings): Promise<SpeechSynthesizer> {
  const { model, device, threads, timeoutMs, modelsDir } = settings;
  if (device === 'cuda') throw new HearsayError('model_load_failed', `The model ${model} runs on the CPU only.`);
  if (model === FLITE) return loadFlite({ threads, timeoutMs });
  const lexicons = join(modelsDir, 'misaki');
  return loadKokoro({
    checkpoint: model,
    modelsDir,
    threads,
    timeoutMs,
    ...(existsSync(lexicons) && { lexicons }),
  });
}

/** Loaded when it is first asked for: the dictionary takes time and memory that plain speech does not need. */
async function loadEnglish() {
  const { English } = await import('../text/phonemes.ts');
  return English.load();
}
