import { powerAt } from '../../cjk/powers.ts';
import { raisedUnitAt } from '../../cjk/squared-units.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { letterNames } from '../latin.ts';
import { kanaNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import type { Rule } from './rule.ts';
import { unitAt } from './values.ts';

const formula = /(?:[A-Z][a-z]?[\d₀-₉]{0,3}){1,12}(?![\p{Script=Latin}\d])/uy;
const ENGLISH_NUMBERS =
  'ぜろ わん つー すりー ふぉー ふぁいぶ しっくす せぶん えいと ないん てん いれぶん とぅえるぶ'.split(' ');

/** x², 10^6 */
export const rewritePower: Rule = ({ text, index }) => {
  const power = powerAt(text, index);
  if (!power) return undefined;
  const { end, isNegative, digits } = power;
  const spoken = `の ${isNegative ? 'まいなす ' : ''}${kanaCounted(digits, '乗')}`;
  // 3×10⁸ m/s
  const unit = /10$/.test(textBefore({ text, index }, 2)) ? unitAt(text, end) : undefined;
  return { end: unit?.end ?? end, spoken: unit ? `${spoken} ${unit.kana}` : spoken, replacement: 'の二乗' };
};

const myriadBefore = /[数何十百千万億]$/;
const written = /(?:km|cm|mm|m|kg|mg|g|ml|mL|[GMT]B)(?![A-Za-z\d])/y;

/** 数千km, 十m */
export const rewriteUnit: Rule = (context) => {
  const symbol = myriadBefore.test(textBefore(context, 1))
    ? matchAt(written, context.text, context.index)?.[0]
    : undefined;
  return symbol === undefined ? undefined : { end: context.index + symbol.length, spoken: UNITS[symbol]! };
};

/** m² without a number. */
export const rewriteRaisedUnit: Rule = ({ text, index }) => {
  const unit = raisedUnitAt(text, index, UNITS);
  return unit && { end: unit.end, spoken: unit.name };
};

/** Formulas of chemistry have English digits: H₂O is えいちつーおー. */
export const rewriteFormula: Rule = ({ text, index }) => {
  const match = matchAt(formula, text, index)?.[0];
  if (match === undefined || !/[₀-₉]|^(?:CO2|H2O)$/.test(match)) return undefined;
  const parts = match.normalize('NFKC').match(/[A-Za-z]+|\d+/g)!;
  const spoken = parts.map((part) => (/\d/.test(part) ? englishDigits(part) : letterNames(part))).join('');
  return { end: index + match.length, spoken };
};

function englishDigits(digits: string): string {
  return ENGLISH_NUMBERS[Number(digits)] ?? kanaNumber(digits);
}
