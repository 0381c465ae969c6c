import { textBefore } from '../patterns.ts';

const operandBefore = /(?:[\d)²³]|(?<![A-Za-z])[A-Za-z])\s?$/;
const operandAfter = /^\s?(?:[\d(]|[A-Za-z](?![A-Za-z]))/;
const side = String.raw`(?:[\d\s.,+×÷*/()²³^−-]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])){0,40}`;
const equalsBefore = new RegExp(`=${side}$`);
const equalsAfter = new RegExp(`^${side}=`);
const MAX_SIDE = 42;
/** `n-1`, `x - 3`, `9x - 14`, `x² - y`: after an unknown. Capitals may name other things. */
const unknownBefore =
  /(?<![A-Za-z\d.@/_'-])[dhijkmnpqrtxyz]$|(?:(?<![A-Za-z.@/_'-])[xyznk]|[A-Za-z](?:\^\d{1,2}|[²³])) $|(?<![A-Za-z])\d{0,3}[xyzn]$/;
const termAfter = /^ ?(?:\d{1,3}(?![\d./:-])[xyznk]?(?![A-Za-z])|[a-z](?![A-Za-z]))/;
/** `(1-0)^2` */
const raisedAfter = /^ ?\d{1,6}(?:\.\d{1,6})?\) ?(?:\^|[²³])/;

/** Words of calculation in Chinese and Japanese. */
const calculation = '计算(?!机)|算式|运算|等于|减[去法掉号]|相减|計算(?!機)|引き算|[引ひ]く(?!い)|答えは|イコール';
const spacedBefore = /(?<![\d./-]|\d:)\d{1,15}(?:\.\d{1,15})? $/;
const spacedAfter = /^ \d{1,15}(?:\.\d{1,15})?(?![\d:/-]|\.\d)/;
const unitAfter = /^\s?[\p{L}%％]/u;
const terms = String.raw`[\d\s.+×÷*/()−-]{0,40}`;
const calculationBefore = new RegExp(`(?:${calculation})[^\\d.!?。！？]{0,6}${terms}$`);
const calculationAfter = new RegExp(`^${terms}[はをのが的]?\\s?(?:${calculation})`);
const operatorBefore = new RegExp(String.raw`[\d)]\s?[+×÷*]\s?${terms}$`);
const operatorAfter = new RegExp(String.raw`^${terms}[+×÷*]\s?[\d(]`);

/**
 * Whether a hyphen or minus sign subtracts: in a calculation with an equals sign, or between spaced numbers next to a word
 * or another sign of calculation. Between others it may mean a range or a score.
 */
export function isMinus(text: string, index: number): boolean {
  const before = textBefore({ text, index }, MAX_SIDE);
  const after = text.slice(index + 1, index + 1 + MAX_SIDE);
  if (!operandBefore.test(before) || !operandAfter.test(after)) return false;
  if ((unknownBefore.test(before) && termAfter.test(after)) || raisedAfter.test(after)) return true;
  return text[index] === '−' || equalsAfter.test(after) || equalsBefore.test(before) || isSpaced(before, after);
}

const timesBefore = /(?:[\d)]|\d[ckm]?m) ?$/;
const timesAfter = /^ ?[\d(]/;
/** The prefix of a hexadecimal number: 0x1F. */
const hexadecimalBefore = /(?<!\d)0$/;

/** Whether an asterisk or an x multiplies: between numbers. */
export function isTimes(text: string, index: number): boolean {
  const before = textBefore({ text, index }, 4);
  if (text[index] !== '*' && hexadecimalBefore.test(before)) return false;
  return timesBefore.test(before) && timesAfter.test(text.slice(index + 1, index + 3));
}

function isSpaced(before: string, after: string): boolean {
  const second = spacedAfter.exec(after)?.[0];
  if (second === undefined || !spacedBefore.test(before)) return false;
  if (calculationAfter.test(after)) return true;
  if (unitAfter.test(after.slice(second.length))) return false;
  return calculationBefore.test(before) || operatorBefore.test(before) || operatorAfter.test(after);
}
