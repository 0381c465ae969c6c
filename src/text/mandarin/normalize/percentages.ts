import { AMOUNT } from '../../cjk/number-patterns.ts';
import { matchAt } from '../../patterns.ts';
import { chineseNumeral } from './numerals.ts';
import type { Rule } from './rule.ts';

const percentRange = new RegExp(`(${AMOUNT})\\s?[-–~～〜至到]\\s?(${AMOUNT})\\s?([%‰])`, 'y');
const percent = new RegExp(`(${AMOUNT})\\s?([%％‰])`, 'y');

/** 10~20% */
export const rewritePercentRange: Rule = ({ text, index }) => {
  const match = matchAt(percentRange, text, index);
  if (!match) return undefined;
  const [whole, first, last, sign] = match as unknown as [string, string, string, string];
  const replacement = `${outOf(sign)}${chineseNumeral(first)}到${chineseNumeral(last)}`;
  return { end: index + whole.length, replacement };
};

/** 50% */
export const rewritePercent: Rule = ({ text, index }) => {
  const match = matchAt(percent, text, index);
  if (!match) return undefined;
  const [whole, amount, sign] = match as unknown as [string, string, string];
  return { end: index + whole.length, replacement: outOf(sign) + chineseNumeral(amount) };
};

function outOf(sign: string): string {
  return sign === '‰' ? '千分之' : '百分之';
}
