import { HearsayError } from '../errors.ts';
import { loadFlite } from '../flite/synthesizer.ts';
import { serveEngine } from '../inference/engine-host.ts';
import type { SpeechSynthesizer } from '../synthesis.ts';
import { FLITE, type SynthesisEngineSettings } from './engine-settings.ts';
import { SynthesisEngine } from './synthesis-engine.ts';

/** Runs in the forked engine process, and is the only file that picks a model. */
const settings = JSON.parse(process.argv[2] ?? '{}') as SynthesisEngineSettings;
await serveEngine(async () => new SynthesisEngine(await loadSynthesizer(settings), loadEnglish));

function loadSynthesizer({ model, device, threads, timeoutMs }: SynthesisEngineSettings): Promise<SpeechSynthesizer> {
  if (device === 'cuda') throw new HearsayError('model_load_failed', `The model ${model} runs on the CPU only.`);
  if (model === FLITE) return loadFlite({ threads, timeoutMs });
  throw new HearsayError(
    'model_load_failed',
    `This release has no engine for the model ${model}; ${FLITE} is built in.`,
  );
}

/** Loaded when it is first asked for: the dictionary takes time and memory that plain speech does not need. */
async function loadEnglish() {
  const { English } = await import('../text/phonemes.ts');
  return English.load();
}
