import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { isWeekday } from './calendar-names.ts';
import { spokenDate } from './dates.ts';
import { ordinal } from './numbers.ts';
import type { Context, Match, Rule } from './rule.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [matchDays, matchOneDay];

/** `on 11/20`, `Mon 12/4`, `Sat 21/11`, `12/23–1/2`, `12/23–27`. */
export function matchMonthAndDay(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

/** Words before a date. After those of a range, `1/2` may be a fraction. */
const dateWords =
  wordSet(`on since until till due by before after except starting effective ending dated eod cob ships shipped shipping
  delivered arrives arriving expires expired closes opens avail available`);
/** `Christmas is 12/25` */
const namedDayBefore =
  /\b(?:Day|Eve|Christmas|Xmas|Halloween|Thanksgiving|Hanukkah|birthday|anniversary|deadline|date|wedding|party)\s(?:is|was)\s$/;
/** `Friday night (5/18)` */
const weekdayBefore = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b[^.(]{0,16}\($/;
const weekOf = /\b(?:week|wk\.?|weekend|night|morning|afternoon|evening)s? of $/i;

/** Whether the words before announce a date: `on 11/20`, `Friday night (5/18)`, `week of 5/6`, `Christmas is 12/25` */
function announcesDate(context: Context): boolean {
  const { previous } = context;
  const word = previous.toLowerCase();
  if (dateWords.has(word) || isWeekday(previous)) return true;
  if (word === 'of' && weekOf.test(textBefore(context, 16))) return true;
  return weekdayBefore.test(textBefore(context, 28)) || namedDayBefore.test(textBefore(context, 20));
}

const dayRange =
  /(\d{1,2})\/(\d{1,2})\s?[-–]\s?(?:(\d{1,2})\/)?(\d{1,2})(?![\p{L}\d/%]|[-.]\d)(?!\s(?:bolts?|screws?|nuts?|threads?|taps?|UN[CF])(?!\p{L})|\s?[x×]\s?\d)/uy;

/** `12/23–1/2`, `12/23–27` */
function matchDays(context: Context): Match | undefined {
  const [all, month = '', day = '', lastMonth, lastDay = ''] = matchAt(dayRange, context.text, context.index) ?? [];
  if (all === undefined) return undefined;
  const from = spokenDate(Number(month), Number(day));
  const to = spokenDate(Number(lastMonth ?? month), Number(lastDay));
  const isLate = isLateDay(lastDay) || (lastMonth !== undefined && isLateDay(day));
  const isRising = lastMonth !== undefined || Number(day) < Number(lastDay);
  if (!from || !to || !isRising || !(isLate || announcesDate(context))) return undefined;
  return { end: context.index + all.length, words: `${from} to ${lastMonth === undefined ? ordinal(lastDay) : to}` };
}

/** Whether a number is more likely a day than a denominator. */
function isLateDay(digits: string): boolean {
  return digits[0] === '0' || digits === '1' || (Number(digits) > 12 && digits !== '16');
}

/** Two numbers with a slash that may be a date. */
interface Pair extends Context {
  /** As written. */
  all: string;
  /** Index after it. */
  end: number;
  month: string;
  day: string;
  /** The word before, in lower case. */
  word: string;
  isAnnounced: boolean;
}

/** In this order: the first that knows whether the two numbers are a date decides. */
const dateRules: readonly ((pair: Pair) => boolean | undefined)[] = [
  ofFraction,
  ofPart,
  ({ isAnnounced }) => isAnnounced || undefined,
  beforeTime,
  ofSpan,
  ofSentence,
  ofAppointment,
  afterRangeWord,
];

const monthDay = /(\d{1,2})\/(\d{1,2})(?![\p{L}\d/]|[-.]\d)/uy;

/** `on 11/20` */
function matchOneDay(context: Context): Match | undefined {
  const [all, month = '', day = ''] = matchAt(monthDay, context.text, context.index) ?? [];
  if (all === undefined) return undefined;
  const end = context.index + all.length;
  const word = context.previous.toLowerCase();
  const pair: Pair = { ...context, all, end, month, day, word, isAnnounced: announcesDate(context) };
  const words = firstMatch(dateRules, pair) ? wordsOf(pair) : undefined;
  return words === undefined ? undefined : { end, words };
}

/** With the month first, unless it is above 12: `Sat 21/11` */
function wordsOf({ all, month, day, isAnnounced }: Pair): string | undefined {
  const american = spokenDate(Number(month), Number(day));
  const mayBeEuropean = isAnnounced && all !== '24/7';
  return american ?? (mayBeEuropean ? spokenDate(Number(day), Number(month)) : undefined);
}

const commonFraction = /^(?:1\/2|[12]\/3|[13]\/4|1\/10)$/;

/** `before 1/2` */
function ofFraction({ all, word }: Pair): boolean | undefined {
  const mayPrecede = /^(?:by|before|after|ships|shipp(?:ed|ing)|opens|closes|delivered)$/.test(word);
  return mayPrecede && commonFraction.test(all) ? false : undefined;
}

/** What a fraction is part of. */
const wholeNext = /\sof\s(?!(?:this|that|last|next|each|every)\s|the\s(?:year|same|following|next|previous)\b|\d{4})/iy;

/** `on 3/4 of the days` */
function ofPart({ text, end, month, day, previous }: Pair): boolean | undefined {
  const isProper = Number(month) < Number(day) && !isWeekday(previous);
  return isProper && matchAt(wholeNext, text, end) ? false : undefined;
}

const dateNext = /\s?(?:@|at)\s?\d{1,2}(?::\d\d)?\s?[ap]\.?m|\s\((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/iuy;

/** `10/30 @ 2pm`, `9/15 (Mon.)` */
function beforeTime({ text, end }: Pair): boolean | undefined {
  return matchAt(dateNext, text, end) ? true : undefined;
}

const spanNext = /\s(?:to|through|thru|until|and)\s(\d{1,2})\/(\d{1,2})(?![\p{L}\d/%])/uy;
const spanBefore = /\b(?:from|between)\s(\d{1,2})\/(\d{1,2})\s(?:to|through|thru|until|and)\s$/i;

/** `from 5/6 to 5/12`: later in the same month, and no usual fractions */
function ofSpan(pair: Pair): boolean | undefined {
  const { text, end, month, day } = pair;
  const [, nextMonth, nextDay = ''] = matchAt(spanNext, text, end) ?? [];
  const [, lastMonth, lastDay = ''] = spanBefore.exec(textBefore(pair, 32)) ?? [];
  const isFrom = /\b(?:from|between) $/i.test(textBefore(pair, 8));
  const isFirst = isFrom && nextMonth === month && isRising(day, nextDay);
  return isFirst || (lastMonth === month && isRising(lastDay, day)) || undefined;
}

function isRising(from: string, to: string): boolean {
  return Number(from) < Number(to) && Number(to) > 8 && to !== '10' && to !== '16';
}

/** `12/25 is Christmas`, but `12/25 is a fraction` */
const statedNext =
  /\s(?:is|was|will|falls|fell|marks|has|had|works|won['’]t|isn['’]t|wasn['’]t)(?!\p{L})(?!\s(?:also |still |just |not )?(?:(?:an?|the) (?:\p{L}{1,12} )?(?:fraction|ratio|number|decimal|time|meter|metre|score|mark|grade|rate|scale|size|lens|split|majority|share|slope)|\d|equal|equivalent|greater|less|more|fewer|bigger|larger|smaller|simplified|reduced|about|approximately|roughly|close|nearly|almost|between|what|half|written|pronounced|in (?:its )?(?:simplest|lowest)|improper|proper|irreducible|[=≈])(?!\p{L}))/uy;
const itemNext = /:?\s[-–—]\s|:\s/y;
/** Denominators of fractions that people write. */
const usualDenominators = wordSet('2 3 4 5 6 8 10 16 32 64');
/** Where a sentence or the line of a list begins. */
const beginning = /^["“'(]?(?:[-–—•*]\s)?$/;

/** A date that begins a sentence about it: `12/25 is Christmas`, `11/5: Kickoff` */
function ofSentence({ text, index, previous, all, end, month, day }: Pair): boolean | undefined {
  if (previous !== '' || index > 3 || !beginning.test(text.slice(0, index))) return undefined;
  // The page or part in `1/7: Intro`
  const isPart = Number(month) <= Number(day) && usualDenominators.has(day);
  if (isPart || all === '9/11') return undefined;
  return matchAt(statedNext, text, end) || matchAt(itemNext, text, end) ? true : undefined;
}

/** Appointments before a date: `Lunch 11/5`; it has no usual fraction. */
const appointments = wordSet(
  'lunch dinner brunch breakfast meeting appointment appt party wedding interview exam concert',
);

/** `Lunch 11/5` */
function ofAppointment({ all, month, day, word }: Pair): boolean | undefined {
  const isUnusual = (isLateDay(day) || Number(month) > Number(day)) && all !== '9/11';
  return (appointments.has(word) && isUnusual) || undefined;
}

const rangeWords = wordSet('from to through thru between and');

/** `from 11/20` */
function afterRangeWord({ day, word }: Pair): boolean | undefined {
  return (rangeWords.has(word) && isLateDay(day)) || undefined;
}
