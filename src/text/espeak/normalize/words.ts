import { lookUp, matchAt } from '../../patterns.ts';
import { transliterate } from '../../transliteration.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';

const WORD = /[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)*['’]?/uy;
const ELIDED = /^\p{L}{1,6}['’](?=\p{L})/u;

const POWERED = /([kcdmh]?m)([23])(?![\p{L}\d])/iuy;

/** The letters of a unit with its power in a plain digit: `40 km2`. */
export function matchPoweredUnit(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = isAfterNumber(context) ? matchAt(POWERED, text, index) : undefined;
  if (!match) return undefined;
  return { end: index + match[0].length, words: `${match[1]} ${language.rules.symbols[match[2] === '2' ? '²' : '³']}` };
}

/** A word as it is, if the voice can pronounce its letters. */
export function matchWord(context: Context): Match | undefined {
  const { text, index, language } = context;
  const word = matchAt(WORD, text, index)?.[0];
  if (!word) return undefined;
  // l'art. 5: the abbreviation stands alone.
  const [elided] = ELIDED.exec(word) ?? [];
  const rest = elided && text[index + word.length] === '.' ? `${word.slice(elided.length).toLowerCase()}.` : '';
  if (elided && lookUp(language.rules.abbreviations, rest)) return { end: index + elided.length, words: elided };
  const end = index + word.length;
  const { letters } = language.rules;
  // A mark without a letter: the selector of an emoji.
  if (!/\p{L}/u.test(word)) return { end, words: '' };
  if (letters.test(word)) return { end, words: word };
  // Only Greek and Cyrillic can be transliterated.
  return { end, words: /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(word) ? transliterate(word) : '' };
}
