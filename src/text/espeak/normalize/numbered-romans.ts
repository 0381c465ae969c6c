import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, ordinal } from './numbers.ts';
import { articleGender, isLong, type Numeral } from './roman-numeral.ts';
import type { Match } from './rule.ts';

/** Which words beside a numeral it numbers. */
interface Numbering {
  /** `la IV Cumbre` */
  next: boolean;
  /** `siglo XX` */
  previous: boolean;
}

const RANGE_AFTER = /\s?[-–]\s?(?=[IVXLC]{1,8}(?![\p{L}\d]))/uy;

/** `siglo XX`, `Felipe II`, `la IV Cumbre`, `capítulos I-III` */
export function matchNumbered(numeral: Numeral): Match | undefined {
  const { text, language, value, end, next, isInList } = numeral;
  if (isItalianArticle(numeral)) return undefined;
  const numbers = { next: numbersNext(numeral), previous: numbersPrevious(numeral) };
  const isNamed = language.rules.namesNumerals && isLong(numeral);
  if (!numbers.next && !numbers.previous && !isNamed) return undefined;
  const dash = matchAt(RANGE_AFTER, text, end)?.[0];
  const isPlural = numbers.next && !numbers.previous && /[^s]s$/.test(next) && !isInList && !dash;
  const words = isOrdinal(numeral, numbers)
    ? `${ordinalWords(numeral, numbers)}${isPlural ? 's' : ''}`
    : cardinal(language, String(value));
  return dash ? { end: end + dash.length, words: `${words} ${language.rules.range}` } : { end, words };
}

/** Whether an Italian I is the article of a plural: I secoli, I Festival estivi, but not il I Festival. */
function isItalianArticle({ language, letters, before, next }: Numeral): boolean {
  if (letters !== 'I' || !language.rules.articles?.masculine.has('il')) return false;
  return /i$/.test(next) || (/^(?:festival|reich)$/i.test(next) && !/\p{L}\s$/u.test(before));
}

const NAMED_NEXT = /\s\p{Lu}\p{Ll}{2}/uy;
const NOUN_NEXT = /\s(?=(\p{Ll}{4,}))/uy;

/** `XX secolo`, `la IV Cumbre` */
function numbersNext(numeral: Numeral): boolean {
  const { text, language, end, next } = numeral;
  const { numbered, numberedAfter, genderOf } = language.rules;
  const word = next.toLowerCase();
  if (numbered.has(word) || numberedAfter?.has(word)) return true;
  if (!isLong(numeral) || articleGender(numeral) === undefined) return false;
  const noun = matchAt(NOUN_NEXT, text, end)?.[1];
  const isNounNext = noun !== undefined && !noun.endsWith('s') && genderOf(noun) !== undefined;
  return isNounNext || matchAt(NAMED_NEXT, text, end) !== undefined;
}

/** `siglo XX`, `Felipe II` */
function numbersPrevious(numeral: Numeral): boolean {
  const { language, previous, isInList } = numeral;
  return language.rules.numbered.has(previous.toLowerCase()) || isOfKind(numeral) || (!isInList && isOfRuler(numeral));
}

/** `fase II`, `tipo I` */
function isOfKind({ language, letters, previous }: Numeral): boolean {
  return letters !== 'X' && language.rules.kinds?.has(previous.toLowerCase()) === true;
}

/** A title and a name. */
const TITLED_RULER =
  /(?<!\p{L})(?:papa|rey|reina|rei|rainha|re|regina|dom|dona|don|doña)\s\p{Lu}[\p{L}\p{M}]+\s{1,3}$/iu;

/** Whether the word before the numeral is the name of a ruler. */
function isOfRuler(numeral: Numeral): boolean {
  const { language, previous } = numeral;
  if (!/^\p{Lu}\p{Ll}/u.test(previous)) return false;
  const { rulers, queens } = language.rules;
  const name = previous.toLowerCase();
  return isLong(numeral) || rulers.has(name) || queens.has(name) || TITLED_RULER.test(textBefore(numeral, 40));
}

/** Larger numerals before a noun are seldom ordinals. */
const LAST_ORDINAL = 20;

function isOrdinal(numeral: Numeral, numbers: Numbering): boolean {
  const { language, value, previous, next } = numeral;
  if (!numbers.next && (!numbers.previous || isOfKind(numeral))) return false;
  if (!numbers.previous && value <= LAST_ORDINAL) return true;
  return language.rules.roman(value, previous, next) === 'ordinal';
}

/** The ordinal in the gender of its noun: `la IV Cumbre`, `Isabel II`. */
function ordinalWords(numeral: Numeral, numbers: Numbering): string {
  const { language, value, next } = numeral;
  const mark = isFeminine(numeral, numbers) ? 'ª' : numbers.next ? 'º' : '';
  return ordinal(language, value, mark, numbers.next ? next.toLowerCase() : next);
}

function isFeminine(numeral: Numeral, numbers: Numbering): boolean {
  const { language, previous, next } = numeral;
  const { genderOf, numbered, queens } = language.rules;
  if (queens.has(previous.toLowerCase())) return true;
  if (numbers.next) return (articleGender(numeral) ?? genderOf(next)) === 'feminine';
  // Vittorio Emanuele is no noun.
  return numbered.has(previous.toLowerCase()) && genderOf(previous) === 'feminine';
}
