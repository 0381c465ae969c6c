import { matchAt } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const scaleNames: Record<string, string> = { C: 'Celsius', F: 'Fahrenheit', K: 'Kelvin' };

const degreeLetter = /\s?°\s?([CFK])(?![\p{L}\d])/uy;

/** `°C` after a number. */
export function matchDegrees({ text, index, previous, options }: Context): Match | undefined {
  const [written, scale] = matchAt(degreeLetter, text, index) ?? [];
  if (!written || !scale || !options.unit_normalization) return undefined;
  return { end: index + written.length, words: `${previous === '1' ? 'degree' : 'degrees'} ${scaleNames[scale]}` };
}

const heatLetter = /([CF])(?=$|[\s.,;:!?)/–-])/uy;
const heatWords =
  /\b(?:bak(?:e|ing)|oven|(?:pre)?heat(?:ed|ing)?|temps?|temperatures?|roast(?:ed|ing)?|cook(?:ed|ing)?|grill|broil|smoker?|degrees|weather|highs?|lows?|forecast|fever|chilled|freez\w{0,5})\b/i;

/** `bake at 350F`: degrees without their sign, in a text about heat */
export function matchHeat({ text, index, previous, options }: Context): Match | undefined {
  if (!/^\d{2,3}$/.test(previous) || !/\d/.test(text[index - 1]!)) return undefined;
  const scale = matchAt(heatLetter, text, index)?.[1];
  if (!scale || !heatWords.test(text)) return undefined;
  return { end: index + 1, words: `degrees ${options.unit_normalization ? scaleNames[scale] : scale}` };
}
