import { dateAt } from '../../cjk/dates.ts';
import { matchAt } from '../../patterns.ts';
import { kanaCounted, kanjiNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const monthDay = /(\d{1,2})月(\d{1,2})日(?!間|目)/y;
const weekdays = /(?<![\p{Script=Han}\d])([月火水木金土日])[〜~～-]([月火水木金土日])(曜日?)?(?!\p{Script=Han})/uy;
/** Days of the week in one character. */
export const WEEKDAYS: Readonly<Record<string, string>> = {
  月: 'げつ',
  火: 'か',
  水: 'すい',
  木: 'もく',
  金: 'きん',
  土: 'ど',
  日: 'にち',
};

/** 2024/3/15 */
export const rewriteDate: Rule = ({ text, index }) => {
  const date = dateAt(text, index);
  if (!date) return undefined;
  const { end, year, month, day } = date;
  return { ...monthAndDay(end, month, day), spoken: `${kanaCounted(year, '年')} ${monthAndDayKana(month, day)}` };
};

/** 3月15日 */
export const rewriteMonthDay: Rule = ({ text, index }) => {
  const match = matchAt(monthDay, text, index);
  return match && monthAndDay(index + match[0].length, match[1]!, match[2]!);
};

/** The rewrite up to `end` of a day of a month. */
export function monthAndDay(end: number, month: string, day: string) {
  return { end, spoken: monthAndDayKana(month, day), replacement: `${kanjiNumber(day)}日` };
}

function monthAndDayKana(month: string, day: string): string {
  return `${kanaCounted(month, '月')} ${kanaCounted(day, '日')}`;
}

/** 月〜金 */
export const rewriteWeekdays: Rule = ({ text, index }) => {
  const match = matchAt(weekdays, text, index);
  if (!match) return undefined;
  const [whole, first, last, day = ''] = match as unknown as [string, string, string, string?];
  const ending = { '': '', 曜: 'よー', 曜日: 'よーび' }[day]!;
  return {
    end: index + whole.length,
    spoken: `${WEEKDAYS[first]!} から ${WEEKDAYS[last]!}${ending}`,
    replacement: `${last}曜日`,
  };
};
