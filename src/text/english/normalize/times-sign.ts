import { clauseAround, isInEquation } from '../../equations.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const timesNext = /\s?\d/y;
/** `7.8 x10^9` */
const powerNext = /\s?10(?:\^|[⁰¹²³⁴-⁹⁻])/y;
/** Another term of an equation: `3x + 2` */
const termNext = /\s?[=+*^×÷]|\s[−-]\s/y;
/** `x 2 days` of a prescription or a complaint */
const durationNext = /\s?\d{1,3}\s?(?:days?|d|weeks?|wks?|months?|hours?|hrs?|h|years?|yrs?|doses?)(?!\p{L})/uy;
/** The side of a box: `9" x 13"`, `30cm x 20cm`, `8" W x 5" D`. */
const measureBefore = /(?:\d(?:["″”'’′](?: ?[WDHL])?|\s?(?:mm|cm|m|in|ft|px)\.?)|[½¼¾⅛⅜⅝⅞]) ?$/;

const countNext = /(?:[2-9]|[1-9]\d|\s[2-9])(?=[,;:)]|\.(?!\d)|$)/y;
const countBefore = /(?:\p{Ll}{4}|\p{Ll}\))\s\(?$|\p{L}\s\($/u;

/** A letter for a times sign: `4x4`, `1920 x 1080`, `10x`. */
export function matchTimes(context: Context): Match | undefined {
  const { text, index, previous } = context;
  if (text[index] !== 'x') return undefined;
  const end = index + 1;
  if (measureBefore.test(textBefore(context, 8)) && matchAt(timesNext, text, end)) return { end, words: 'by' };
  // `oriented x3`, `(x2)`; not of an equation
  const isCount = matchAt(countNext, text, end) && countBefore.test(textBefore(context, 24));
  if (isCount && !/=|\bx1\b|\by\d/i.test(text)) return { end, words: 'times' };
  if (/\p{L}\s$/u.test(textBefore(context, 2)) && matchAt(durationNext, text, end)) return { end, words: 'times' };
  const digitBefore = /\d/.test(text[index - 1] === ' ' ? (text[index - 2] ?? '') : (text[index - 1] ?? ''));
  if (!digitBefore || !/^[\d.,]+$/.test(previous)) return undefined;
  if (matchAt(powerNext, text, end)) return { end, words: 'times' };
  if (matchAt(timesNext, text, end)) return { end, words: isInEquation(...clauseAround(text, index)) ? 'times' : 'by' };
  // `3x-5` is algebra, `2x-3x` a range.
  const isVariable = /^[-−]\s?(?!\d{1,4}x(?![\p{L}\d]))[\p{L}\d(]/u.test(text.slice(end, end + 8));
  const alone = /\d/.test(text[index - 1]!) && !/[\p{L}\d]/u.test(text[end] ?? '') && !isVariable;
  const isTerm = /[=+*^×÷]\s?[\d.,]+$/.test(textBefore(context, 16)) || matchAt(termNext, text, end) !== undefined;
  return alone && !isTerm ? { end, words: 'times' } : undefined;
}
