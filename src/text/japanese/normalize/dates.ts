import { dateAt, monthAt } from '../../cjk/dates.ts';
import { matchAt } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaDecimal, kanaDigits, kanjiNumber, NUMERAL } from '../numbers.ts';
import type { Rule } from './rule.ts';

const monthDay = /(\d{1,2})月(\d{1,2})日(?!間|目)/y;
const namedDay =
  /(?<![\d・.,月第])(1[0-2]|[1-9])・([12]\d|3[01])(?![\d・])(?=(事件|クーデター|政変)|テロ|東日本|大?震災|独立|運動|[のはがをにでと、。」』）)]|以[前後降]|から|まで|当時|$)/y;
const weekdays = /(?<![\p{Script=Han}\d])([月火水木金土日])[〜~～-]([月火水木金土日])(曜日?)?(?!\p{Script=Han})/uy;
/** Days with 曜 after the last one or 毎週 before the first, or three of them: 火・木曜. */
const weekdayList =
  /(?<![\p{Script=Han}\d・お])(?:毎週)?([月火水木金土日](?:[・、,/][月火水木金土日])+)(曜日?)?(?!\p{Script=Han})/uy;
/** Pairs that are read as days, not as materials or planets, and words that follow days. */
const weekdayPair = /^(?:土・日|金・土|月・火|木・金|月・水|火・木|水・金|月・木|火・金)$/;
const openNext = /(?:に|のみ|限定|は?定?休|営業|開講|開催|祝|の[朝昼夜午])/y;
const eraYear = /([MTSHR])(\d{1,2})(?:(年度|年(?!生))|([./-])(\d{1,2})\4(\d{1,2})(?![\d./-]))/y;
/** The names of eras by their letters, and how many years they have, if they ended. */
const ERAS: Readonly<Record<string, readonly [kana: string, years: number]>> = {
  M: ['めーじ', 45],
  T: ['たいしょー', 15],
  S: ['しょーわ', 64],
  H: ['へーせー', 31],
  R: ['れーわ', 99],
};
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

const WEEKDAY_ENDINGS: Readonly<Record<string, string>> = { '': '', 曜: 'よー', 曜日: 'よーび' };

/** 2024/3/15, 2024-03 */
export const rewriteDate: Rule = ({ text, index }) => {
  const date = dateAt(text, index) ?? monthAt(text, index);
  if (!date) return undefined;
  const { end, year, month, day } = date;
  const inYear = (spoken: string) => `${kanaCounted(year, '年')} ${spoken}`;
  if (day !== undefined) return { ...monthAndDay(end, month, day), spoken: inYear(monthAndDayKana(month, day)) };
  return { end, spoken: inYear(kanaCounted(month, '月')), replacement: `${kanjiNumber(month)}月` };
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

/** 3・11, 2・26事件 */
export const rewriteNamedDay: Rule = ({ text, index }) => {
  const [all, month = '', day = '', event] = matchAt(namedDay, text, index) ?? [];
  // 10・11の両日 are two days.
  if (all === undefined || Number(day) === Number(month) + 1) return undefined;
  const spoken = event ? kanaDigits(month) + kanaDigits(day) : kanaDecimal(month, day);
  return { end: index + all.length, spoken, replacement: NUMERAL };
};

/** 火・木曜 */
export const rewriteWeekdayList: Rule = ({ text, index }) => {
  const match = matchAt(weekdayList, text, index);
  if (!match) return undefined;
  const [whole, days, ending = ''] = match as unknown as [string, string, string?];
  const isEvery = whole.startsWith('毎');
  const isBracketed = text[index - 1] === '(' && text[index + whole.length] === ')';
  // 月・水・金; two may be other words.
  const isPair = weekdayPair.test(days) && matchAt(openNext, text, index + whole.length) !== undefined;
  if (!isEvery && !isBracketed && ending === '' && days.length < 5 && !isPair) return undefined;
  const kana = days.split(/[・、,/]/).map((day) => WEEKDAYS[day]!);
  const spoken = `${isEvery ? 'まいしゅー ' : ''}${kana.join(' ')}${WEEKDAY_ENDINGS[ending]!}`;
  return { end: index + whole.length, spoken, replacement: `${days.at(-1)}曜日` };
};

/** R6.4.1, H30年度 */
export const rewriteEra: Rule = ({ text, index }) => {
  const match = matchAt(eraYear, text, index);
  if (!match || /[A-Za-z\d]/.test(text[index - 1] ?? '')) return undefined;
  const [whole, letter, year, ending, , month, day] = match as unknown as (string | undefined)[];
  const [era, years] = ERAS[letter!]!;
  const end = index + whole!.length;
  if (Number(year) < 1 || Number(year) > years) return undefined;
  const yearKana = `${era} ${kanaCounted(year!, ending ?? '年').replace(/^いちねん/, 'がんねん')}`;
  if (ending !== undefined) return { end, spoken: yearKana, replacement: `一${ending}` };
  // R4.0.2 may be a version.
  if (Number(year) < 5 && month!.length === 1 && day!.length === 1) return undefined;
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  const date = isDay ? monthAndDay(end, month!, day!) : undefined;
  return date && { ...date, spoken: `${yearKana} ${date.spoken}` };
};

/** 月〜金 */
export const rewriteWeekdays: Rule = ({ text, index }) => {
  const match = matchAt(weekdays, text, index);
  if (!match) return undefined;
  const [whole, first, last, day = ''] = match as unknown as [string, string, string, string?];
  return {
    end: index + whole.length,
    spoken: `${WEEKDAYS[first]!} から ${WEEKDAYS[last]!}${WEEKDAY_ENDINGS[day]!}`,
    replacement: `${last}曜日`,
  };
};
