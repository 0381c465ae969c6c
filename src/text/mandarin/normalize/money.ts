import { AMOUNT } from '../../cjk/number-patterns.ts';
import { SCALE, scaledAmount } from '../../cjk/scaled-amount.ts';
import { anyOf, matchAt } from '../../patterns.ts';
import { chineseCounted } from '../measures.ts';
import { chineseDigits } from '../numbers.ts';
import { CURRENCIES } from '../units.ts';
import { chineseNumeral } from './numerals.ts';
import type { Rule } from './rule.ts';

/** The end of a range whose sign is before its beginning: ¥500～1000, $10-20; it has no unit of its own. */
const rangeEnd = new RegExp(`[~～〜–-]\\s?(${AMOUNT})([万亿]{0,2})(?![\\d.%％/~～〜-]|\\s?[\\p{L}年月日])`, 'uy');
/** The pattern of a sign or code of a currency. */
export const CURRENCY = anyOf(Object.keys(CURRENCIES));
const currency = new RegExp(`(${CURRENCY})\\s?(${AMOUNT})(${SCALE}|[万亿]{0,2})`, 'y');

/** ¥5.50, US$3亿, $3k */
export const rewriteCurrency: Rule = ({ text, index }) => {
  const match = matchAt(currency, text, index);
  if (!match) return undefined;
  const [whole, sign, written, scale] = match as unknown as [string, string, string, string];
  const unit = CURRENCIES[sign]!;
  const large = /[万亿]/.test(scale) ? scale : '';
  const value = large === '' && scale !== '' ? scaledAmount(written, scale) : written;
  const [amount = '', cents = ''] = value.replaceAll(',', '').split('.');
  const to = scale === large ? matchAt(rangeEnd, text, index + whole.length) : undefined;
  if (to) {
    const last = chineseCounted(to[1]!.replaceAll(',', ''), to[2] || unit) + to[2]! + unit;
    return { end: index + whole.length + to[0].length, replacement: `${chineseNumeral(written)}${large}到${last}` };
  }
  const end = index + whole.length + (text.startsWith(unit, index + whole.length) ? unit.length : 0);
  if (unit === '元' && cents.length === 2 && scale === '') return { end, replacement: yuan(amount, cents) };
  const number = Number(cents) > 0 ? chineseNumeral(value) : chineseCounted(amount, large || unit);
  return { end, replacement: number + large + unit };
};

function yuan(whole: string, cents: string): string {
  const [jiao, fen] = [...cents] as [string, string];
  const parts = [
    Number(whole) === 0 && Number(cents) > 0 ? '' : `${chineseCounted(whole, '元')}元`,
    jiao === '0' ? (fen === '0' ? '' : '零') : `${chineseDigits(jiao)}角`,
    fen === '0' ? '' : `${chineseDigits(fen)}分`,
  ];
  return parts.join('').replace(/^零/, '');
}
