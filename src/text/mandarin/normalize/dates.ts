import { dateAt, monthAt } from '../../cjk/dates.ts';
import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { MEASURES } from '../measures.ts';
import { chineseDigits, chineseNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const season = /(\d{4})[/-](\d{2})(?=赛季|学年|财年)/y;
const years = new RegExp(`((?:1[89]|20)\\d\\d)[-–—~～]((?:1[89]|20)\\d\\d)(?![\\d.-]|\\s?(?:${MEASURES}))`, 'y');
const day = /(\d{1,2})([/.·])(\d{1,2})(?![\d./·%万亿])/y;
/** The dot of an old decimal: π约等于3·14. */
const decimalBefore = /(?:等于|约|为|[=≈])\s?$/;
const holiday = '(?:国际)?(?:国庆|元旦|[劳妇青儿建教护]\\p{Script=Han}{1,2}节)';
const holidayAfter = new RegExp(`^${holiday}`, 'u');
const dayNameAfter = new RegExp(`^\\s?(?:\\(?(?:周|星期|礼拜)[一二三四五六日天]|${holiday})`, 'u');
/** 90后, but not 第50后 or 60后排. */
const generation =
  /(?<!(?:第|排名|(?<![目之以当此先])前)\s?)([05-9][05])(?=后(?![面悔退续]|来(?![说讲])|排(?![队斥练])|台(?!湾)|卫(?!生)|端(?!午)|勤(?![奋劳快])|期(?![待望盼])|方(?![便才案])))/y;
const year =
  /(\d{4}|\d{2})(?=年(?!级|前|后|来|间|龄|以|内|多|的?(?:时间|历史|文明|传承)))|(?:1[5-9]|20)\d\d(?<!00)(?=年(?:[前后间内]|来|以))|(?<=[自在从從于於到至元])(?:19|20)00(?=年(?:后|以))|(?:19|20)\d\d(?=[级届](?![台阶楼])|(?<!00)[款版])/y;
/** A year without 年: 于1842签订 */
const yearAlone = new RegExp(
  `(?<=[于於自从從])(?:1[5-9]|20)\\d\\d(?<!00)(?=\\p{Script=Han})(?!${MEASURES}|[多余個張條輛間隻項歲])`,
  'uy',
);
const yearRange = /(\d{4})\s?[-–—~～至到]\s?(\d{4})(?=年(?!前|历史|间的历史))/y;

/** 2024-03-15, 2024-03 */
export const rewriteDate: Rule = ({ text, index }) => {
  const date = dateAt(text, index) ?? monthAt(text, index);
  if (!date) return undefined;
  const day = date.day === undefined ? '' : `${chineseNumber(date.day)}日`;
  return { end: date.end, replacement: `${chineseDigits(date.year)}年${chineseNumber(date.month)}月${day}` };
};

/** 12/5(周四), 6.1儿童节, 9·11: a day by its numbers. */
export const rewriteDay: Rule = (context) => {
  const { text, index } = context;
  const match = matchAt(day, text, index);
  if (!match || /[\d./·]/.test(text[index - 1] ?? '')) return undefined;
  const [whole, month, sign, date] = match as unknown as [string, string, string, string];
  if (Number(month) < 1 || Number(month) > 12 || Number(date) < 1 || Number(date) > 31) return undefined;
  const end = index + whole.length;
  if (sign === '/')
    return dayNameAfter.test(text.slice(end, end + 8))
      ? { end, replacement: `${chineseNumber(month)}月${chineseNumber(date)}日` }
      : undefined;
  if (sign === '·' && (decimalBefore.test(textBefore(context, 4)) || /\s/.test(text[end] ?? ''))) return undefined;
  if (sign === '.' && !holidayAfter.test(text.slice(end, end + 8))) return undefined;
  const first = month === '10' ? chineseNumber(month) : chineseDigits(month);
  return { end, replacement: first + dayOfEvent(month, date) };
};

/** The day in the name of an event; 一 is 幺 in most, as in 9·11, but not in 九一八. */
export function dayOfEvent(month: string, day: string): string {
  return chineseDigits(day, day.length > 1 && !(month === '9' && day === '18'));
}

/** 2024年, 1998-2002, 2020/21赛季, 80后: digit by digit. */
export const rewriteYear: Rule = ({ text, index }) => {
  const both = matchAt(yearRange, text, index);
  if (both) return yearSpan(index, both);
  const span = matchAt(years, text, index);
  if (span && Number(span[2]) > Number(span[1])) return yearSpan(index, span);
  const playing = matchAt(season, text, index);
  if (playing && (Number(playing[1]) + 1) % 100 === Number(playing[2])) return yearSpan(index, playing);
  const born = matchAt(generation, text, index);
  if (born) return { end: index + born[0].length, replacement: chineseDigits(born[1]!) };
  const match = matchAt(year, text, index) ?? matchAt(yearAlone, text, index);
  if (!match || isSpan(match[0])) return undefined;
  return match[0].length === 4 || /^\d\d年\d/.test(text.slice(index))
    ? { end: index + match[0].length, replacement: chineseDigits(match[0]) }
    : undefined;
};

/** Whether a number before 年 counts years and names none: 5000年. */
function isSpan(digits: string): boolean {
  return Number(digits) > 2100 && digits.endsWith('00');
}

function yearSpan(index: number, [whole, first, last]: RegExpExecArray): Rewrite {
  return { end: index + whole.length, replacement: `${chineseDigits(first!)}到${chineseDigits(last!)}` };
}
