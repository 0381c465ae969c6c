import { matchAt } from '../../patterns.ts';
import { ordinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const QUARTER = /([1-4])T(?=\s?(?:de\s)?(?:20)?\d\d(?![\p{L}\d]|[.,]\d))/uy;

/** Its number behind the letter: `T2 2024`. */
const QUARTER_BEHIND = /T([1-4])(?=\s(?:de\s)?20\d\d(?![\p{L}\d]|[.,]\d))/uy;

/** `2T 2024`, `2T24`: a quarter of a year. */
export function matchQuarter({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\d.,-]/u.test(text[index - 1] ?? '')) return undefined;
  const { quarter } = language.rules;
  const match = quarter ? (matchAt(QUARTER, text, index) ?? matchAt(QUARTER_BEHIND, text, index)) : undefined;
  return match
    ? { end: index + 2, words: `${ordinal(language, Number(match[1]), 'º', quarter)} ${quarter}` }
    : undefined;
}
