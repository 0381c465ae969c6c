import { vulgarFractionAt } from '../../cjk/powers.ts';
import { matchAt } from '../../patterns.ts';
import { kanaNumber, kanjiNumber } from '../numbers.ts';
import { monthAndDay } from './dates.ts';
import type { Rule } from './rule.ts';

const slashed = /(?<!\/)(\d{1,2})\/(\d{1,3})(?![\d/])/y;
const weekdayAfter = /^\s?[(（]?[月火水木金土日]/;

/** A day, if it can be one and the second number is an unusual denominator; else a fraction. */
export const rewriteSlashed: Rule = ({ text, index }) => {
  const match = matchAt(slashed, text, index);
  if (!match) return undefined;
  const [whole, first, second] = match as unknown as [string, string, string];
  const end = index + whole.length;
  const isDate = Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 31;
  if (isDate && (Number(second) > 10 || weekdayAfter.test(text.slice(end, end + 3))))
    return monthAndDay(end, first, second);
  return { end, spoken: fractionKana(first, second), replacement: kanjiNumber(first) };
};

/** ½, 1½ */
export const rewriteVulgarFraction: Rule = ({ text, index }) => {
  const fraction = vulgarFractionAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const mixed = whole === '' ? '' : `${kanaNumber(whole)}と `;
  return { end, spoken: mixed + fractionKana(above, below), replacement: '一' };
};

function fractionKana(above: string, below: string): string {
  return `${kanaNumber(below)}ぶんの ${kanaNumber(above)}`;
}
