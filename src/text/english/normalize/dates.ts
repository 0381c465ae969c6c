import { matchAt, wordSet } from '../../patterns.ts';
import { isWeekday, monthName, months } from './calendar-names.ts';
import { cardinal, digitByDigit, ordinal, pluralOfNumber, year } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';

const yearFirst = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(T)(?=\d{2}:\d{2})|(?![\p{L}\d]|[-/.]\d))/uy;
const yearLast = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\p{L}\d]|[-/.]\d)/uy;
const monthDay = /(\d{1,2})\/(\d{1,2})(?![\p{L}\d/]|[-.]\d)/uy;
/** Words before a date. After those of a range, `1/2` may be a fraction. */
const dateWords = wordSet('on since until till due by before after except starting effective ending dated eod cob');
const rangeWords = wordSet('from to through thru between and');
/** `Friday night (5/18)` */
const weekdayBefore = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b[^.(]{0,16}\($/;
const weekOf = /\b(?:week|weekend|night|morning|afternoon|evening)s? of $/i;
const dayRange = /(\d{1,2})\/(\d{1,2})\s?[-–]\s?(?:(\d{1,2})\/)?(\d{1,2})(?![\p{L}\d/%]|[-.]\d)/uy;
const commonFraction = /^(?:1\/2|[12]\/3|[13]\/4|1\/10)$/;

/** What a fraction is part of. */
const wholeNext = /\sof\s(?!(?:this|that|last|next|each|every)\s|the\s(?:year|same|following|next|previous)\b|\d{4})/iy;

/** `2026-11-20`, `11/20/2026`, `20.11.2026`: with slashes month before day, unless the month is above 12. */
export function matchNumericDate(context: Context): Match | undefined {
  const { text, index } = context;
  const iso = matchAt(yearFirst, text, index);
  if (iso) {
    const words = spokenDate(Number(iso[3]), Number(iso[4]), iso[1]);
    if (words) return { end: index + iso[0].length, words: iso[5] ? `${words},` : words };
  }
  const match = matchAt(yearLast, text, index);
  if (match?.[4] && (match[4].length === 4 || match[2] === '/')) {
    const [, first = '', separator, second = ''] = match;
    const fullYear = match[4].length === 4 ? match[4] : `${Number(match[4]) < 50 ? 20 : 19}${match[4]}`;
    const american = spokenDate(Number(first), Number(second), fullYear);
    const european = spokenDate(Number(second), Number(first), fullYear);
    const words = separator === '.' ? (european ?? american) : (american ?? european);
    if (words) return { end: index + match[0].length, words };
  }
  return matchMonthAndDay(context);
}

/** `on 11/20`, `Mon 12/4`, `12/23–1/2`, `12/23–27`. */
function matchMonthAndDay({ text, index, previous }: Context): Match | undefined {
  const word = previous.toLowerCase();
  const isDated =
    dateWords.has(word) ||
    isWeekday(previous) ||
    (word === 'of' && weekOf.test(text.slice(Math.max(0, index - 16), index))) ||
    weekdayBefore.test(text.slice(Math.max(0, index - 28), index));
  const range = matchAt(dayRange, text, index);
  if (range) {
    const [all, month = '', day = '', lastMonth, lastDay = ''] = range;
    const from = spokenDate(Number(month), Number(day));
    const to = spokenDate(Number(lastMonth ?? month), Number(lastDay));
    const isCertain =
      isDated || (isLateDay(day) && (lastMonth !== undefined || isLateDay(lastDay))) || isLateDay(lastDay);
    const isRising = lastMonth !== undefined || Number(day) < Number(lastDay);
    if (from && to && isCertain && isRising) {
      return { end: index + all.length, words: `${from} to ${lastMonth === undefined ? ordinal(lastDay) : to}` };
    }
  }
  const match = matchAt(monthDay, text, index);
  if (!match?.[1] || !match[2] || !(isDated || (rangeWords.has(word) && isLateDay(match[2])))) return undefined;
  if (/^(?:by|before|after)$/.test(word) && commonFraction.test(match[0])) return undefined;
  // `on 3/4 of the days`
  const isPart = Number(match[1]) < Number(match[2]) && !isWeekday(previous);
  if (isPart && matchAt(wholeNext, text, index + match[0].length)) return undefined;
  const words = spokenDate(Number(match[1]), Number(match[2]));
  return words ? { end: index + match[0].length, words } : undefined;
}

/** Whether a number is more likely a day than a denominator. */
function isLateDay(digits: string): boolean {
  return digits[0] === '0' || digits === '1' || (Number(digits) > 12 && digits !== '16');
}

function spokenDate(month: number, day: number, fullYear?: string): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const words = `${monthName(month)} ${ordinal(String(day))}`;
  return fullYear ? `${words}, ${year(fullYear)}` : words;
}

const dayBeforeMonth =
  /(\d{1,2})(st|nd|rd|th)?(?:[-–](\d{1,2})(?:st|nd|rd|th)?)?(?:\s{1,2}|-)(\p{Lu}\p{Ll}{2,8})(?!\p{L})/uy;
const dayAfterMonth = /(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?![\p{L}\d:%/]|[.,]\d)/uy;
/** `October 19/20` */
const twoDays = /(\d{1,2})\/(\d{1,2})(?![\p{L}\d/])/uy;
/** `01-Feb-02` */
const yearAfterMonth = /(\d{2})(?![\p{L}\d-])/uy;
const notADay = /\s?(?:[ap]\.?m\b|people|men|women|children|percent|million|billion|thousand|years|months|days|hours)/y;

/** The day in `20 November` and in `Nov. 20`; other rules match the rest of the date. */
export function matchDay({ text, index, previous }: Context): Match | undefined {
  // `July '24` is a year.
  if (/['’‘]/.test(text[index - 1] ?? '')) return undefined;
  // `2024-Feb-14`, but not `20 May-5 June`
  const joint = /\p{L}\.?(\s{1,2}|-)$/u.exec(text.slice(Math.max(0, index - 4), index))?.[1];
  const isNext = joint !== undefined && (joint !== '-' || !matchAt(dayBeforeMonth, text, index));
  const isAfterMonth = isNext && /^\p{Lu}/u.test(previous) && months.has(previous.toLowerCase());
  // `Mar. 3-Apr. 5` is a range.
  const before = isAfterMonth ? undefined : matchAt(dayBeforeMonth, text, index);
  if (before?.[4] && months.has(before[4].toLowerCase()) && isDay(before[1]!)) {
    const range = before[3] ? ` to the ${ordinal(before[3])}` : '';
    const the = previous.toLowerCase() === 'the' ? '' : 'the ';
    // The month is a token of its own.
    const end = index + before[0].length - before[4].length;
    return {
      end: text[end - 1] === '-' ? end : index + before[0].trimEnd().search(/[\s-]+\p{Lu}/u),
      words: `${the}${ordinal(before[1]!)}${range} of`,
    };
  }
  if (!isAfterMonth) return undefined;
  const isYear = joint === '-' && /(?:^|\D)\d{1,2}-\p{L}{3,9}-$/u.test(text.slice(Math.max(0, index - 14), index));
  const short = isYear ? matchAt(yearAfterMonth, text, index)?.[1] : undefined;
  if (short) return { end: index + 2, words: year((Number(short) < 50 ? '20' : '19') + short) };
  const [days = '', first = '', second = ''] = matchAt(twoDays, text, index) ?? [];
  if (days && isDay(second) && Number(second) === Number(first) + 1) {
    return { end: index + days.length, words: `${ordinal(first)} and ${ordinal(second)}` };
  }
  const after = matchAt(dayAfterMonth, text, index);
  if (!after || !isDay(after[1]!)) return undefined;
  const end = index + after[0].trimEnd().length;
  if (matchAt(notADay, text, end)) return undefined;
  return { end, words: ordinal(after[1]!) + (after[2] ? ` to ${ordinal(after[2])}` : '') };
}

function isDay(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 31;
}

const yearAndMonth = /(\d\d)(\d\d)-(0[1-9]|1[0-2])(?![\p{L}\d]|[-/.:]\d)/uy;
const decade = /(\d{1,3}0)(?:['’]?s)(?![\p{L}\d])/uy;
const yearPattern = /(\d{4})(?![\d%°]|[.,:]\d|\p{L})/uy;
const countedNext =
  /\s(?:(?!was|is|has|this|as|his|its|does|across|plus|versus|vs|minus|focus|thus|less|unless|always|perhaps|towards|Olympics)[a-z]{2,30}[^ius\W]s|people|men|women|children|feet|percent|million|billion|of)(?![\p{L}'’])/uy;
const yearWords =
  wordSet(`in since from by until till during year before after circa around early late mid summer spring autumn
  fall winter of ad and between class`);

const yearSpan = /(1[1-9]\d\d|20\d\d)\/(\d{4}|\d{2})(?![\p{L}\d/]|[.,]\d)/uy;

const monthOfYear = /(0[1-9]|1[0-2])\/((?:19|20)\d\d)(?![\p{L}\d/]|[.,]\d)/uy;

/** A year and a later one: `2020/21`, `1999/2000`; a month and its year: `11/2026`, `2026-11`. */
export function matchYearSpan({ text, index }: Context): Match | undefined {
  const month = matchAt(monthOfYear, text, index);
  if (month) return { end: index + month[0].length, words: `${monthName(Number(month[1]))} ${year(month[2]!)}` };
  // `2024-11`: no range goes back.
  const [iso = '', century = '', ofCentury = '', isoMonth = ''] = matchAt(yearAndMonth, text, index) ?? [];
  if (/^(?:19|20)$/.test(century) && Number(isoMonth) <= Number(ofCentury))
    return { end: index + iso.length, words: `${monthName(Number(isoMonth))} ${year(century + ofCentury)}` };
  const match = matchAt(yearSpan, text, index);
  if (!match) return undefined;
  const [all, first = '', second = ''] = match;
  const years = (Number(second) - Number(first) + 10_000) % (second.length === 4 ? 10_000 : 100);
  if (years < 1 || years > 10) return undefined;
  const isWritten = second.length === 4 || second[0] !== '0';
  const last =
    second === '00' ? year(String(Number(first) + years)) : isWritten ? year(second) : `oh ${cardinal(second)}`;
  const words = `${year(first)} to ${last}`;
  return { end: index + all.length, words };
}

/** `the 1990s`, `'90s`. */
export function matchDecade({ text, index, previous }: Context): Match | undefined {
  const match = matchAt(decade, text, index);
  const digits = match?.[1] ?? '';
  if (!match || (digits.length === 3 && !digits.endsWith('00'))) return undefined;
  if (digits.length === 2 && !/['’‘\s–-]/.test(text[index - 1] ?? ' ')) return undefined;
  if (previous === '' && digits.length === 2 && index > 0 && !/['’‘]/.test(text[index - 1]!)) return undefined;
  return { end: index + match[0].length, words: pluralOfNumber(year(digits)) };
}

const era = /\s?(?:B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)(?![\p{L}\d])/uy;

/** A year of four digits: 1100 to 2099 unless it counts things, or any beside BC, AD and the like. */
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
    ((/\b[Ii]t (?:was|is) $/.test(text.slice(Math.max(0, index - 8), index)) &&
      /^(?:[.,;!?)]|$)/.test(text.slice(end))) ||
      (text[index - 1] === '(' && text[end] === ')') ||
      /1[01]\d\d\s?[-–]\s?$/.test(text.slice(Math.max(0, index - 7), index)) ||
      /^\s?[-–]\s?1\d{3}(?!\d)/.test(text.slice(end, end + 8)));
  const likely = value >= 1100 && value <= 2099 && (yearWords.has(word) || !matchAt(countedNext, text, end));
  // Years before 1100 need a word that says so.
  return likely ||
    isOld ||
    inEra ||
    (near && yearWords.has(word) && value >= 1000 && value < 1100 && !matchAt(countedNext, text, end))
    ? { end, words: year(match[1]) }
    : undefined;
}

/** Not the scale `1:25,000`. */
const clock = /(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?!\d|:|,\d{3}(?!\d))/y;
/** British: `3.30pm`. */
const dottedClock = /(1?\d)\.([0-5]\d)(?=\s?[ap]\.?\s?m(?!\p{L}))/iuy;
/** As ISO 8601 writes it: `Z`, `+01:00`. */
const timeZone = /(Z)(?![\p{L}\d])|([+−-])(0\d|1[0-4]):?([0-5]\d)(?![\p{L}\d:])/uy;
const meridiem = /\s?(?:([ap])\.\s?m\.|([ap])\.?m(?![\p{L}\d]))/iuy;
const offsetBefore = /(?:UTC|GMT)\s?[+−–-]\s?$/;
const ratioNext =
  /\s(?:ratio|odds|mix(?:ture)?|scale|dilut\w+|solution|blend|split|slope|gradient|leverage|model|replica|aspect)\b/y;
const ratioBefore =
  /\b(?:ratio|odds|scale|dilut\w{2,3}|proportion|mixed|gradient|slope)(?: (?:of|is|was|to|at|in))? $/i;
const hour = /(\d{1,2})(?=\s?[ap]\.?\s?m)/iy;

/** `3:45 pm`, `15:30`, `12:00`, `3pm`. */
export function matchTime({ text, index }: Context): Match | undefined {
  const match = matchAt(clock, text, index) ?? matchAt(dottedClock, text, index);
  if (!match) return matchHour(text, index);
  const [all, hours = '', minutes = '', seconds, part] = match;
  const value = Number(hours);
  let end = index + all.length;
  if (value > 24 || matchAt(ratioNext, text, end)) return undefined;
  if (ratioBefore.test(text.slice(Math.max(0, index - 20), index))) return undefined;
  const half = matchAt(meridiem, text, end);
  let words = cardinal(hours);
  if (offsetBefore.test(text.slice(Math.max(0, index - 6), index))) {
    return { end, words: minutes === '00' ? words : `${words} ${cardinal(minutes)}` };
  }
  if (minutes !== '00') words += ` ${minutes[0] === '0' ? 'oh ' : ''}${cardinal(minutes)}`;
  else if (!half) words += value > 0 && value <= 12 ? " o'clock" : ' hundred';
  // The fraction in a log is noise, that of a stopwatch is not.
  const isLogged = /\d(?:T|\s)$/.test(text.slice(Math.max(0, index - 2), index));
  const isStopwatch = part !== undefined && part.length <= 3 && !isLogged;
  if (isStopwatch) words += ` and ${cardinal(seconds!)} point ${digitByDigit(part)} seconds`;
  else if (seconds && seconds !== '00') words += ` and ${cardinal(seconds)} second${seconds === '01' ? '' : 's'}`;
  const zone = matchAt(timeZone, text, end);
  // `10:00-11:30` is a range, `T10:00-11:30` a time.
  const isRange = /^[−-]/.test(zone?.[0] ?? '') && text[index - 1] !== 'T';
  if (zone && !isRange) return { end: end + zone[0].length, words: `${words} ${sayZone(zone)}` };
  if (half) {
    end += half[0].length;
    words += sayMeridiem(half, text, end);
  }
  return { end, words };
}

function sayZone([, zulu, sign, hours = '', minutes = '']: RegExpExecArray): string {
  if (zulu || (Number(hours) === 0 && Number(minutes) === 0)) return 'U T C';
  const rest = minutes === '00' ? '' : ` ${cardinal(minutes)}`;
  return `U T C ${sign === '+' ? 'plus' : 'minus'} ${cardinal(hours)}${rest}`;
}

function matchHour(text: string, index: number): Match | undefined {
  const match = matchAt(hour, text, index);
  const half = match && matchAt(meridiem, text, index + match[0].length);
  if (!half || Number(match[1]) > 12) return undefined;
  const end = index + match[0].length + half[0].length;
  return { end, words: cardinal(match[1]!) + sayMeridiem(half, text, end) };
}

function sayMeridiem(half: RegExpExecArray, text: string, end: number): string {
  return ` ${(half[1] ?? half[2])!.toUpperCase()} M${finalStop(text, end)}`;
}
