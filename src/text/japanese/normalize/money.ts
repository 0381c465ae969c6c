import { AMOUNT } from '../../cjk/number-patterns.ts';
import { SCALE, scaledAmount } from '../../cjk/scaled-amount.ts';
import { matchAt } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaMeasured, kanaNumber } from '../numbers.ts';
import { CURRENCIES } from '../units.ts';
import { myriadKana, myriadZeros } from './myriads.ts';
import { numeralKana } from './numerals.ts';
import type { Rule } from './rule.ts';

const withSign = new RegExp(`(US\\$|[¥￥$＄€£￡₩₹₽])\\s?(${AMOUNT})(${SCALE}|[万億兆]{0,2})`, 'y');
const withCode = new RegExp(`(JPY|USD|EUR|GBP)\\s?(${AMOUNT})`, 'y');

/** ¥1,200, $5.50, $3k */
export const rewriteCurrency: Rule = ({ text, index }) => {
  const match = matchAt(withSign, text, index);
  if (!match) return undefined;
  const [whole, sign, written, scale] = match as unknown as [string, string, string, string];
  const large = /[万億兆]/.test(scale) ? scale : '';
  const unit = /^[¥￥]$/.test(sign) ? '円' : '';
  const end = index + whole.length + (unit && text.startsWith(unit, index + whole.length) ? unit.length : 0);
  const isScaled = scale !== large;
  const spoken = moneyKana(isScaled ? scaledAmount(written, scale) : written, large, CURRENCIES[sign]!);
  return { end, spoken, replacement: '一円' };
};

/** USD 20 */
export const rewriteCurrencyCode: Rule = ({ text, index }) => {
  const match = matchAt(withCode, text, index);
  if (!match) return undefined;
  const spoken = moneyKana(match[2]!, '', CURRENCIES[match[1]!]!);
  return { end: index + match[0].length, spoken, replacement: '一円' };
};

function moneyKana(amount: string, large: string, [unit, part]: readonly [string, string]): string {
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.');
  if (fraction.length === 2 && large === '') {
    const cents = Number(fraction) === 0 ? '' : kanaMeasured(kanaNumber(fraction), part);
    return [Number(whole) === 0 && cents ? '' : countedKana(whole, unit), cents].filter(Boolean).join(' ');
  }
  return fraction ? numeralKana(amount) + myriadKana(large) + unit : countedKana(whole + myriadZeros(large), unit);
}

function countedKana(digits: string, unit: string): string {
  return unit === 'えん' ? kanaCounted(digits, '円') : kanaMeasured(kanaNumber(digits), unit);
}
