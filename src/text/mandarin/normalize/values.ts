import { UNIT_END } from '../../cjk/number-patterns.ts';
import { type Context, endsWithAny } from '../../cjk/rule.ts';
import { isTimeUnit } from '../../cjk/time-units.ts';
import { anyOf, matchAt, textBefore } from '../../patterns.ts';
import { MEASURES } from '../measures.ts';
import { CURRENCIES, UNITS } from '../units.ts';

/** The pattern of a unit's symbol. */
export const UNIT = `(${anyOf(Object.keys(UNITS))})${UNIT_END}`;

const unit = new RegExp(`\\s?${UNIT}`, 'y');
const unitNames = anyOf([...Object.keys(UNITS), ...Object.values(UNITS), ...Object.values(CURRENCIES)]);
const value = new RegExp(
  `\\d[万亿千百]{0,2}\\s?(?:[%％元年月日时点分秒人个岁度℃万亿号章节页课集讲]|${unitNames}|${MEASURES})$`,
);
const shortValue = /[\d%％元年月日时点分秒人个岁度℃万亿号]$|\d[日号]?\((?:周|星期)[一二三四五六日天]\)$/;
/** Money that a rate may be of, besides values. */
const money = /元$|[¥￥$€£]\s?[\d.,]{1,9}[kKmMbB]?$/;
/** What has grades, lines or the like with a number and a letter. */
const gradeAfter =
  /^A\s?(?:等?级|线|景[区点]|等级|座|栋|号|楼|路|班|型|款|轮|口|纸|游戏|大作|公司|企业|写字|及|、\d+[A-Z])/;
const nameBefore = /[A-Z][-\s]?$/;
const MAX_VALUE = 12;

/**
 * The unit after a number, maybe after a space.
 * @param start where the number begins
 * @param end where it ends
 */
export function unitAt(text: string, start: number, end: number): { end: number; name: string } | undefined {
  const match = matchAt(unit, text, end);
  if (!match) return undefined;
  const [written, symbol] = match as unknown as [string, string];
  // 1134A, 5A级, 94A线 and C-170A are names.
  if (symbol === 'A' && (/^\d{4}$/.test(text.slice(start, end)) || gradeAfter.test(text.slice(end, end + 6))))
    return undefined;
  if (/^[ALVW]$/.test(symbol) && nameBefore.test(textBefore({ text, index: start }, 2))) return undefined;
  const isUnit = !/^(?:h|s|min)$/.test(symbol) || isTimeUnit(text, start, end, written);
  return isUnit ? { end: end + written.length, name: UNITS[symbol]! } : undefined;
}

/** Whether a value, which a range may begin with, ends at the index. */
export function isValueBefore(context: Context): boolean {
  return endsWithAny(context, MAX_VALUE, [shortValue, value]);
}

/** Whether what a rate may be of ends at the index: 100元 in 100元/月. */
export function isRateBefore(context: Context): boolean {
  return endsWithAny(context, MAX_VALUE, [money, value]);
}
