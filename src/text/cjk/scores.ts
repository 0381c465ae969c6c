import { matchAt } from '../patterns.ts';

const points = String.raw`\d{1,3}\s?[-–]\s?\d{1,3}`;
const others = (sign: string) => String.raw`(?:${sign}\s?${points}){0,4}`;

/**
 * The pattern of two numbers of points with a hyphen, alone or in a list.
 * @param before pattern of what tells a score before it
 * @param after pattern of what tells a score behind it
 */
export function scorePattern(before: string, after: string): RegExp {
  // Digits and units behind the numbers tell a range.
  const first = String.raw`(?<=(?:${before})[:：]?\s?(?:${points}[、,，/]\s?){0,4})${points}(?![\d.:%]|\s?[分秒年月日歳岁话話章页頁])`;
  return new RegExp(`${first}|${points}(?=${others('[、,，/]')}\\s?(?:${after}))`, 'y');
}

/** The two numbers of a score at an index. */
export function scoreAt(
  pattern: RegExp,
  text: string,
  index: number,
): { end: number; first: string; second: string } | undefined {
  const written = matchAt(pattern, text, index)?.[0];
  if (written === undefined) return undefined;
  const [first, second] = written.split(/\s?[-–]\s?/) as [string, string];
  return { end: index + written.length, first, second };
}
