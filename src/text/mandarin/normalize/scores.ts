import { markOutOfAt } from '../../cjk/marks-out-of.ts';
import { ratingAt } from '../../cjk/number-patterns.ts';
import { type Compare, ratioRule, scorePattern, scoreRule } from '../../cjk/scores.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { chineseCounted } from '../measures.ts';
import { chineseNumeral } from './numerals.ts';
import type { Rule } from './rule.ts';

const score = scorePattern(
  '(?:中国|日本|韩国|巴西|德国|西班牙|法国|意大利|英格兰|阿根廷|葡萄牙|荷兰|皇马|巴萨|曼联|曼城|利物浦|切尔西|阿森纳|国安|申花|泰山|湖人|勇士)队?',
  '(?:比分|上半场|下半场|半场|全场|加时赛?|点球大?战?|第[\\d一二三四五]{1,2}[局盘节])[是为以]?',
  '获胜|取胜|战胜|击败|[大险小]胜|完胜|完败|逆转|力克|战平|打平|握手言和|不敌|负于|输给|落败|告负|领先|落后|拿下|[的总]?比分|的总比分|平(?![方均米])',
);

const against: Compare = (end, numbers) => ({ end, replacement: numbers.map(chineseNumeral).join('比') });

/** 16:9 */
export const rewriteRatio: Rule = ratioRule(against);

const namedScore = scoreRule(score, against);
const pair =
  /(\d{1,3})-(\d{1,3})(?=(\(\d{1,2}\))|$|[\s)）。，,、;；!！?？]|(\p{Script=Han})(?<![号室栋幢楼层班题页单章节课元分秒年月日岁人个万亿千百次度级米里斤克倍]))/uy;
/** Names that numbers with a hyphen belong to, and words before a range. */
const numberedBefore = /(?:[A-Za-z\d.\-–—/:第图表式修型号弄街路栋楼教册从由]|附录|章|节|练习|例)\s?$/;
/** Smaller numbers that fall are a part of a book or an address. */
const MIN_POINTS = 10;

/** 3-1获胜, 湖人112-108凯尔特人: a range would rise. */
export const rewriteScore: Rule = (context) => {
  const named = namedScore(context);
  if (named) return named;
  const [all, first = '', second = '', tieBreak, nameAfter] = matchAt(pair, context.text, context.index) ?? [];
  const before = textBefore(context, 2);
  if (all === undefined || Number(first) <= Number(second) || numberedBefore.test(before)) return undefined;
  const isBetweenNames = nameAfter !== undefined && /\p{Script=Han}$/u.test(before);
  const isScore = tieBreak !== undefined || isBetweenNames || Number(second) >= MIN_POINTS;
  return isScore ? against(context.index + all.length, [first, second]) : undefined;
};

/** 4.7/5 */
export const rewriteMarkOutOf: Rule = ({ text, index }) => {
  const found = markOutOfAt(text, index, '分');
  if (!found) return undefined;
  return { end: found.end, replacement: `${chineseNumeral(found.mark)}分，满分${chineseNumeral(found.best)}分` };
};

/** ★★★☆☆: three of five stars. */
export const rewriteRating: Rule = ({ text, index }) => {
  const rating = ratingAt(text, index);
  return rating && { end: rating.end, replacement: `${chineseCounted(rating.stars, '颗')}颗星` };
};
