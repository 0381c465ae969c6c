import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { counterAt, kanaApproximate } from '../counters.ts';
import { kanjiDigits } from '../numbers.ts';
import { countedReplacement } from './numerals.ts';
import type { Rule } from './rule.ts';

const inDigits = /([1-8])[、,・]([2-9])(?![\d.,])/y;
const inKanji = /([一二三四五六七八])、([二三四五六七八九])([十万]?)/y;

/** 2、3日: "two or three". */
export const rewriteApproximate: Rule = ({ text, index }) => {
  const match = matchAt(inDigits, text, index);
  if (!match || Number(match[2]) !== Number(match[1]) + 1 || !isOneNumber(text, index, index + match[0].length))
    return undefined;
  return withCounter(text, index + match[0].length, kanjiDigits(match[1]! + match[2]!));
};

/** 二、三日 */
export const rewriteApproximateKanji: Rule = ({ text, index }) => {
  const match = matchAt(inKanji, text, index);
  if (!match || /[第〇一二三四五六七八九十百千万]/.test(text[index - 1] ?? '')) return undefined;
  const [whole, first, second, unit] = match as unknown as [string, string, string, string];
  // Ten or twenty is 十、二十: this is a list's first line.
  if (first === '一' && unit === '十') return undefined;
  return withCounter(text, index + whole.length, first + second + unit);
};

/** Whether neither number is part of another one: 第2、3章, 1対1、2対1, 3分の1、2分の1. */
function isOneNumber(text: string, start: number, end: number): boolean {
  return (
    !/(?:第|対|分の)$/.test(textBefore({ text, index: start }, 2)) && !/^(?:対|分の)\d/.test(text.slice(end, end + 3))
  );
}

function withCounter(text: string, end: number, numerals: string): Rewrite | undefined {
  const counter = counterAt(text, end);
  if (counter === undefined) return undefined;
  const spoken = kanaApproximate(numerals, counter);
  const counterEnd = end + counter.length;
  return spoken
    ? { end: counterEnd, spoken, replacement: countedReplacement(text, counterEnd, numerals, counter) }
    : undefined;
}
