import { UNIT_END } from '../../cjk/number-patterns.ts';
import { type Context, endsWithAny } from '../../cjk/rule.ts';
import { anyOf, matchAt } from '../../patterns.ts';
import { COUNTERS } from '../counters.ts';
import { UNITS } from '../units.ts';

const unit = new RegExp(`\\s?(${anyOf(Object.keys(UNITS))})`, 'y');
const latinEnd = new RegExp(UNIT_END, 'y');
const value = new RegExp(`\\d[十百千万億兆]{0,2}\\s?(?:${anyOf([...Object.keys(UNITS), ...COUNTERS])})$`);
const shortValue =
  /\d\s?[AaPp][Mm]$|[\d%％円年月日時分秒人個本枚歳度才℃万億兆回匹代]$|\d日?\([月火水木金土日祝・]{1,3}\)$/;
/** Money that may have a rate, in addition to values. */
const money = /(?:円|ドル|ユーロ)$|[¥￥$€£]\s?[\d.,]{1,9}[kKmMbB]?$/;
const MAX_VALUE = 16;

/** The unit at an index, maybe after a space. */
export function unitAt(text: string, index: number): { end: number; kana: string } | undefined {
  const match = matchAt(unit, text, index);
  if (!match) return undefined;
  const end = index + match[0].length;
  return isUnitEnd(text, end, match[1]!) ? { end, kana: UNITS[match[1]!]! } : undefined;
}

/** Whether a unit ends at an index: a Latin or katakana unit must not be part of a longer word. */
function isUnitEnd(text: string, end: number, symbol: string): boolean {
  const next = text[end] ?? '';
  if (/[A-Za-z]$/.test(symbol)) return matchAt(latinEnd, text, end) !== undefined;
  return !/[ァ-ヺー]$/.test(symbol) || !/[ァ-ヺー]/.test(next);
}

/** Whether a value, which a range may begin with, ends at the index. */
export function isValueBefore(context: Context): boolean {
  return endsWithAny(context, MAX_VALUE, [shortValue, value]);
}

/** Whether what a rate may be of ends at the index: 500円 in 500円/月. */
export function isRateBefore(context: Context): boolean {
  return endsWithAny(context, MAX_VALUE, [money, value]);
}
