import { matchAt, wordSet } from '../../patterns.ts';
import { isMonth, isWeekday, monthName, months } from './calendar-names.ts';
import { ordinal, year } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const yearFirst = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(T)(?=\d{2}:\d{2})|(?![\p{L}\d]|[-/.]\d))/uy;
const yearLast = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\p{L}\d]|[-/.]\d)/uy;
/** Of a log: `14/May/2024:09:02:17` */
const namedMonth =
  /(\d{1,2})(?:\/(?=\p{Lu}\p{Ll}{2}\/)|-(?=\p{Lu}{3}-))(\p{Lu}\p{L}{2})[-/](\d{4})(?::(?=\d\d:\d\d)|(?![\p{L}\d/:]))/uy;
const monthDay = /(\d{1,2})\/(\d{1,2})(?![\p{L}\d/]|[-.]\d)/uy;
/** Words before a date. After those of a range, `1/2` may be a fraction. */
const dateWords =
  wordSet(`on since until till due by before after except starting effective ending dated eod cob ships shipped shipping
  delivered arrives arriving expires expired closes opens avail available`);
/** Appointments before a date: `Lunch 11/5`; it has no usual fraction. */
const appointments = wordSet(
  'lunch dinner brunch breakfast meeting appointment appt party wedding interview exam concert',
);
/** `Christmas is 12/25` */
const namedDayBefore =
  /\b(?:Day|Eve|Christmas|Xmas|Halloween|Thanksgiving|Hanukkah|birthday|anniversary|deadline|date|wedding|party)\s(?:is|was)\s$/;
const rangeWords = wordSet('from to through thru between and');
/** `Friday night (5/18)` */
const weekdayBefore = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b[^.(]{0,16}\($/;
const weekOf = /\b(?:week|wk\.?|weekend|night|morning|afternoon|evening)s? of $/i;
const dayRange =
  /(\d{1,2})\/(\d{1,2})\s?[-–]\s?(?:(\d{1,2})\/)?(\d{1,2})(?![\p{L}\d/%]|[-.]\d)(?!\s(?:bolts?|screws?|nuts?|threads?|taps?|UN[CF])(?!\p{L})|\s?[x×]\s?\d)/uy;
const commonFraction = /^(?:1\/2|[12]\/3|[13]\/4|1\/10)$/;

/** `10/30 @ 2pm`, `9/15 (Mon.)` */
const dateNext = /\s?(?:@|at)\s?\d{1,2}(?::\d\d)?\s?[ap]\.?m|\s\((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/iuy;
/** `from 5/6 to 5/12`: later in the same month, and no usual fractions */
const spanNext = /\s(?:to|through|thru|until|and)\s(\d{1,2})\/(\d{1,2})(?![\p{L}\d/%])/uy;
const spanBefore = /\b(?:from|between)\s(\d{1,2})\/(\d{1,2})\s(?:to|through|thru|until|and)\s$/i;

function isSpan(text: string, index: number, all: string, month: string, day: string): boolean {
  const [, nextMonth, nextDay = ''] = matchAt(spanNext, text, index + all.length) ?? [];
  const [, lastMonth, lastDay = ''] = spanBefore.exec(text.slice(Math.max(0, index - 32), index)) ?? [];
  const isRising = (from: string, to: string) =>
    Number(from) < Number(to) && Number(to) > 8 && to !== '10' && to !== '16';
  const isFrom = /\b(?:from|between) $/i.test(text.slice(Math.max(0, index - 8), index));
  return (isFrom && nextMonth === month && isRising(day, nextDay)) || (lastMonth === month && isRising(lastDay, day));
}

/** `12/25 is Christmas`, but `12/25 is a fraction` */
const statedNext =
  /\s(?:is|was|will|falls|fell|marks|has|had|works|won['’]t|isn['’]t|wasn['’]t)(?!\p{L})(?!\s(?:also |still |just |not )?(?:(?:an?|the) (?:\p{L}{1,12} )?(?:fraction|ratio|number|decimal|time|meter|metre|score|mark|grade|rate|scale|size|lens|split|majority|share|slope)|\d|equal|equivalent|greater|less|more|fewer|bigger|larger|smaller|simplified|reduced|about|approximately|roughly|close|nearly|almost|between|what|half|written|pronounced|in (?:its )?(?:simplest|lowest)|improper|proper|irreducible|[=≈])(?!\p{L}))/uy;
const itemNext = /:?\s[-–—]\s|:\s/y;
/** Denominators of fractions that people write. */
const usualDenominators = wordSet('2 3 4 5 6 8 10 16 32 64');
/** Where a sentence or the line of a list begins. */
const beginning = /^["“'(]?(?:[-–—•*]\s)?$/;

/** Whether a sentence begins with a date, of which it says something: `12/25 is Christmas`, `11/5: Kickoff` */
function beginsWithDate({ text, index, previous }: Context, end: number, month: string, day: string): boolean {
  if (previous !== '' || index > 3 || !beginning.test(text.slice(0, index))) return false;
  // The page or part in `1/7: Intro`
  const isPart = Number(month) <= Number(day) && usualDenominators.has(day);
  if (isPart || `${month}/${day}` === '9/11') return false;
  return matchAt(statedNext, text, end) !== undefined || matchAt(itemNext, text, end) !== undefined;
}

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
  // `K/D/A 7/2/11`
  const isTally = /\bK(?:\/?D)?\/?A:? $/.test(text.slice(Math.max(0, index - 8), index));
  const match = isTally ? undefined : matchAt(yearLast, text, index);
  if (match?.[4] && (match[4].length === 4 || match[2] === '/')) {
    const [, first = '', separator, second = ''] = match;
    const fullYear = match[4].length === 4 ? match[4] : `${Number(match[4]) < 50 ? 20 : 19}${match[4]}`;
    const american = spokenDate(Number(first), Number(second), fullYear);
    const european = spokenDate(Number(second), Number(first), fullYear);
    const words = separator === '.' ? (european ?? american) : (american ?? european);
    if (words) return { end: index + match[0].length, words };
  }
  const [logged, day = '', month = '', loggedYear = ''] = matchAt(namedMonth, text, index) ?? [];
  const name = months.get(month.toLowerCase());
  if (logged && name && isDay(day)) {
    return {
      end: index + logged.length,
      words: `${name} ${ordinal(day)}, ${year(loggedYear)}${logged.endsWith(':') ? ',' : ''}`,
    };
  }
  return matchMonthAndDay(context);
}

/** `on 11/20`, `Mon 12/4`, `Sat 21/11`, `12/23–1/2`, `12/23–27`. */
function matchMonthAndDay(context: Context): Match | undefined {
  const { text, index, previous } = context;
  const word = previous.toLowerCase();
  const isDated =
    dateWords.has(word) ||
    isWeekday(previous) ||
    (word === 'of' && weekOf.test(text.slice(Math.max(0, index - 16), index))) ||
    weekdayBefore.test(text.slice(Math.max(0, index - 28), index)) ||
    namedDayBefore.test(text.slice(Math.max(0, index - 20), index));
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
  if (!match?.[1] || !match[2]) return undefined;
  const isMarked =
    matchAt(dateNext, text, index + match[0].length) !== undefined ||
    isSpan(text, index, match[0], match[1], match[2]) ||
    beginsWithDate(context, index + match[0].length, match[1], match[2]);
  const isAppointment =
    appointments.has(word) && (isLateDay(match[2]) || Number(match[1]) > Number(match[2])) && match[0] !== '9/11';
  if (!(isDated || isMarked || isAppointment || (rangeWords.has(word) && isLateDay(match[2])))) return undefined;
  if (/^(?:by|before|after|ships|shipp(?:ed|ing)|opens|closes|delivered)$/.test(word) && commonFraction.test(match[0]))
    return undefined;
  // `on 3/4 of the days`
  const isPart = Number(match[1]) < Number(match[2]) && !isWeekday(previous);
  if (isPart && matchAt(wholeNext, text, index + match[0].length)) return undefined;
  const european = isDated && match[0] !== '24/7' ? spokenDate(Number(match[2]), Number(match[1])) : undefined;
  const words = spokenDate(Number(match[1]), Number(match[2])) ?? european;
  return words ? { end: index + match[0].length, words } : undefined;
}

/** Whether a number is more likely a day than a denominator. */
function isLateDay(digits: string): boolean {
  return digits[0] === '0' || digits === '1' || (Number(digits) > 12 && digits !== '16');
}

/** `March third`, `March third, twenty ten`; undefined if there is no such day or month. */
export function spokenDate(month: number, day: number, fullYear?: string): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const words = `${monthName(month)} ${ordinal(String(day))}`;
  return fullYear ? `${words}, ${year(fullYear)}` : words;
}

const dayBeforeMonth =
  /(\d{1,2})(st|nd|rd|th)?(?:(?:[-–]|\s–\s)(\d{1,2})(?:st|nd|rd|th)?)?(?:\s{1,2}|-)(\p{L}\p{Ll}{2,8})(?!\p{L})/uy;
const dayAfterMonth = /(\d{1,2})(?:st|[nr]?d|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?![\p{L}\d:%/]|[.,]\d)/uy;
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
  const isAfterMonth = isNext && isMonth(previous);
  // `Mar. 3-Apr. 5` is a range.
  const before = isAfterMonth ? undefined : matchAt(dayBeforeMonth, text, index);
  if (before?.[4] && isMonth(before[4]) && isDay(before[1]!)) {
    const range = before[3] ? ` to the ${ordinal(before[3])}` : '';
    const the = previous.toLowerCase() === 'the' ? '' : 'the ';
    // The month is a separate token.
    const end = index + before[0].length - before[4].length;
    return {
      end: text[end - 1] === '-' ? end : index + before[0].trimEnd().search(/[\s-]+\p{L}/u),
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
