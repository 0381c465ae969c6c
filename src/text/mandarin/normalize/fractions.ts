import { isPressureSlash } from '../../cjk/number-patterns.ts';
import { vulgarFractionAt } from '../../cjk/powers.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { chineseDigits, chineseNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const slashed = /(?<!\/)(\d+)\/(\d+)(?![\d/])/y;

/** A day, if it can be one and the second number is an unusual denominator; else a fraction. */
export const rewriteSlashed: Rule = ({ text, index }) => {
  const match = matchAt(slashed, text, index);
  if (!match) return undefined;
  const [whole, first, second] = match as unknown as [string, string, string];
  const end = index + whole.length;
  if (isPressureSlash(text, index + first.length)) return undefined;
  // 24/7, and the two trains 6415/6416.
  if (whole === '24/7') return { end, replacement: '二十四，七' };
  if (first.length > 3 && Number(second) === Number(first) + 1)
    return { end, replacement: `${chineseDigits(first)}，${chineseDigits(second)}` };
  const isResult = /[=＝+*×÷(-]\s?$/.test(textBefore({ text, index }, 2));
  const isDate = !isResult && Number(first) >= 1 && Number(first) <= 12 && Number(second) > 10 && Number(second) <= 31;
  const replacement = isDate ? `${chineseNumber(first)}月${chineseNumber(second)}日` : chineseFraction(first, second);
  return { end, replacement };
};

/** ½, 1½ */
export const rewriteVulgarFraction: Rule = ({ text, index }) => {
  const fraction = vulgarFractionAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const mixed = whole === '' ? '' : `${chineseNumber(whole)}又`;
  return { end, replacement: mixed + chineseFraction(above, below) };
};

function chineseFraction(above: string, below: string): string {
  return `${chineseNumber(below)}分之${chineseNumber(above)}`;
}
