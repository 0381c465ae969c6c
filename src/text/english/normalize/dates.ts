import { matchAt, textBefore } from '../../patterns.ts';
import { isMonth, monthName, months } from './calendar-names.ts';
import { ordinal, year } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const yearFirst = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(T)(?=\d{2}:\d{2})|(?![\p{L}\d]|[-/.]\d))/uy;
const yearLast = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\p{L}\d]|[-/.]\d)/uy;
/** Of a log: `14/May/2024:09:02:17` */
const namedMonth =
  /(\d{1,2})(?:\/(?=\p{Lu}\p{Ll}{2}\/)|-(?=\p{Lu}{3}-))(\p{Lu}\p{L}{2})[-/](\d{4})(?::(?=\d\d:\d\d)|(?![\p{L}\d/:]))/uy;
/** `2026-11-20`, `11/20/2026`, `20.11.2026`: with slashes month before day, unless the month is above 12. */
export function matchNumericDate(context: Context): Match | undefined {
  const { text, index } = context;
  const iso = matchAt(yearFirst, text, index);
  if (iso) {
    const words = spokenDate(Number(iso[3]), Number(iso[4]), iso[1]);
    if (words) return { end: index + iso[0].length, words: iso[5] ? `${words},` : words };
  }
  // `K/D/A 7/2/11`
  const isTally = /\bK(?:\/?D)?\/?A:? $/.test(textBefore(context, 8));
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
  if (!logged || !name || !isDay(day)) return undefined;
  const words = `${name} ${ordinal(day)}, ${year(loggedYear)}${logged.endsWith(':') ? ',' : ''}`;
  return { end: index + logged.length, words };
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
export function matchDay(context: Context): Match | undefined {
  const { text, index, previous } = context;
  // `July '24` is a year.
  if (/['’‘]/.test(text[index - 1] ?? '')) return undefined;
  // `2024-Feb-14`, but not `20 May-5 June`
  const joint = /\p{L}\.?(\s{1,2}|-)$/u.exec(textBefore(context, 4))?.[1];
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
  const isYear = joint === '-' && /(?:^|\D)\d{1,2}-\p{L}{3,9}-$/u.test(textBefore(context, 14));
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
