import { clauseAround } from '../../equations.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';

/** After an elided word perhaps: `l'ONU`. */
const CAPITALS = /(\p{L}{1,6}['’])?(\p{Lu}{2,6})(?![\p{L}\p{M}&'’‑-])/uy;
/** A town before the letters of its province. */
const TOWN_BEFORE = /\p{Lu}\p{Ll}{2,20}\s\($/u;
const LONG_WORD = /\p{Lu}{4}/u;
/** Small letters, or signs and numbers, which are written out in small letters. */
const HAS_SMALL_WORDS = /[\p{Ll}\d%€$£]/u;
const SYLLABLE = /^[^AEIOUYÀ-ÖÙ-Ü]{0,2}[AEIOUYÀ-ÖÙ-Ü][^AEIOUYÀ-ÖÙ-Ü]?$/u;

/**
 * Capitals that are a word or are spelled. The voice reads a line of capitals as words, but spells two or three capitals in any
 * other: `NO debes` and `SOLO HOY: -50 %`, whose sign and number have words in small letters.
 */
export function matchCapitals(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}\d'’‑&-]/u.test(text[index - 1] ?? '') || isAfterNumber(context)) return undefined;
  const [all, elided = '', capitals = ''] = matchAt(CAPITALS, text, index) ?? [];
  if (all === undefined) return undefined;
  const end = index + all.length;
  const { capitalized, spelled } = language.rules;
  if (spelled.has(capitals)) return { end, words: `${elided}${[...capitals].join(' ')}` };
  // NO₂
  if (capitals.length > 3 || !capitalized || /[\d₀-₉]/.test(text[end] ?? '')) return undefined;
  if (!HAS_SMALL_WORDS.test(text)) return undefined;
  // Milano (MI)
  if (capitals.length === 2 && text[end] === ')' && TOWN_BEFORE.test(textBefore(context, 24)))
    return { end, words: [...capitals].join(' ') };
  const isWord = capitalized.has(capitals.toLowerCase()) || (SYLLABLE.test(capitals) && isShouted(text, index));
  if (!isWord) return undefined;
  return { end, words: elided + capitals.toLowerCase() };
}

/** Whether the text or the clause is in capitals throughout. */
function isShouted(text: string, index: number): boolean {
  const clause = clauseAround(text, index).join(' ');
  return [text, clause].some((each) => !/\p{Ll}/u.test(each) && LONG_WORD.test(each));
}
