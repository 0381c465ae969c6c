import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { isMonth, monthName, months } from './calendar-names.ts';
import { cardinal, designation, pluralOfNumber, year } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const yearAndMonth = /(\d\d)(\d\d)-(0[1-9]|1[0-2])(?![\p{L}\d]|[-/.:]\d)/uy;
const decade = /(\d{1,3}0)(?:['’]?s)(?![\p{L}\d])/uy;
/** What lasts some seconds. */
const secondsBefore =
  /=\s?$|(?:\b|_)(?:rest|wait|hold|pause|sleep|time-?out|interval|delay|duration|ttl|cool-?down|retry|poll|deadline)\w{0,3}["'`]?:?\s$/i;
/** `60–90s`, not `the 60–90s` or `1960–90s` */
const secondsRange = /(?:^|(?<!\bthe)\s)\d{1,3}[-–]$/i;
const yearPattern = /(\d{4})(?![\d%°]|[.,:]\d|\p{L})/uy;
const countedNext =
  /\s(?:(?!was|is|has|this|as|his|its|does|across|plus|versus|vs|minus|focus|thus|less|unless|always|perhaps|towards|Olympics)[a-z]{2,30}[^ius\W]s|people|men|women|children|feet|percent|million|billion|of)(?![\p{L}'’])/uy;
const yearWords =
  wordSet(`in since from by until till during year before after circa around early late mid summer spring autumn
  fall winter of ad and between class`);

const yearSpan = /(1[1-9]\d\d|20\d\d)\/(\d{4}|\d{1,2})(?![\p{L}\d/]|[.,]\d)/uy;

const monthOfYear = /(0?[1-9]|1[0-2])\/((?:19|20)\d\d)(?![\p{L}\d/]|[.,]\d| of\b)/uy;
/** `in 12/07`: no denominator begins with a zero. */
const monthOfShortYear = /(0?[1-9]|1[0-2])\/(0\d)(?![\p{L}\d/]|[.,]\d)/uy;

/** A year and a later one: `2020/21`, `1999/2000`; a month and its year: `11/2026`, `2026-11`. */
export function matchYearSpan({ text, index, previous }: Context): Match | undefined {
  const month = matchAt(monthOfYear, text, index);
  if (month) return { end: index + month[0].length, words: `${monthName(Number(month[1]))} ${year(month[2]!)}` };
  const inShort = /^in$/i.test(previous) ? matchAt(monthOfShortYear, text, index) : undefined;
  if (inShort) {
    const words = `${monthName(Number(inShort[1]))} ${year(`20${inShort[2]}`)}`;
    return { end: index + inShort[0].length, words };
  }
  // `2024-11`: no range goes back.
  const [iso = '', century = '', ofCentury = '', isoMonth = ''] = matchAt(yearAndMonth, text, index) ?? [];
  if (/^(?:19|20)$/.test(century) && Number(isoMonth) <= Number(ofCentury))
    return { end: index + iso.length, words: `${monthName(Number(isoMonth))} ${year(century + ofCentury)}` };
  const match = matchAt(yearSpan, text, index);
  if (!match) return undefined;
  const [all, first = '', second = ''] = match;
  const years = (Number(second) - Number(first) + 10_000) % 10 ** second.length;
  // Of one digit only the next year, as in old registers: `1703/4`
  if (years < 1 || years > (second.length === 1 ? 1 : 10)) return undefined;
  const isWritten = second.length !== 2 || second[0] !== '0';
  const last =
    second === '00' ? year(String(Number(first) + years)) : isWritten ? year(second) : `oh ${cardinal(second)}`;
  const words = `${year(first)} to ${last}`;
  return { end: index + all.length, words };
}

/** `the 1990s`, `'90s`. */
export function matchDecade({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(decade, text, index);
  const digits = match?.[1] ?? '';
  if (!match) return undefined;
  // `in the 130s`; `130s` alone may be seconds.
  if (digits.length === 3 && !digits.endsWith('00')) {
    const isRange = /^(?:the|low|mid|high|upper|lower)$/i.test(previous);
    return isRange ? { end: index + match[0].length, words: pluralOfNumber(designation(digits)) } : undefined;
  }
  // `timeout: 30s`, `rest 90s`
  const before = textBefore({ text, index }, 16);
  const isSeconds = secondsBefore.test(before) || secondsRange.test(before);
  if (digits.length === 2 && isSeconds && match[0].endsWith('0s'))
    return { end: index + match[0].length, words: `${cardinal(digits)} seconds` };
  const isListed = /\ds\/$/.test(before);
  if (digits.length === 2 && !isListed && !/['’‘\s–-]/.test(text[index - 1] ?? ' ')) return undefined;
  if (previous === '' && digits.length === 2 && index > 0 && !/['’‘]/.test(text[index - 1]!)) return undefined;
  return { end: index + match[0].length, words: pluralOfNumber(year(digits)) };
}

const era = /\s?(?:B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)(?![\p{L}\d])/uy;

/** A year of four digits: 1100 to 2099 unless it counts things, or any next to BC, AD and the like. */
export function matchYear({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(yearPattern, text, index);
  if (!match?.[1]) return undefined;
  const value = Number(match[1]);
  const end = index + 4;
  const word = previous.toLowerCase();
  const near = yearWords.has(word) || months.has(word) || /^\d{1,2}(?:st|nd|rd|th)?$/.test(previous);
  const inEra = word === 'ad' || matchAt(era, text, end) !== undefined;
  if (match[1][0] === '0') return undefined;
  // `It was 1066.`, `(1066)`, `1066–1087`
  const isOld =
    value >= 1000 &&
    value < 1100 &&
    ((/\b[Ii]t (?:was|is) $/.test(textBefore({ text, index }, 8)) && /^(?:[.,;!?)]|$)/.test(text.slice(end))) ||
      (text[index - 1] === '(' && text[end] === ')') ||
      /1[01]\d\d\s?[-–]\s?$/.test(textBefore({ text, index }, 7)) ||
      /^\s?[-–]\s?1\d{3}(?!\d)/.test(text.slice(end, end + 8)));
  const isDated = yearWords.has(word) || isMonth(previous);
  const likely = value >= 1100 && value <= 2099 && (isDated || !matchAt(countedNext, text, end));
  // Years before 1100 need a word that marks them as years.
  return likely ||
    isOld ||
    inEra ||
    (near && yearWords.has(word) && value >= 1000 && value < 1100 && !matchAt(countedNext, text, end))
    ? { end, words: year(match[1]) }
    : undefined;
}
