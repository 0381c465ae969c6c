import { powerAt } from '../../cjk/powers.ts';
import { raisedUnitAt } from '../../cjk/squared-units.ts';
import { chineseNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import type { Rule } from './rule.ts';

/** x², 10^6 */
export const rewritePower: Rule = ({ text, index }) => {
  const power = powerAt(text, index);
  if (!power) return undefined;
  const { end, isNegative, digits } = power;
  if (digits === '2' && !isNegative) return { end, replacement: '的平方' };
  return { end, replacement: `的${isNegative ? '负' : ''}${chineseNumber(digits)}次方` };
};

/** m² without a number. */
export const rewriteRaisedUnit: Rule = ({ text, index }) => {
  const unit = raisedUnitAt(text, index, UNITS);
  return unit && { end: unit.end, replacement: unit.name };
};
