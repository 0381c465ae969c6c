import { isMinus } from '../../cjk/minus.ts';
import { AMOUNT, isNamedVersionBefore } from '../../cjk/number-patterns.ts';
import { PUNCTUATION } from '../../cjk/punctuation.ts';
import { textBefore } from '../../cjk/rule.ts';
import { matchAt } from '../../patterns.ts';
import { SYMBOLS } from '../units.ts';
import type { Rule } from './rule.ts';
import { isValueBefore } from './values.ts';

const range = new RegExp(`[~～〜]\\s?(?=[¥$€£]?${AMOUNT})|[-–—](?=${AMOUNT}(?![\\d.]*-\\d))`, 'y');
const negative = /[-−](?=\d)/y;
/** Behind these a hyphen is part of a name: 歼-20. */
const modelBefore = /(?:[歼轰运]|直升?|东风|长征|神舟|天宫|天舟|嫦娥|鹰击|红旗|巨浪|霹雳|苏|米格|波音|空客)$/;
const dots = /[.．…‥⋯·]{2,}|…/y;

/** 5-3=2 */
export const rewriteMinus: Rule = ({ text, index }) =>
  isMinus(text, index) ? { end: index + 1, replacement: '减' } : undefined;

/** -5 */
export const rewriteNegative: Rule = (context) => {
  const before = textBefore(context, 2);
  if (!matchAt(negative, context.text, context.index) || /[\d\p{Script=Latin}]$/u.test(before)) return undefined;
  return modelBefore.test(before) ? undefined : { end: context.index + 1, replacement: '负' };
};

/** 10-20 */
export const rewriteRange: Rule = (context) => {
  const { text, index } = context;
  const match = matchAt(range, text, index)?.[0];
  if (match === undefined || !isValueBefore(context) || isNamedVersionBefore(text, index)) return undefined;
  return { end: index + match.length, replacement: '到' };
};

/** v.2: no sentence ends here. */
export const rewritePoint: Rule = ({ text, index }) => {
  const isPoint = text[index] === '.' && /[A-Za-z]/.test(text[index - 1] ?? '') && /\d/.test(text[index + 1] ?? '');
  return isPoint ? { end: index + 1, mark: ' ', replacement: '，' } : undefined;
};

/** Punctuation. */
export const rewriteMark: Rule = ({ text, index }) => {
  const ellipsis = matchAt(dots, text, index)?.[0];
  if (ellipsis) return { end: index + ellipsis.length, mark: '…', replacement: '。' };
  const mark = PUNCTUATION[text[index]!];
  return mark === undefined ? undefined : { end: index + 1, mark, replacement: '，' };
};

/** The name of a symbol. */
export const rewriteSymbol: Rule = ({ text, index }) => {
  const symbol = SYMBOLS[text[index]!];
  // A sentence that begins so is a heading or a quotation.
  return symbol === undefined || (index === 0 && /[#>]/.test(text[index]!))
    ? undefined
    : { end: index + 1, replacement: symbol };
};
