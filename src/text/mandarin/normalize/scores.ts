import { ratingAt } from '../../cjk/number-patterns.ts';
import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt } from '../../patterns.ts';
import { chineseCounted, chineseNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const ratio = /(\d+)[:：](\d+)(?![\d:：])/y;
const score =
  /(?<=比分[是为]?[:：]?\s?)(\d{1,2})\s?[-–]\s?(\d{1,2})(?!\d)|(\d{1,2})\s?[-–]\s?(\d{1,2})(?=\s?(?:获胜|取胜|战胜|击败|大胜|险胜|完胜|逆转|力克|战平|打平|不敌|负于|输给|落败|告负|领先|落后|(?:的|总)?比分|的总比分))/y;

/** 16:9 */
export const rewriteRatio: Rule = ({ text, index }) => against(index, matchAt(ratio, text, index)?.[0]);

/** 3-1获胜 */
export const rewriteScore: Rule = ({ text, index }) => against(index, matchAt(score, text, index)?.[0]);

function against(index: number, written: string | undefined): Rewrite | undefined {
  if (written === undefined) return undefined;
  return { end: index + written.length, replacement: written.match(/\d+/g)!.map(chineseNumber).join('比') };
}

/** ★★★☆☆: three of five stars. */
export const rewriteRating: Rule = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, replacement: `${chineseCounted(rating.stars, '颗')}颗星` };
};
