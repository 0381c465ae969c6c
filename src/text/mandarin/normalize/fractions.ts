import { isPressureSlash } from '../../cjk/number-patterns.ts';
import { mixedNumberAt } from '../../cjk/powers.ts';
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
  if (whole === '50/50') return { end, replacement: '五十比五十' };
  if (whole === '24/7') return { end, replacement: '二十四，七' };
  if (first.length > 3 && Number(second) === Number(first) + 1)
    return { end, replacement: `${chineseDigits(first)}，${chineseDigits(second)}` };
  const isResult = /[=＝+*×÷(-]\s?$/.test(textBefore({ text, index }, 2));
  // 3/1 is no fraction.
  const isDayNumber = second === '1' || (Number(second) > 10 && Number(second) <= 31);
  const isDate = !isResult && Number(first) >= 1 && Number(first) <= 12 && isDayNumber;
  const replacement = isDate ? `${chineseNumber(first)}月${chineseNumber(second)}日` : chineseFraction(first, second);
  return { end, replacement };
};

const counted = /(\d{1,4})\/(\d{1,4})(页|步|章|节|课|集|部分|关|张|题|轮|期|层)/y;
const steps = /(\d{1,3})\/(\d{1,3})(?![\d/])/y;

/** How many of a whole: 第4/12页, 12/18层, 步骤1/3. */
export const rewriteOutOf: Rule = (context) => {
  const { text, index } = context;
  const isStep = /步骤\s?$/.test(textBefore(context, 3));
  const [all, part = '', whole = '', noun = ''] = matchAt(isStep ? steps : counted, text, index) ?? [];
  if (!isStep && noun !== '层' && text[index - 1] !== '第') return undefined;
  if (all === undefined || Number(part) > Number(whole)) return undefined;
  const total = `共${chineseNumber(whole)}${isStep ? '步' : noun}`;
  return { end: index + all.length, replacement: `${chineseNumber(part)}${noun}，${total}` };
};

/** ½, 1½, 1 1/2 */
export const rewriteMixedNumber: Rule = ({ text, index }) => {
  const fraction = mixedNumberAt(text, index);
  if (!fraction) return undefined;
  const { end, whole, above, below } = fraction;
  const mixed = whole === '' ? '' : `${chineseNumber(whole)}又`;
  return { end, replacement: mixed + chineseFraction(above, below) };
};

function chineseFraction(above: string, below: string): string {
  return `${chineseNumber(below)}分之${chineseNumber(above)}`;
}
