import { matchAt, textBefore } from '../patterns.ts';
import type { Rule } from './rule.ts';
import type { Rewrite } from './spans.ts';

/** Not a standard and its year, ISO 9001:2008. */
const ratio =
  /(?!\d{4,6}[:：](?:19|20)\d\d(?!\d))(\d+(?:\.\d+)?(?:[:：]\d+(?:\.\d+)?){1,4})(?![\d:：]|\.\d|\s?(?:美?元|[万億亿]))/y;
const points = String.raw`\d{1,3}\s?[-–−]\s?\d{1,3}`;
const others = (sign: string) => String.raw`(?:${sign}\s?${points}){0,4}`;

/**
 * The pattern of two numbers of points with a hyphen, alone or in a list.
 * @param teams pattern of the names of teams, two of which have their score between them
 * @param before pattern of the words before a score
 * @param after pattern of the words after a score
 */
export function scorePattern(teams: string, before: string, after: string): RegExp {
  // With digits or units after the numbers it is a range.
  const first = String.raw`(?<=(?:${before})[:：]?\s?(?:${points}[、,，/]\s?){0,4})${points}(?![\d.:%]|\s?[分秒年月日歳岁话話章页頁])`;
  const between = `(?<=(?:${teams})\\s?)${points}(?=\\s?(?:${teams}))`;
  return new RegExp(`${between}|${first}|${points}(?=${others('[、,，/]')}\\s?(?:${after}))`, 'y');
}

/** Rewrites numbers up to `end` that a sign between them compares. */
export type Compare = (end: number, numbers: readonly string[]) => Rewrite;

/** A rule for ratios: 16:9, 3:2:1. */
export function ratioRule(compare: Compare): Rule {
  return ({ text, index }) => {
    const match = matchAt(ratio, text, index);
    return match && compare(index + match[0].length, match[1]!.split(/[:：]/));
  };
}

/** Pairs of a list, of which one falls, so that they are no ranges: 21-19、18-21 */
const listedBefore = new RegExp(`(?:(?<!\\d)${points}[、,，]\\s?){0,6}$`);
const listed = new RegExp(
  `${points}(?:[、,，]\\s?${points}){0,6}(?![\\d.:%]|\\s?[分秒年月日歳岁话話章页頁元円天])`,
  'y',
);

function isInScores(text: string, index: number): boolean {
  const before = listedBefore.exec(textBefore({ text, index }, 60))?.[0] ?? '';
  const pairs = (before + (matchAt(listed, text, index)?.[0] ?? '')).split(/[、,，]\s?/).filter(Boolean);
  return (
    pairs.length > 1 &&
    pairs.some((pair) => {
      const [first, second] = pair.split(/\s?[-–−]\s?/);
      return Number(first) > Number(second);
    })
  );
}

const pair = new RegExp(points, 'y');

/** A rule for the numbers of points that a pattern of `scorePattern` finds. */
export function scoreRule(pattern: RegExp, compare: Compare): Rule {
  return ({ text, index }) => {
    const written =
      matchAt(pattern, text, index)?.[0] ?? (isInScores(text, index) ? matchAt(pair, text, index)?.[0] : undefined);
    if (written === undefined) return undefined;
    return compare(index + written.length, written.split(/\s?[-–−]\s?/));
  };
}
