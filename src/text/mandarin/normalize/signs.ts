import { isMinus, isTimes } from '../../cjk/minus.ts';
import { isPressureSlash, rangeSignAt } from '../../cjk/number-patterns.ts';
import { operatorAt } from '../../cjk/operators.ts';
import { isPointInName, punctuationAt } from '../../cjk/punctuation.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { SYMBOLS } from '../units.ts';
import { CURRENCY } from './money.ts';
import type { Rule } from './rule.ts';
import { isValueBefore } from './values.ts';

const negative = new RegExp(`[-−](?=(?:(?:${CURRENCY})\\s?)?\\d)`, 'y');
/** After these a hyphen is part of a name: 歼-20. */
const modelBefore = /(?:[歼轰运]|直升?|东风|长征|神舟|天宫|天舟|嫦娥|鹰击|红旗|巨浪|霹雳|苏|米格|波音|空客)$/;

/** Before a topic, as in #早安, and behind it, as in #星期一#; not the key 按#键. */
const topicBegin = /(?<![^\s#])#(?=\p{L})(?![键号])/uy;
const topicBefore = /(?<!\S)#[^#\s]{1,30}$/;

const weekdayRange = /\s?[~～\-–—]\s?(?=(?:周|星期)[一二三四五六日天])/y;
const weekdayBefore = /(?:周|星期)[一二三四五六日天]$/;
const letterRange = /[~～](?=[A-Z](?![A-Za-z]))/y;

/** 周一~周五, A~Z */
export const rewriteNamedRange: Rule = (context) => {
  const { text, index } = context;
  const before = textBefore(context, 3);
  const sign = weekdayBefore.test(before)
    ? matchAt(weekdayRange, text, index)
    : /(?<![A-Za-z])[A-Z]$/.test(before)
      ? matchAt(letterRange, text, index)
      : undefined;
  return sign ? { end: index + sign[0].length, replacement: '到' } : undefined;
};

/** 5#楼 */
export const rewriteNumberSign: Rule = (context) =>
  /\d$/.test(textBefore(context, 1)) && /\p{Script=Han}/u.test(context.text[context.index + 1] ?? '')
    ? { end: context.index + 1, replacement: '号' }
    : undefined;

/** #星期一# */
export const rewriteHashtag: Rule = (context) => {
  const { text, index } = context;
  const isEdge = matchAt(topicBegin, text, index) || topicBefore.test(textBefore(context, 32));
  return isEdge ? { end: index + 1, mark: ' ', replacement: '，' } : undefined;
};

/** 5-3=2 */
export const rewriteMinus: Rule = ({ text, index }) =>
  isMinus(text, index) ? { end: index + 1, replacement: '减' } : undefined;

/** -5 */
export const rewriteNegative: Rule = (context) => {
  const before = textBefore(context, 2);
  if (!matchAt(negative, context.text, context.index) || /[\d\p{Script=Latin}]$/u.test(before)) return undefined;
  return modelBefore.test(before) ? undefined : { end: context.index + 1, replacement: '负' };
};

/** 血压130/85 */
export const rewritePressure: Rule = ({ text, index }) =>
  isPressureSlash(text, index) ? { end: index + 1, mark: ',', replacement: '，' } : undefined;

/** 10-20 */
export const rewriteRange: Rule = (context) => {
  const sign = rangeSignAt(context.text, context.index);
  if (!sign || !isValueBefore({ ...context, index: sign.start })) return undefined;
  return { end: sign.end, replacement: '到' };
};

/** 3*4, 100x50 */
export const rewriteTimes: Rule = ({ text, index }) =>
  isTimes(text, index) ? { end: index + 1, replacement: '乘' } : undefined;

/** v.2: no sentence ends here. */
export const rewritePoint: Rule = ({ text, index }) =>
  isPointInName(text, index) ? { end: index + 1, mark: ' ', replacement: '，' } : undefined;

/** Punctuation. */
export const rewriteMark: Rule = ({ text, index }) => {
  const punctuation = punctuationAt(text, index);
  return punctuation && { ...punctuation, replacement: punctuation.mark === '…' ? '。' : '，' };
};

/** `x != 3`, `a -> b`, `|x|` */
export const rewriteOperator: Rule = ({ text, index }) => {
  const found = operatorAt(text, index);
  return found && { end: found.end, replacement: SYMBOLS[found.sign]! };
};

/** The sign of a variable, which is no currency: $PATH, ${HOME} */
const variable = /\$[A-Za-z_{]/y;

/** The name of a symbol. */
export const rewriteSymbol: Rule = ({ text, index }) => {
  const symbol = matchAt(variable, text, index) ? undefined : SYMBOLS[text[index]!];
  // A sentence that begins so is a heading or a quotation.
  return symbol === undefined || (index === 0 && /[#>]/.test(text[index]!))
    ? undefined
    : { end: index + 1, replacement: symbol };
};
