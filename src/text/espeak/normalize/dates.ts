import { matchAt, textBefore } from '../../patterns.ts';
import { DAY, MONTH } from './days-and-months.ts';
import { cardinal, year } from './numbers.ts';
import { type Context, isSentenceEnd, type Match, nextWord } from './rule.ts';
import {
  dateWords,
  elidedDay,
  matchDayAndMonth,
  matchDayOfNamedMonth,
  matchNamedMonth,
  matchRomanMonth,
  monthAndYearWords,
  monthOf,
} from './short-dates.ts';
import type { WrittenNumber } from './written-numbers.ts';

const ISO_DATE = new RegExp(
  `(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(?!\\d)|((?:19|20)\\d\\d)([/-])${MONTH}\\5${DAY}(?![\\d/-])`,
  'y',
);
const DATE = new RegExp(`${DAY}([/.-])${MONTH}\\2(\\d{4}|\\d{2})(?!\\d)`, 'y');
const YEAR_MONTH = /20(\d{2})-(0[1-9]|1[0-2])(?![\d-])/y;
/** A law may have such a number, too, but not after these. */
const NUMBERED_MONTH = new RegExp(`${MONTH}/((?:19|20)\\d\\d)(?![\\d/-])`, 'y');
const NUMBERED_MONTH_BEFORE =
  /(?<!\p{L})(?:em|en|desde|hasta|até|a partir de|a partire da|depuis|jusqu['’]en|dal|entre|fino a)\s$/iu;
const DAY_BEFORE = new RegExp(`(?<!\\d)${DAY}(?:er|º|°)?\\s(?:de\\s)?$`, 'u');
const SHORT_MONTH = /([\p{L}\p{M}]{3,5}|[\p{L}\p{M}]{2}(?=[.॰]))(?![\p{L}\p{M}])[.॰]?/uy;
/** Without a stop, these are words too: the sea, seven, a set of tennis. */
const WORDS_TOO = /^(?:mar|ago|sept?|set)$/i;
const DATE_BEFORE =
  /(?:(?<!\p{L})(?:el|al|del|d[ií]a|il|dal|le|du|au|giorno)\s(?:\d{1,2}\s?[-–]\s?)?\d{1,2}|(?<!\d)0\d\s?[-–]\s?\d{1,2}|\d\sde)\s$/iu;
const OF_MONTH = /\sde\s(\p{L}{3,10})(?!\p{L})/uy;
const NUMERIC_DATE = String.raw`(?:\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{4}[/-]\d{1,2}[/-]\d{1,2})`;
const HOUR = String.raw`\d{1,2}(?:[:.h]\d\d|\s?h(?:\s?\d\d)?)?`;
const HALF_DAY = String.raw`\s?[apAP]\.?\s?[mM](?:\.|(?!\p{L}))`;
/** What may be on both sides of a dash in a range, each as a pattern before and after it. */
const RANGES = [
  [NUMERIC_DATE, `${NUMERIC_DATE}(?!\\d)`],
  [`${HOUR}${HALF_DAY}`, `${HOUR}${HALF_DAY}`],
].map(([before, after]) => [new RegExp(`(?<!\\d)${before}\\s$`, 'u'), new RegExp(`\\s${after}`, 'uy')] as const);
const MONTH_OR_YEAR_BEFORE = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,10})[.॰]?(?:\s(?:de\s)?(?:19|20)\d\d)?\s?$/u;
const MONTH_OF_YEAR_NEXT = /\s?([\p{L}\p{M}]{2,10})[.॰]?\s(?:de\s)?(?:19|20)\d\d(?!\d)/uy;
const MONTH_NEXT = /(\s?)[-–]\s?([\p{L}\p{M}]{3,5})(?![\p{L}\p{M}])/uy;
const MONTH_BEFORE = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{3,5})[.॰]?[-–]$/u;
const YEAR_NEXT = /\s(de\s)?(?:19|20)\d{2}(?!\d)/y;
const DECADE = /((?:1\d|20)?\d0)(['’]?)s(?![\p{L}\d])/uy;
/** Plural articles and years. */
const DECADE_BEFORE = /(?<!\p{L})(?:los|años|sus|mis|les|des|années|gli|anni|os|dos|nos|anos|seus|meus)\s$/iu;

/** `2026-11-20`, `2026/3/5`, `2024-11`, `em 12/2014`, `20/11/2026`, `01.05.24`, `12-nov-2024`, `el 5/11` */
export function matchDate(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\d/.-]/.test(text[index - 1] ?? '')) return undefined;
  const iso = matchAt(ISO_DATE, text, index);
  const monthName = (month: string) => language.months[Number(month) - 1]!;
  if (iso) {
    const [all, year, month, day, ...loose] = iso as unknown as [string, ...string[]];
    const words = dateWords(language, day ?? loose[3]!, monthName(month ?? loose[2]!), year ?? loose[0]!);
    return { end: index + all.length, words };
  }
  const yearMonth = matchAt(YEAR_MONTH, text, index);
  // 2011-12 are two years.
  if (yearMonth && yearMonth[1]! >= yearMonth[2]!) {
    const words = monthAndYearWords(language, monthName(yearMonth[2]!), `20${yearMonth[1]}`);
    return { end: index + yearMonth[0].length, words };
  }
  const numbered = NUMBERED_MONTH_BEFORE.test(textBefore(context, 20))
    ? matchAt(NUMBERED_MONTH, text, index)
    : undefined;
  if (numbered) {
    const words = monthAndYearWords(language, monthName(numbered[1]!), numbered[2]!);
    return { end: index + numbered[0].length, words };
  }
  const match = matchAt(DATE, text, index);
  if (!match)
    return (
      matchRomanMonth(context) ?? matchNamedMonth(context) ?? matchDayOfNamedMonth(context) ?? matchDayAndMonth(context)
    );
  const words = dateWords(language, match[1]!, monthName(match[3]!), match[4]!);
  return { end: index + match[0].length, words: elidedDay(context, words, match[1]!) };
}

/** The day in `1 mai`, `1 de janeiro`, `05 marzo`. */
export function numberOfDay(context: Context, { end, whole, decimals }: WrittenNumber): Match | undefined {
  const { text, language } = context;
  const { firstDay } = language.rules;
  if (!(whole === '1' && firstDay) && !/^0[1-9]$/.test(whole)) return undefined;
  if (decimals !== '') return undefined;
  const isDay =
    monthOf(language, nextWord(context, end)) !== undefined ||
    monthOf(language, matchAt(OF_MONTH, text, end)?.[1] ?? '') !== undefined;
  const words = Number(whole) === 1 && firstDay ? firstDay : cardinal(language, whole.replace(/^0/, ''));
  return isDay ? { end, words: elidedDay(context, words, whole) } : undefined;
}

/** The name of a month for its abbreviation, next to a number or in a range: `5 nov. 2024`, `ene-mar`. */
export function matchShortMonth(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}\d.]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(SHORT_MONTH, text, index);
  const name = match && language.shortMonths.get(match[1]!.toLowerCase());
  if (!name) return undefined;
  const [all, short] = match as unknown as [string, string];
  const end = index + all.length;
  const [dash = '', space, next = ''] = matchAt(MONTH_NEXT, text, end) ?? [];
  // The sea – set …
  const isJoined = space === '' || all !== short;
  if (isJoined && monthOf(language, next) !== undefined)
    return { end: end + dash.length - next.length, words: `${name} ${language.rules.range}` };
  const before = textBefore(context, 12);
  const from = MONTH_BEFORE.exec(before)?.[1];
  const mayBeWord = all === short && WORDS_TOO.test(short);
  // El 3 mar azul is not a date.
  const isDescribed = short === 'mar' && language.rules.genderOf(nextWord(context, end)) !== undefined;
  const isDated = !mayBeWord || (DATE_BEFORE.test(before) && !isDescribed);
  const isDayBefore = isDated && DAY_BEFORE.test(before);
  const yearNext = matchAt(YEAR_NEXT, text, end);
  if (!yearNext && !isDayBefore && !(from && monthOf(language, from) !== undefined)) return undefined;
  // 5 de noviembre de 2024
  const hasOf = language.rules.date('', name, '').includes(' de ');
  const of = hasOf && /\d\s$/.test(before) ? 'de ' : '';
  const ofYear = hasOf && yearNext && !yearNext[1] ? ' de' : '';
  const isAbbreviated = short.length < name.length;
  const stop = all !== short && (!isAbbreviated || isSentenceEnd(context, end)) ? '.' : '';
  return { end, words: `${of}${name}${ofYear}${stop}` };
}

/** The dash between two dates, two halves of a day, or two months of a year: `1/3/2026 – 10/4/2026`, `nov 1998 – ene 1999`. */
export function matchDateRange(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (!/[-–—]/.test(text[index]!)) return undefined;
  const end = index + 1;
  const before = textBefore(context, 24);
  const from = MONTH_OR_YEAR_BEFORE.exec(before)?.[1];
  const to = from && matchAt(MONTH_OF_YEAR_NEXT, text, end)?.[1];
  const isRange =
    (to && monthOf(language, from) !== undefined && monthOf(language, to) !== undefined) ||
    RANGES.some(([side, otherSide]) => side.test(before) && matchAt(otherSide, text, end));
  return isRange ? { end, words: ` ${language.rules.range} ` } : undefined;
}

/** `los 90s`, `les 60's`: no seconds. */
export function matchDecade(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = matchAt(DECADE, text, index);
  if (!match || /[\p{L}\d.,/-]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, digits, apostrophe] = match as unknown as [string, string, string];
  const isNamed = apostrophe !== '' || digits.length === 4 || DECADE_BEFORE.test(textBefore(context, 10));
  return isNamed ? { end: index + all.length, words: year(language, digits) } : undefined;
}
