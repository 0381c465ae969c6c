import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { ratingAt } from '../../cjk/number-patterns.ts';
import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt } from '../../patterns.ts';
import { kanaCounted, kanaNumber } from '../numbers.ts';
import type { Rule } from './rule.ts';

const ratio = /(\d+):(\d+)(?![\d:])/y;
const score =
  /(?<=スコア[はが]?[:：]?\s?)(\d{1,2})\s?[-–]\s?(\d{1,2})(?!\d)|(\d{1,2})\s?[-–]\s?(\d{1,2})(?=\s?(?:で(?:勝|負|敗|引)|の(?:勝利|敗戦|引き分け|逆転|同点)))/y;

/** 16:9 */
export const rewriteRatio: Rule = ({ text, index }) => against(index, matchAt(ratio, text, index)?.[0]);

/** 3-2で勝つ */
export const rewriteScore: Rule = ({ text, index }) => against(index, matchAt(score, text, index)?.[0]);

function against(index: number, written: string | undefined): Rewrite | undefined {
  if (written === undefined) return undefined;
  const spoken = written.match(/\d+/g)!.map(kanaNumber).join('たい ');
  return { end: index + written.length, spoken, replacement: '二' };
}

/** ★★★☆☆: three of five stars. */
export const rewriteRating: Rule = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, spoken: `ほし ${kanaCounted(rating.stars, 'つ')}`, replacement: PLACEHOLDER };
};
