import type { Calibrate } from '../graph/compile.ts';
import { type ConvolutionRange, collectRanges } from '../graph/quantization.ts';
import { VoicePacks } from '../voices.ts';
import { KokoroModel } from './model.ts';

/** Women and men, American and British. */
const VOICES = ['af_heart', 'af_nicole', 'am_michael', 'bf_emma', 'bm_george'];
const PHONEMES = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, jˈu θˈɪŋk!';
/** Fast, so that it does not take long. */
const SPEED = 2;

/** Measures the ranges of the generator's channels while a few voices speak. */
export const measureRanges: Calibrate = async (compiled) => {
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
