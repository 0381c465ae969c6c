import { firstMatch } from '../../first-match.ts';
import { matchAt } from '../../patterns.ts';
import { romanToDigits, romanValue } from '../../roman-numerals.ts';
import { matchNumbered } from './numbered-romans.ts';
import { cardinal, ordinal } from './numbers.ts';
import { articleGender, articleOf, isLong, type Numeral, numeralAt } from './roman-numeral.ts';
import type { Context, Match } from './rule.ts';

/** In this order: the first that matches wins. */
const rules: readonly ((numeral: Numeral) => Match | undefined)[] = [
  matchSuffixed,
  matchSecondOfTwo,
  matchStreet,
  matchNumbered,
];

/** `siglo XX`, `XIXe siècle`, `Felipe II`, `chap. III`, `siglos XV y XVI`, `la IV Cumbre` */
export function matchRoman(context: Context): Match | undefined {
  const heading = matchHeading(context);
  if (heading) return heading;
  const numeral = numeralAt(context);
  return numeral && firstMatch(rules, numeral);
}

const TITLE_ENDS =
  '(?:[cst]i[oó]n(?:es)?|ç(?:ão|ões)|s(?:ão|ões)|zion[ei]|sion[ei]|[ai]ment[oi]s?|ments?|dad(?:es)?|[eaê]nci?as?|[ea]nces?|anza|[ut]ados?|todos?|todi|thodes?|tati|ultats?|texte|texto|s[ie]s|logo|logue|face|fazio|umen|umo|umé|ducción|ema)';
/** A single letter may be an initial. */
const HEADING = new RegExp(
  `(?:([IVX]{2,6})\\.(?=\\s+\\p{Lu}|\\s+[\\u0900-\\u097F]|\\s*$)|([IVX])\\.\\s+(?=[\\u0900-\\u097F]|(?:El|La|Los|Las|Le|Les|Il|Lo|Gli|Os?|As|Una?|Une|Um|Uma)\\s\\p{L}|L['’]\\p{L}|\\p{Lu}\\p{Ll}{1,14}(?<=${TITLE_ENDS})(?!\\p{L})))`,
  'uy',
);

/** The numeral of a title: `II. Métodos`, `I. Introduction` */
function matchHeading({ text, index, language }: Context): Match | undefined {
  if (index >= 4 || text.slice(0, index).trim() !== '') return undefined;
  const [, long, letter] = matchAt(HEADING, text, index) ?? [];
  const numeral = long ?? letter;
  const value = numeral === undefined ? 0 : romanValue(numeral);
  return value > 0 ? { end: index + numeral!.length, words: cardinal(language, String(value)) } : undefined;
}

/** `XIXe siècle` */
function matchSuffixed({ language, value, suffix, end, next }: Numeral): Match | undefined {
  return suffix === '' ? undefined : { end, words: ordinal(language, value, suffix, next) };
}

/** A numeral whose noun was named with another one and the same article: `la I Guerra Mundial y la II` */
function matchSecondOfTwo(numeral: Numeral): Match | undefined {
  const { language, value, end, before, next } = numeral;
  const gender = articleGender(numeral);
  if (gender === undefined || !isLong(numeral) || /^\p{Lu}/u.test(next)) return undefined;
  const first = new RegExp(`(?<!\\p{L})${articleOf(numeral)}\\s[IVX]{1,4}\\s\\p{L}{4}`, 'iu');
  return first.test(before) ? { end, words: ordinal(language, value, gender === 'feminine' ? 'ª' : 'º') } : undefined;
}

/** A street that has the name of a date: `via XX Settembre` */
function matchStreet(numeral: Numeral): Match | undefined {
  const { language, value, end, next } = numeral;
  const isMonthNext = language.months.includes(next.toLowerCase()) && /^\p{Lu}/u.test(next);
  return isLong(numeral) && isMonthNext ? { end, words: cardinal(language, String(value)) } : undefined;
}

const CHARACTERS = /[Ⅰ-ⅿ]{1,8}/uy;

/** Characters for Roman numerals: `siglo ⅩⅤ`, `Ⅷ`. */
export function matchRomanCharacters(context: Context): Match | undefined {
  const { text, index, language } = context;
  const written = matchAt(CHARACTERS, text, index)?.[0] ?? '';
  const numeral = written.normalize('NFKC').toUpperCase();
  const digits = romanToDigits(numeral);
  if (digits === undefined) return undefined;
  const end = index + written.length;
  const inLetters = { ...context, text: text.slice(0, index) + numeral + text.slice(end) };
  return { end, words: matchRoman(inLetters)?.words ?? cardinal(language, digits) };
}
