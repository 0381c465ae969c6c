import { matchAt } from '../patterns.ts';
import { romanToDigits } from '../roman-numerals.ts';

const numeral = /[IVX]{1,6}(?![A-Za-z\d])/y;

/**
 * The Roman numeral at an index before a counter: II in 第II部 and II型. A single V or X is a letter, as in V型, unless 第
 * precedes it.
 * @param counters the characters that may follow it
 */
export function romanAt(
  text: string,
  index: number,
  counters: string,
): { end: number; digits: string; counter: string } | undefined {
  const written = matchAt(numeral, text, index)?.[0];
  if (written === undefined || /[A-Za-z\d]/.test(text[index - 1] ?? '')) return undefined;
  const end = index + written.length;
  const counter = text[end] ?? '';
  const isNumeral = text[index - 1] === '第' || !/^[VX]$/.test(written);
  const digits = romanToDigits(written);
  return digits !== undefined && isNumeral && counter !== '' && counters.includes(counter)
    ? { end, digits, counter }
    : undefined;
}
