import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { romanToDigits, romanValue } from '../../roman-numerals.ts';
import { cardinal, ordinal } from './numbers.ts';
import { type Context, type Language, type Match, nextWord } from './rule.ts';

const ROMAN = /((?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\p{L}\d])/uy;
const LAST_WORD = /(?<!\p{L})(\p{L}+)\s$/u;
const WORD_BEFORE = /([\p{L}\p{M}]+\.?)\s{0,3}$/u;
/** A title and a name. */
const TITLED_RULER =
  /(?<!\p{L})(?:papa|rey|reina|rei|rainha|re|regina|dom|dona|don|doña)\s\p{Lu}[\p{L}\p{M}]+\s{1,3}$/iu;

const JOINT = String.raw`(?:,\s|\s?[-–]\s?|\s(?:y|e|et|a|al|à|o|ou|u)\s)(?:(?:el|il|al|o|ao)\s)?`;
/** Numerals of a list, and their eras, before another one: `siglos XV y `, `siglo IV a. C. y el `. */
const LIST_BEFORE = new RegExp(
  `(?:(?<![\\p{L}\\d])[IVXLC]{1,8}(?:er|e|ème)?(?:\\s[ad]\\.\\s?C\\.)?${JOINT}){1,4}$`,
  'u',
);
const LIST_AFTER = new RegExp(`${JOINT}[IVXLC]{1,8}(?![\\p{L}\\d])`, 'uy');
const RANGE_AFTER = /\s?[-–]\s?(?=[IVXLC]{1,8}(?![\p{L}\d]))/uy;
const NAMED_NEXT = /\s\p{Lu}\p{Ll}{2}/uy;
const NOUN_NEXT = /\s(?=(\p{Ll}{4,}))/uy;
/** Larger numerals before a noun are seldom ordinals. */
const LAST_ORDINAL = 20;

/** `siglo XX`, `XIXe siècle`, `Felipe II`, `chap. III`, `siglos XV y XVI`, `la IV Cumbre` */
export function matchRoman(context: Context): Match | undefined {
  const { text, index, language } = context;
  const { articles, romanOrdinal, numbered, numberedAfter, queens, genderOf, namesNumerals, roman } = language.rules;
  const before = textBefore(context, 60);
  const list = LIST_BEFORE.exec(before)?.[0] ?? '';
  if (/[\p{L}\d'’]$/u.test(before) || (before.endsWith('-') && list === '')) return undefined;
  const heading = before.trim() === '' && index < 4 ? headingNumeral(context) : undefined;
  if (heading) return heading;
  const [, numeral, suffix = ''] = matchAt(romanOrdinal, text, index) ?? matchAt(ROMAN, text, index) ?? [];
  // Article L. 121-1 is not article 50.
  if (!numeral || (/^[LC]$/.test(numeral) && suffix === '')) return undefined;
  const value = romanValue(numeral);
  const end = index + numeral.length + suffix.length;
  const next = wordAfter(context, end);
  if (suffix !== '') return { end, words: ordinal(language, value, suffix, next) };
  const previous = wordBefore(context, before.slice(0, before.length - list.length));
  if (numeral === 'I' && articles?.masculine.has('il') && isItalianArticle(before, next)) return undefined;
  const article = LAST_WORD.exec(before)?.[1]?.toLowerCase() ?? '';
  const articleGender = articles?.feminine.has(article)
    ? 'feminine'
    : articles?.masculine.has(article)
      ? 'masculine'
      : undefined;
  const noun = matchAt(NOUN_NEXT, text, end)?.[1];
  const isNounNext =
    matchAt(NAMED_NEXT, text, end) !== undefined ||
    (noun !== undefined && !noun.endsWith('s') && genderOf(noun) !== undefined);
  const isCounting = isLong(numeral) && articleGender !== undefined && isNounNext;
  const isNumberedByNext = numbered.has(next.toLowerCase()) || numberedAfter?.has(next.toLowerCase()) || isCounting;
  const isNumberedByPrevious =
    numbered.has(previous.toLowerCase()) || (list === '' && isRuler(context, previous, numeral));
  if (isSecondOfTwo(before, article, articleGender, numeral, next)) {
    return { end, words: ordinal(language, value, articleGender === 'feminine' ? 'ª' : 'º') };
  }
  // via XX Settembre
  if (isLong(numeral) && language.months.includes(next.toLowerCase()) && /^\p{Lu}/u.test(next))
    return { end, words: cardinal(language, String(value)) };
  if (!isNumberedByNext && !isNumberedByPrevious && !(namesNumerals && isLong(numeral))) return undefined;
  const dash = matchAt(RANGE_AFTER, text, end)?.[0];
  const isOrdinal = isNumberedByPrevious
    ? roman(value, previous, next) === 'ordinal'
    : isNumberedByNext && (value <= LAST_ORDINAL || roman(value, previous, next) === 'ordinal');
  // Vittorio Emanuele is no noun.
  const gender = isNumberedByNext
    ? (articleGender ?? genderOf(next))
    : numbered.has(previous.toLowerCase())
      ? genderOf(previous)
      : undefined;
  const isFeminine = queens.has(previous.toLowerCase()) || gender === 'feminine';
  const isPlural = isNumberedByNext && !isNumberedByPrevious && /[^s]s$/.test(next) && list === '' && !dash;
  const mark = isFeminine ? 'ª' : isNumberedByNext ? 'º' : '';
  const words = isOrdinal
    ? `${ordinal(language, value, mark, isNumberedByNext ? next.toLowerCase() : next)}${isPlural ? 's' : ''}`
    : cardinal(language, String(value));
  return dash ? { end: end + dash.length, words: `${words} ${language.rules.range}` } : { end, words };
}

/** The numeral of a title: `II. Métodos`, `I. Introduction`. A single letter may be an initial. */
function headingNumeral({ text, index, language }: Context): Match | undefined {
  const [, long, letter] = matchAt(HEADING, text, index) ?? [];
  const numeral = long ?? letter;
  const value = numeral === undefined ? 0 : romanValue(numeral);
  return value > 0 ? { end: index + numeral!.length, words: cardinal(language, String(value)) } : undefined;
}

const TITLE_ENDS =
  '(?:[cst]i[oó]n(?:es)?|ç(?:ão|ões)|s(?:ão|ões)|zion[ei]|sion[ei]|[ai]ment[oi]s?|ments?|dad(?:es)?|[eaê]nci?as?|[ea]nces?|anza|[ut]ados?|todos?|todi|thodes?|tati|ultats?|texte|texto|s[ie]s|logo|logue|face|fazio|umen|umo|umé|ducción|ema)';
const HEADING = new RegExp(
  `(?:([IVX]{2,6})\\.(?=\\s+\\p{Lu}|\\s+[\\u0900-\\u097F]|\\s*$)|([IVX])\\.\\s+(?=[\\u0900-\\u097F]|(?:El|La|Los|Las|Le|Les|Il|Lo|Gli|Os?|As|Una?|Une|Um|Uma)\\s\\p{L}|L['’]\\p{L}|\\p{Lu}\\p{Ll}{1,14}(?<=${TITLE_ENDS})(?!\\p{L})))`,
  'uy',
);

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

/** Whether the noun of a numeral was named with another numeral and the same article: `la I Guerra Mundial y la II`. */
function isSecondOfTwo(
  before: string,
  article: string,
  gender: string | undefined,
  numeral: string,
  next: string,
): boolean {
  if (gender === undefined || !isLong(numeral) || /^\p{Lu}/u.test(next)) return false;
  return new RegExp(`(?<!\\p{L})${article}\\s[IVX]{1,4}\\s\\p{L}{4}`, 'iu').test(before);
}

/** Whether an Italian I is the article of a plural: I secoli, I Festival estivi, but not il I Festival. */
function isItalianArticle(before: string, next: string): boolean {
  return /i$/.test(next) || (/^(?:festival|reich)$/i.test(next) && !/\p{L}\s$/u.test(before));
}

/** The last word of a text, in full. */
function wordBefore({ language }: Context, before: string): string {
  return inFull(language, WORD_BEFORE.exec(before)?.[1] ?? '');
}

/** The word after the numeral, or after the list that it begins, in full. */
function wordAfter(context: Context, end: number): string {
  const { text, language } = context;
  let listEnd = end;
  for (let match = matchAt(LIST_AFTER, text, end); match; match = matchAt(LIST_AFTER, text, listEnd)) {
    listEnd += match[0].length;
  }
  const next = nextWord(context, listEnd);
  return text.startsWith('.', text.indexOf(next, listEnd) + next.length) ? inFull(language, `${next}.`, next) : next;
}

function inFull({ rules }: Language, written: string, otherwise = written): string {
  return lookUp(rules.abbreviations, written.toLowerCase()) ?? otherwise;
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
