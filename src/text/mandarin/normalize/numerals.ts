import { AMOUNT, versionAt } from '../../cjk/number-patterns.ts';
import { isDigitwise, type NumberReadings, readNumeral } from '../../cjk/numerals.ts';
import { otherDigitsAt } from '../../cjk/other-characters.ts';
import { romanAt } from '../../cjk/roman.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { chineseCounted, MEASURES } from '../measures.ts';
import { chineseDecimal, chineseDigits, chineseNumber, MAX_DIGITS } from '../numbers.ts';
import type { Rule } from './rule.ts';
import { UNIT, unitAt } from './values.ts';

const number = new RegExp(AMOUNT, 'y');
const unitBefore = /\d[米秒]$/;
const hundredths = new RegExp(
  `\\d\\d(?=折(?![叠射旧页纸线弯磨断合损返腾])|(?![\\d.:/%~～〜折-]|\\s?(?:${MEASURES}|${UNIT}|[年月日多余几来毫])))`,
  'y',
);
/** The second number of a range, which shares the measure word with the first: 2-3天. */
const through = /\s?[-–~～〜至到]\s?\d{1,4}/y;
/** 第2行, 第1、2行 */
const ordinalBefore = /第(?:\d{1,4}\s?[、,，和与及至到~～〜-]\s?){0,4}$/;
const MAX_LIST = 24;
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
  const rangeEnd = end + (matchAt(through, text, end)?.[0].length ?? 0);
  const following = unit?.name ?? text.slice(rangeEnd).trimStart();
  // 08月08号
  const plain = written.replaceAll(',', '').replace(/^0(?=[1-9]$)/, /^[月日号]/.test(following) ? '' : '0');
  // 1688.00元
  const whole = /^(?:[美欧日港]?元|块)/.test(following) ? plain.replace(/\.00?$/, '') : plain;
  const isOrdinal = ordinalBefore.test(textBefore({ text, index }, MAX_LIST));
  const isCounted = !isOrdinal && !whole.includes('.') && !isDigitwise(whole, MAX_DIGITS);
  const numeral = isCounted ? chineseCounted(whole, following) : chineseNumeral(whole);
  return unit ? { end: unit.end, replacement: numeral + unit.name } : { end, replacement: numeral };
};

/** 1米75, 9秒58, 85折: two digits after a unit, or a price in tenths. */
export const rewriteHundredths: Rule = (context) => {
  const match = matchAt(hundredths, context.text, context.index);
  const isPart = match && (context.text[match.index + 2] === '折' || unitBefore.test(textBefore(context, 4)));
  return isPart ? { end: context.index + 2, replacement: chineseDigits(match[0]) } : undefined;
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

/** 第II卷, II型 */
export const rewriteRoman: Rule = ({ text, index }) => {
  const roman = romanAt(text, index, '型期级卷部章世类度代组篇节区阶相级冊册幕類級');
  return roman && { end: roman.end, replacement: chineseNumber(roman.digits) };
};

/** Digits of another script. */
export const rewriteOtherDigits: Rule = ({ text, index }) => {
  const digits = otherDigitsAt(text, index);
  return digits && { end: digits.end, replacement: chineseNumeral(digits.plain) };
};
