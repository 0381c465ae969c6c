import { AMOUNT } from '../../cjk/number-patterns.ts';
import { SCALE, scaledAmount } from '../../cjk/scaled-amount.ts';
import { anyOf, matchAt } from '../../patterns.ts';
import { kanaCounted } from '../counters.ts';
import { kanaMeasured, kanaNumber } from '../numbers.ts';
import { CURRENCIES } from '../units.ts';
import { myriadKana, myriadZeros } from './myriads.ts';
import { numeralKana } from './numerals.ts';
import type { Rule } from './rule.ts';

/** The pattern of a sign or code of a currency. */
export const CURRENCY = anyOf(Object.keys(CURRENCIES));

const money = new RegExp(`(${CURRENCY})\\s?(${AMOUNT})(${SCALE}|[万億兆]{0,2})`, 'y');

/** ¥1,200, $5.50, $3k, USD 20 */
export const rewriteCurrency: Rule = ({ text, index }) => {
  const match = /[A-Za-z]/.test(text[index - 1] ?? '') ? undefined : matchAt(money, text, index);
  if (!match) return undefined;
  const [whole, sign, written, scale] = match as unknown as [string, string, string, string];
  const large = /[万億兆]/.test(scale) ? scale : '';
  const unit = /^[¥￥]$/.test(sign) ? '円' : '';
  const end = index + whole.length + (unit && text.startsWith(unit, index + whole.length) ? unit.length : 0);
  const isScaled = scale !== large;
  const spoken = moneyKana(isScaled ? scaledAmount(written, scale) : written, large, CURRENCIES[sign]!);
  return { end, spoken, replacement: '一円' };
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
