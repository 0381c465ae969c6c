import { AMOUNT, versionAt } from '../../cjk/number-patterns.ts';
import { isDigitwise, type NumberReadings, readNumeral } from '../../cjk/numerals.ts';
import { otherDigitsAt } from '../../cjk/other-characters.ts';
import { matchAt } from '../../patterns.ts';
import { chineseCounted, chineseDecimal, chineseDigits, chineseNumber, MAX_DIGITS } from '../numbers.ts';
import type { Rule } from './rule.ts';
import { unitAt } from './values.ts';

const number = new RegExp(AMOUNT, 'y');
const numbered = /(?:no\.|№)\s?(?=\d)/iy;
const READINGS: NumberReadings = {
  maxDigits: MAX_DIGITS,
  number: chineseNumber,
  digits: chineseDigits,
  decimal: chineseDecimal,
};

/** Chinese characters of a number with commas and a decimal point. */
export function chineseNumeral(written: string): string {
  return readNumeral(written, READINGS);
}

/** A number with its unit. */
export const rewriteNumber: Rule = ({ text, index, options }) => {
  const written = matchAt(number, text, index)?.[0];
  if (written === undefined) return undefined;
  const end = index + written.length;
  if (!options.normalize) return { end, replacement: chineseNumeral(written) };
  const unit = unitAt(text, index, end);
  const following = unit?.name ?? text.slice(end).trimStart();
  const plain = written.replaceAll(',', '');
  const isOrdinal = text[index - 1] === '第';
  const isCounted = !isOrdinal && !plain.includes('.') && !isDigitwise(plain, MAX_DIGITS);
  const numeral = isCounted ? chineseCounted(plain, following) : chineseNumeral(plain);
  return unit ? { end: unit.end, replacement: numeral + unit.name } : { end, replacement: numeral };
};

/** 1.2.3 */
export const rewriteVersion: Rule = ({ text, index }) => {
  const match = versionAt(text, index);
  return match === undefined
    ? undefined
    : { end: index + match.length, replacement: match.split('.').map(chineseNumber).join('点') };
};

/** No.1 */
export const rewriteNumbered: Rule = ({ text, index }) => {
  const match = matchAt(numbered, text, index)?.[0];
  return match === undefined ? undefined : { end: index + match.length, replacement: '第' };
};

/** Digits of another script. */
export const rewriteOtherDigits: Rule = ({ text, index }) => {
  const digits = otherDigitsAt(text, index);
  return digits && { end: digits.end, replacement: chineseNumeral(digits.plain) };
};
