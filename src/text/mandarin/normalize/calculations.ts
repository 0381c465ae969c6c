import { powerAt } from '../../cjk/powers.ts';
import { raisedUnitAt } from '../../cjk/squared-units.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { chineseNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import { chineseNumeral } from './numerals.ts';
import type { Rule } from './rule.ts';
import { unitAt } from './values.ts';

/** x², 10^6 */
export const rewritePower: Rule = ({ text, index }) => {
  const power = powerAt(text, index);
  if (!power) return undefined;
  const { end, isNegative, digits } = power;
  if (digits === '2' && !isNegative) return { end, replacement: '的平方' };
  const replacement = `的${isNegative ? '负' : ''}${chineseNumber(digits)}次方`;
  // 3×10⁸ m/s
  const unit = /10$/.test(textBefore({ text, index }, 2)) ? unitAt(text, index - 2, end) : undefined;
  return unit ? { end: unit.end, replacement: `${replacement}${unit.name}` } : { end, replacement };
};

const scientific = /(\d{1,15}(?:\.\d{1,15})?)[eE]([-−+])(\d{1,3})(?![A-Za-z\d])/y;

/** 1e-5: a power of ten. */
export const rewriteScientific: Rule = ({ text, index }) => {
  const [all, number = '', sign = '', exponent = ''] = matchAt(scientific, text, index) ?? [];
  if (all === undefined) return undefined;
  const power = `${sign === '+' ? '' : '负'}${chineseNumber(exponent)}`;
  return { end: index + all.length, replacement: `${chineseNumeral(number)}乘十的${power}次方` };
};

/** m² without a number. */
export const rewriteRaisedUnit: Rule = ({ text, index }) => {
  const unit = raisedUnitAt(text, index, UNITS);
  return unit && { end: unit.end, replacement: unit.name };
};
