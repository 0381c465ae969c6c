import { matchAt, textBefore } from '../patterns.ts';

const pattern = /(\d{1,3}(?:\.\d{1,2})?)\/(5|10|100)(?:[点分](?![\d之钟鐘間间]))?(?![\d/.])/y;
const named = /(?:評価|点数|採点|得点|レビュー|评分|評分|打分|得分|评价)[はがを为是]?[:：]?\s?$/;

/** A mark and the best one at an index: `4.7/5`, `评分4/5`. */
export function markOutOfAt(
  text: string,
  index: number,
  unit: '点' | '分',
): { end: number; mark: string; best: string } | undefined {
  const [written, mark = '', best = ''] = matchAt(pattern, text, index) ?? [];
  if (written === undefined || Number(mark) > Number(best)) return undefined;
  const isMark = mark.includes('.') || written.endsWith(unit) || named.test(textBefore({ text, index }, 10));
  return isMark ? { end: index + written.length, mark, best } : undefined;
}
