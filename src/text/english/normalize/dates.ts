import { matchAt, textBefore } from '../../patterns.ts';
import { isMonth, monthName, months } from './calendar-names.ts';
import { ordinal, year } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const yearFirst = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(T)(?=\d{2}:\d{2})|(?![\p{L}\d]|[-/.]\d))/uy;
const yearLast = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\p{L}\d]|[-/.]\d)/uy;
/** Of a log: `14/May/2024:09:02:17` */
const namedMonth =
  /(\d{1,2})(?:\/(?=\p{Lu}\p{Ll}{2}\/)|-(?=\p{Lu}{3}-))(\p{Lu}\p{L}{2})[-/](\d{4})(?::(?=\d\d:\d\d)|(?![\p{L}\d/:]))/uy;

/** `2026-11-20`, `11/20/2026`, `20.11.2026`, `14/May/2024:09:02:17`. */
export function matchNumericDate(context: Context): Match | undefined {
  const { text, index } = context;
  return (
    matchSeptember11(context) ?? matchYearFirst(text, index) ?? matchYearLast(context) ?? matchNamedMonth(text, index)
  );
}

function matchYearFirst(text: string, index: number): Match | undefined {
  const match = matchAt(yearFirst, text, index);
  if (!match) return undefined;
  const [all, fullYear, , month, day, time] = match;
  const words = spokenDate(Number(month), Number(day), fullYear);
  return words === undefined ? undefined : { end: index + all.length, words: time ? `${words},` : words };
}

/** With slashes month before day, unless the month is above 12. */
function matchYearLast(context: Context): Match | undefined {
  const { text, index } = context;
  // `K/D/A 7/2/11`
  if (/\bK(?:\/?D)?\/?A:? $/.test(textBefore(context, 8))) return undefined;
  const [all = '', first, separator, second, written = ''] = matchAt(yearLast, text, index) ?? [];
  if (written.length !== 4 && separator !== '/') return undefined;
  const fullYear = written.length === 4 ? written : fullYearOf(written);
  const american = spokenDate(Number(first), Number(second), fullYear);
  const european = spokenDate(Number(second), Number(first), fullYear);
  const words = separator === '.' ? (european ?? american) : (american ?? european);
  return words === undefined ? undefined : { end: index + all.length, words };
}

function matchNamedMonth(text: string, index: number): Match | undefined {
  const [all = '', day = '', month = '', fullYear = ''] = matchAt(namedMonth, text, index) ?? [];
  const name = months.get(month.toLowerCase());
  if (!name || !isDay(day)) return undefined;
  const words = `${name} ${ordinal(day)}, ${year(fullYear)}${all.endsWith(':') ? ',' : ''}`;
  return { end: index + all.length, words };
}

/** The year of two digits of a date, in this century up to 49. */
function fullYearOf(digits: string): string {
  return (Number(digits) < 50 ? '20' : '19') + digits;
}

/** `March third`, `March third, twenty ten`; undefined if there is no such day or month. */
export function spokenDate(month: number, day: number, fullYear?: string): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const words = `${monthName(month)} ${ordinal(String(day))}`;
  return fullYear ? `${words}, ${year(fullYear)}` : words;
}

const dayBeforeMonth =
  /(\d{1,2})(?:st|nd|rd|th)?(?:(?:[-–]|\s–\s)(\d{1,2})(?:st|nd|rd|th)?)?(?:\s{1,2}|-)(\p{L}\p{Ll}{2,8})(?!\p{L})/uy;
const dayAfterMonth = /(\d{1,2})(?:st|[nr]?d|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?![\p{L}\d:%/]|[.,]\d)/uy;
/** `October 19/20` */
const twoDays = /(\d{1,2})\/(\d{1,2})(?![\p{L}\d/])/uy;
/** `01-Feb-02` */
const yearAfterMonth = /(\d{2})(?![\p{L}\d-])/uy;
const notADay = /\s?(?:[ap]\.?m\b|people|men|women|children|percent|million|billion|thousand|years|months|days|hours)/y;

const september11 =
  /9[-–]11(?=[-\s](?:attacks?|terror\p{L}*|commission|memorial|museum|victims?|survivors?|responders?|hijackers?|anniversary|conspirac\p{L}+|era|wars?)(?!\p{L}))/iuy;
const september11Alone = /9[-–]11(?=[.,;:!?)](?!\d)|$)/y;

/** `the 9-11 attacks`, `since 9-11` */
function matchSeptember11(context: Context): Match | undefined {
  const { text, index, previous } = context;
  const isNamed =
    matchAt(september11, text, index) ??
    (/^(?:since|after|before|pre|post)$/i.test(previous) && matchAt(september11Alone, text, index));
  return isNamed ? { end: index + 4, words: 'nine eleven' } : undefined;
}

/** The day in `20 November` and in `Nov. 20`; other rules match the rest of the date. */
export function matchDay(context: Context): Match | undefined {
  const { text, index, previous } = context;
  // `July '24` is a year.
  if (/['’‘]/.test(text[index - 1] ?? '')) return undefined;
  // `2024-Feb-14`, but not `20 May-5 June`
  const joint = /\p{L}\.?(\s{1,2}|-)$/u.exec(textBefore(context, 4))?.[1];
  const isNext = joint !== undefined && (joint !== '-' || !matchAt(dayBeforeMonth, text, index));
  // `Mar. 3-Apr. 5` is a range.
  return isNext && isMonth(previous) ? matchDayAfterMonth(context, joint) : matchDayBeforeMonth(context);
}

/** `20`, `20th` or `20–22` of `20 November`. */
function matchDayBeforeMonth({ text, index, previous }: Context): Match | undefined {
  const [all = '', first = '', last, month = ''] = matchAt(dayBeforeMonth, text, index) ?? [];
  if (!isMonth(month) || !isDay(first)) return undefined;
  const range = last ? ` to the ${ordinal(last)}` : '';
  const the = previous.toLowerCase() === 'the' ? '' : 'the ';
  // The month is a separate token.
  const joined = all.slice(0, -month.length);
  const end = index + (joined.endsWith('-') ? joined : joined.trimEnd()).length;
  return { end, words: `${the}${ordinal(first)}${range} of` };
}

/** `20`, `20th`, `19/20` or `20–22` of `Nov. 20`; the year of `20-Nov-26`. */
function matchDayAfterMonth(context: Context, joint: string): Match | undefined {
  const { text, index } = context;
  const isYear = joint === '-' && /(?:^|\D)\d{1,2}-\p{L}{3,9}-$/u.test(textBefore(context, 14));
  const short = isYear ? matchAt(yearAfterMonth, text, index)?.[1] : undefined;
  if (short) return { end: index + 2, words: year(fullYearOf(short)) };
  const [days = '', first = '', second = ''] = matchAt(twoDays, text, index) ?? [];
  if (days && isDay(second) && Number(second) === Number(first) + 1) {
    return { end: index + days.length, words: `${ordinal(first)} and ${ordinal(second)}` };
  }
  const [all = '', day = '', last] = matchAt(dayAfterMonth, text, index) ?? [];
  const end = index + all.trimEnd().length;
  if (!isDay(day) || matchAt(notADay, text, end)) return undefined;
  return { end, words: ordinal(day) + (last ? ` to ${ordinal(last)}` : '') };
}

function isDay(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 31;
}
