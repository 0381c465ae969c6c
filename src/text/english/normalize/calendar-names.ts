import { wordSet } from '../../patterns.ts';

/** Full names of months by their short or long form in lower case. */
export const months = new Map<string, string>();
const monthNames = 'January February March April May June July August September October November December'.split(' ');
for (const name of monthNames) {
  months.set(name.toLowerCase(), name);
  months.set(name.slice(0, 3).toLowerCase(), name);
}
months.set('sept', 'September');

/** @param month 1 to 12 */
export function monthName(month: number): string {
  return monthNames[month - 1]!;
}

/** Months that are not also another word in lower case. */
const smallMonths = wordSet(`january february april june july august september october november december
  jan feb apr jun jul aug sept oct nov dec`);

/** Whether a word is a month, in full or short: `March`, `june`, not `march`. */
export function isMonth(word: string): boolean {
  return smallMonths.has(word) || (/^\p{Lu}/u.test(word) && months.has(word.toLowerCase()));
}

/** Full names of weekdays by their short form in lower case. */
export const days: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  tues: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  thur: 'Thursday',
  thurs: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const weekdays = new Set(Object.values(days));

/** Whether a word is a weekday, in full or short, with its capital. */
export function isWeekday(word: string): boolean {
  return weekdays.has(word) || (/^\p{Lu}/u.test(word) && Object.hasOwn(days, word.toLowerCase()));
}

/** Whether a word is a weekday or a month, in full or short, with its capital. */
export function isCalendarName(word: string): boolean {
  return isWeekday(word) || (/^\p{Lu}/u.test(word) && isMonth(word));
}

/** Also words: they are weekdays and months only next to a date. */
export const ambiguousDates = wordSet('sat sun mon mar may');
