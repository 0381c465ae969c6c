import { matchAt } from '../patterns.ts';
import type { Rule } from './rule.ts';
import type { Rewrite } from './spans.ts';

/** Not a standard and its year, ISO 9001:2008. */
const ratio = /(?!\d{4,6}[:：](?:19|20)\d\d(?!\d))(\d+)[:：](\d+)(?![\d:：]|\s?(?:美?元|[万億亿]))/y;
const points = String.raw`\d{1,3}\s?[-–]\s?\d{1,3}`;
const others = (sign: string) => String.raw`(?:${sign}\s?${points}){0,4}`;

/**
 * The pattern of two numbers of points with a hyphen, alone or in a list.
 * @param before pattern of the words before a score
 * @param after pattern of the words after a score
 */
export function scorePattern(before: string, after: string): RegExp {
  // With digits or units after the numbers it is a range.
  const first = String.raw`(?<=(?:${before})[:：]?\s?(?:${points}[、,，/]\s?){0,4})${points}(?![\d.:%]|\s?[分秒年月日歳岁话話章页頁])`;
  return new RegExp(`${first}|${points}(?=${others('[、,，/]')}\\s?(?:${after}))`, 'y');
}

/** Rewrites two numbers that a sign between `first` and `second` compares. */
export type Compare = (numbers: { end: number; first: string; second: string }) => Rewrite;

/** A rule for ratios: 16:9. */
export function ratioRule(compare: Compare): Rule {
  return ({ text, index }) => {
    const match = matchAt(ratio, text, index);
    return match && compare({ end: index + match[0].length, first: match[1]!, second: match[2]! });
  };
}

/** A rule for the numbers of points that a pattern of `scorePattern` finds. */
export function scoreRule(pattern: RegExp, compare: Compare): Rule {
  return ({ text, index }) => {
    const written = matchAt(pattern, text, index)?.[0];
    if (written === undefined) return undefined;
    const [first, second] = written.split(/\s?[-–]\s?/) as [string, string];
    return compare({ end: index + written.length, first, second });
  };
}
