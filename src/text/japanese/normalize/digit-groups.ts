import { matchAt } from '../../patterns.ts';
import { kanaDigits, kanaNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+\d{1,3}[- ]?)?(?:\(0\d{1,4}\)\s?|0\d{1,4}-)\d{1,4}-\d{3,4}(?!\d)|〒?\d{3}-\d{4}(?![\d-])/y;
const house = /[1-9]\d{0,2}(?:-\d{1,3}){2,3}(?![\d-]|\s?=)/y;

/** 03-1234-5678, 〒100-0001 */
export const rewritePhone: Rule = ({ text, index, options }) => {
  if (!options.phone_normalization || /[\d-]/.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(phone, text, index)?.[0];
  if (match === undefined) return undefined;
  const groups = match.match(/\d+/g)!.map(kanaDigits);
  const mark = match.startsWith('〒') ? 'ゆーびんばんごー ' : /^\+\d+[- ][1-9]/.test(match) ? 'ぷらす ' : '';
  return { end: index + match.length, spoken: mark + groups.join('の ') };
};

/** 1-2-3 in an address. */
export const rewriteHouse: Rule = ({ text, index }) => {
  const match = matchAt(house, text, index)?.[0];
  return match === undefined
    ? undefined
    : { end: index + match.length, spoken: match.split('-').map(kanaNumber).join('の '), replacement: '一' };
};
