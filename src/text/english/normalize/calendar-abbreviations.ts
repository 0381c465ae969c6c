import { lookUp, matchAt, textBefore, wordSet } from '../../patterns.ts';
import { ambiguousDates, days, isMonth, isWeekday, months } from './calendar-names.ts';
import { type Context, finalStop, nameNext, numberNext } from './rule.ts';

/** A word that may be abbreviated, and the index after it and its full stop. */
interface WrittenWord {
  word: string;
  hasStop: boolean;
  end: number;
}

const monthAfterDash = /\s?[-–]\s?(\p{Lu}\p{Ll}{2,8})(?!\p{L})/uy;
const dayAfterSlash = /\/(\p{Lu}\p{Ll}{2,8})(?!\p{L})/uy;
const determiners = wordSet('Every Each On Last Next This By Until Since');
const monthNext = /,?\s\p{Lu}\p{L}{2,8}\.?\s\d/uy;
const dayNext =
  /,?\s\d{1,2}(?:(?:st|nd|rd|th)(?![\p{L}\d])|(?:st|nd|rd|th)?\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|:[0-5]\d|\/\d{1,2}(?:\/(?:\d\d){1,2})?(?![\d/])|(?::[0-5]\d)?\s?[ap]\.?m(?!\p{L})|\s?[-–]\s?\d{1,2}(?![\p{L}\d/]|[.:]\d))/uy;
/** `Mon closed` */
const closedNext = /\s(?:closed|open)(?!\p{L})/uy;
const weekday = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?:[a-z]{0,6}day)?';
const between = '(?:,? (?:and|or|to|through|thru|&) |,? ?[-–,/] ?)';
/** `Sat. and Sun.` */
const weekdayBefore = String.raw`(?<!\p{L})${weekday}\.?${between}$`;
const weekdayAfter = String.raw`\.?${between}${weekday}(?!\p{L})`;
const besideWeekday = { before: new RegExp(weekdayBefore, 'u'), after: new RegExp(weekdayAfter, 'uy') };
/** `MON–SAT` */
const besideLoudWeekday = { before: new RegExp(weekdayBefore, 'iu'), after: new RegExp(weekdayAfter, 'iuy') };

/** The name of a month for its abbreviation next to a number or in a range: `Nov. 20`, `Jan-Mar`. */
export function monthInFull(
  { text, index, previous }: Context,
  { word, hasStop, end }: WrittenWord,
): string | undefined {
  const key = word.toLowerCase();
  const month = months.get(key);
  if (!month || !isMonth(word) || key.length > 4 || month.length === key.length) return undefined;
  // `6.5% APR`
  if (word === 'APR' && /%\s?$/.test(textBefore({ text, index }, 2))) return undefined;
  const isDated = matchAt(numberNext, text, end) || /^\d/.test(previous) || isMonthRange(text, index, end, previous);
  return isDated || (hasStop && isDate(key, text, end, previous)) ? month : undefined;
}

/** The name of a weekday for its abbreviation: `Sat.`, `Mon-Fri`, `every Tue`. */
export function weekdayInFull(
  { text, index, previous, allCaps }: Context,
  { word, hasStop, end }: WrittenWord,
): string | undefined {
  const key = word.toLowerCase();
  const day = lookUp(days, key);
  if (!day || word === key) return undefined;
  const beside = allCaps ? besideLoudWeekday : besideWeekday;
  const isBeside =
    beside.before.test(textBefore({ text, index }, 24)) || matchAt(beside.after, text, end) !== undefined;
  if (isBeside && (/[a-z]/.test(word) || allCaps)) return day;
  // `Fri-noon`, not `Sun-Sentinel`
  const isJoined = /^[-–]\p{Lu}/u.test(text.slice(end, end + 2)) && !ambiguousDates.has(key);
  // `a 1540 SAT.`
  if (word === 'SAT' && !allCaps && finalStop(text, end) !== '') return undefined;
  if (hasStop ? isDate(key, text, end, previous) : isJoined) return day;
  // `a 1520 SAT, and`, `around the Sun, it turns`
  const isClosing = !ambiguousDates.has(key) || /^(?:|on|every|each|next|last|this|closed|open)$/i.test(previous);
  const isBeforeComma = text[end] === ',' && (/[a-z]/.test(word) || allCaps) && isClosing;
  const isOpening = !/^the$/i.test(previous) && matchAt(closedNext, text, end) !== undefined;
  return isBeforeComma || isOpening || isDateNext(text, end) || isWeekdayAlone(key, text, index, end, previous)
    ? day
    : undefined;
}

/** `Jan-Mar` */
function isMonthRange(text: string, index: number, end: number, previous: string): boolean {
  const next = matchAt(monthAfterDash, text, end)?.[1] ?? '';
  return months.has(next.toLowerCase()) || (/[-–]/.test(text[index - 1] ?? '') && months.has(previous.toLowerCase()));
}

/** Whether a word with a full stop is a weekday or a month: `Sat.`; otherwise it ends a sentence: `sat.` */
function isDate(key: string, text: string, end: number, previous: string): boolean {
  if (!ambiguousDates.has(key) || finalStop(text, end) === '') return true;
  if (key === 'sun') return /^(?:on|every|each|next|last|this|closed|open)$/i.test(previous);
  return previous !== '' && key !== 'may';
}

/** Whether a short weekday is one without a date next to it: `every Tue`, `Mon/Wed`. Before a capital it may be a name. */
function isWeekdayAlone(key: string, text: string, index: number, end: number, previous: string): boolean {
  const next = matchAt(dayAfterSlash, text, end)?.[1] ?? '';
  if (isWeekday(next) || (text[index - 1] === '/' && isWeekday(previous))) return true;
  const isAfterWord = /^\p{Ll}/u.test(previous) || determiners.has(previous);
  return !ambiguousDates.has(key) && isAfterWord && !matchAt(nameNext, text, end);
}

function isDateNext(text: string, end: number): boolean {
  return (matchAt(monthNext, text, end) ?? matchAt(dayNext, text, end)) !== undefined;
}
