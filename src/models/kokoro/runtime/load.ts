import { loadCompiled } from '../../../ort/compiled-models.ts';
import { type Calibrate, type CompiledKokoro, compileGraphs, type KokoroSource } from '../graph/compile.ts';
import { type ConvolutionRange, collectRanges } from '../graph/quantization.ts';
import { VoicePacks } from '../voices.ts';
import { KokoroModel } from './model.ts';

/**
 * Compiles a checkpoint, or finds it compiled. For `int8`, first speaks a few sentences to calibrate the ranges.
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export function compileKokoro(source: KokoroSource): Promise<CompiledKokoro> {
  return compileGraphs(source, measureRanges);
}

/**
 * Loads a compiled model; one with damaged files is compiled again.
 * @throws HearsayError `model_load_failed`
 */
export function loadCompiledKokoro(compiled: CompiledKokoro): Promise<KokoroModel> {
  return loadCompiled(
    'Kokoro',
    compiled,
    (model) => KokoroModel.load(model),
    () => compileKokoro(compiled),
  );
}

/** Voices for calibration: women and men, American and British. */
const VOICES = ['af_heart', 'af_nicole', 'am_michael', 'bf_emma', 'bm_george'];
const PHONEMES = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, jˈu θˈɪŋk!';
/** Fast, so that calibration is short. */
const SPEED = 2;

/** Measures the ranges of the generator's channels while a few voices speak. */
const measureRanges: Calibrate = async (compiled) => {
  const ranges = new Map<string, ConvolutionRange>();
  const model = await KokoroModel.load(compiled, (outputs) => collectRanges(ranges, outputs));
  const { configuration } = compiled;
  const voices = new VoicePacks({}, 2 * configuration.style);
  const phonemes = [...PHONEMES]
    .flatMap((symbol) => configuration.tokens.get(symbol) ?? [])
    .slice(0, model.maxPhonemes);
  for (const name of VOICES) {
    const style = await voices.style([{ name, weight: 1 }], phonemes.length);
    await model.speak(phonemes, style, { speed: SPEED, seed: 1 });
  }
  return ranges;
};
