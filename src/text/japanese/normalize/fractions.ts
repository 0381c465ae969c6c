import { isPressureSlash } from '../../cjk/number-patterns.ts';
import { mixedNumberAt } from '../../cjk/powers.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { kanaNumber, NUMERAL } from '../numbers.ts';
import { monthAndDay } from './dates.ts';
import type { Rule } from './rule.ts';

const slashed = /(?<!\/)(\d{1,2})\/(\d{1,3})(?![\d/])/y;
const tenths = /(\d{1,2})割(\d)分(?:(\d)厘)?/y;
const battingAverage = /(?<=(?:打率|出塁率|長打率|勝率)[はが]?:?\s?)0?\.(\d)(\d)(\d)(?!\d)/y;
const weekdayAfter = /^\s?[(（]?[月火水木金土日]|^\s?[(（]祝/;

/** 4/12ページ is no day. */
const partAfter = /^\s?(?:ページ|頁|枚|問)/;

const pairBefore = /(?<![\d/])(\d{1,2})\/(\d{1,2})\s?(?:から|より|[〜~～-])\s?$/;
const pairAfter = /^\s?(?:から|より|[〜~～-])\s?(\d{1,2})\/(\d{1,2})(?![\d/])/;
const eventAfter =
  /^\s?(?:締め?切|〆切|発売|開催|必着|公開|開始|放送|更新|[^\s\d、。,.()]{1,6}(?:の日(?![数々本])|記念日|祝日))/;

/** Whether a day is written from `index` to `end`: next to a range's other end that is no fraction, or before an event. */
function isInDates(text: string, index: number, end: number): boolean {
  const after = text.slice(end, end + 10);
  const pair = pairBefore.exec(textBefore({ text, index }, 10)) ?? pairAfter.exec(after);
  if (!pair) return eventAfter.test(after);
  const own = text.slice(index, end).split('/');
  return [own, pair.slice(1)].some(([month, day]) => Number(day) > 10 || Number(month) >= Number(day));
}

/** 3割5分: a tenth of a 割, not minutes. */
export const rewriteTenths: Rule = ({ text, index }) => {
  const match = matchAt(tenths, text, index);
  return (
    match && { end: index + match[0].length, spoken: tenthsKana(match[1]!, match[2]!, match[3]), replacement: '一割' }
  );
};

/** 打率.310 is 3割1分. */
export const rewriteBattingAverage: Rule = ({ text, index }) => {
  const match = matchAt(battingAverage, text, index);
  if (!match) return undefined;
  const [whole, first, second, third] = match as unknown as [string, string, string, string];
  return { end: index + whole.length, spoken: tenthsKana(first, second, third), replacement: '一割' };
};

function tenthsKana(first: string, second: string, third = '0'): string {
  const parts = [
    [first, 'わり'],
    [second, 'ぶ'],
    [third, 'りん'],
  ] as const;
  const spoken = parts.map(([digit, unit]) => (digit === '0' ? '' : kanaNumber(digit) + unit)).filter(Boolean);
  return spoken.join(' ') || 'ぜろわり';
}

/** A day, if it can be one and the second number is an unusual denominator; else a fraction. */
export const rewriteSlashed: Rule = ({ text, index }) => {
  const match = matchAt(slashed, text, index);
  if (!match) return undefined;
  const [whole, first, second] = match as unknown as [string, string, string];
  if (isPressureSlash(text, index + first.length)) return undefined;
  const end = index + whole.length;
  const isDate = Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 31;
  if (whole === '24/7') return { end, spoken: 'にじゅーよん なな', replacement: NUMERAL };
  if (whole === '50/50') return { end, spoken: 'ふぃふてぃ ふぃふてぃ', replacement: NUMERAL };
  if (partAfter.test(text.slice(end, end + 3)))
    return { end, spoken: fractionKana(first, second), replacement: NUMERAL };
  const isPadded = first.startsWith('0') || second.startsWith('0');
  // 3/1 is no fraction, unless it is calculated.
  const isFirst = second === '1' && !/[=+*×÷(-]\s?$/.test(textBefore({ text, index }, 2));
  const isDay =
    isPadded ||
    isFirst ||
    Number(second) > 10 ||
    weekdayAfter.test(text.slice(end, end + 3)) ||
    isInDates(text, index, end);
  if (isDate && isDay) return monthAndDay(end, first, second);
  return { end, spoken: fractionKana(first, second), replacement: NUMERAL };
};

/** ½, 1½, 1 1/2 */
export const rewriteMixedNumber: Rule = ({ text, index }) => {
  const fraction = mixedNumberAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const before = whole === '' ? '' : `${kanaNumber(whole)}と `;
  return { end, spoken: before + fractionKana(above, below), replacement: NUMERAL };
};

function fractionKana(above: string, below: string): string {
  return `${kanaNumber(below)}ぶんの ${kanaNumber(above)}`;
}
