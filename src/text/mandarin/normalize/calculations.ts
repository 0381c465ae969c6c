import { powerAt } from '../../cjk/powers.ts';
import { raisedUnitAt } from '../../cjk/squared-units.ts';
import { textBefore } from '../../patterns.ts';
import { chineseNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
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

/** m² without a number. */
export const rewriteRaisedUnit: Rule = ({ text, index }) => {
  const unit = raisedUnitAt(text, index, UNITS);
  return unit && { end: unit.end, replacement: unit.name };
};
