import { matchAt } from '../../patterns.ts';
import { romanValue } from '../../roman-numerals.ts';
import { lookUp } from '../rules.ts';
import { cardinal, ordinal } from './numbers.ts';
import { type Context, type Match, nextWord, textBefore } from './rule.ts';

const ROMAN = /((?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\p{L}\d])/uy;
const WORD_BEFORE = /([\p{L}\p{M}]+\.?)\s{0,3}$/u;
/** A title and a name. */
const TITLED_RULER =
  /(?<!\p{L})(?:papa|rey|reina|rei|rainha|re|regina|dom|dona|don|doña)\s\p{Lu}[\p{L}\p{M}]+\s{1,3}$/iu;

/** `siglo XX`, `XIXe siècle`, `Felipe II`, `chap. III` */
export function matchRoman(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\d'’-]/u.test(text[index - 1] ?? '')) return undefined;
  const { romanOrdinal, numbered, queens, genderOf, namesNumerals, roman } = language.rules;
  const [, numeral, suffix = ''] = matchAt(romanOrdinal, text, index) ?? matchAt(ROMAN, text, index) ?? [];
  // Article L. 121-1 is no article 50.
  if (!numeral || (/^[LC]$/.test(numeral) && suffix === '')) return undefined;
  const value = romanValue(numeral);
  const end = index + numeral.length + suffix.length;
  const next = nextWord(context, end);
  if (suffix !== '') return { end, words: ordinal(language, value, suffix, next) };
  const previous = wordBefore(context);
  const isNumberedByNext = numbered.has(next.toLowerCase());
  const isNumber = isNumberedByNext || numbered.has(previous.toLowerCase()) || isRuler(context, previous, numeral);
  if (!isNumber && !(namesNumerals && isLong(numeral))) return undefined;
  if (!isNumber || roman(value, previous, next) === 'cardinal')
    return { end, words: cardinal(language, String(value)) };
  const isFeminine = queens.has(previous.toLowerCase()) || genderOf(isNumberedByNext ? next : previous) === 'feminine';
  return { end, words: ordinal(language, value, isFeminine ? 'ª' : '', next) };
}

/** The word before the numeral, in full. */
function wordBefore(context: Context): string {
  const written = WORD_BEFORE.exec(textBefore(context, 40))?.[1] ?? '';
  return lookUp(context.language.rules.abbreviations, written.toLowerCase()) ?? written;
}

/** Whether the word before the numeral is the name of a ruler. */
function isRuler(context: Context, name: string, numeral: string): boolean {
  if (!/^\p{Lu}\p{Ll}/u.test(name)) return false;
  const { rulers, queens } = context.language.rules;
  const isKnown = rulers.has(name.toLowerCase()) || queens.has(name.toLowerCase());
  return isLong(numeral) || isKnown || TITLED_RULER.test(textBefore(context, 40));
}

function isLong(numeral: string): boolean {
  return numeral.length > 1 && /^[IVX]+$/.test(numeral);
}
