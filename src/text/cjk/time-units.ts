import { textBefore } from '../patterns.ts';

/** Before these a number and its letter name a model. */
const nameBefore = /(?:[A-Za-z第]|小米|红米|荣耀|苹果|华为)\s?$/;
/** Before these they name a model, too: 4s店. */
const nameAfter = /^\s?(?:店|版|系列|手机|代|シリーズ|モデル)/;
/** The beginning of a printf format: %.250s. */
const format = /(?<!\d)%[-+]?(?:\d{0,3}\.)?$/;
const decade = /^(?:[5-9]|\d{3})0$/;

/**
 * Whether h, min or s after a number is a unit of time: not in names (iPhone 6s), formats and decades (90s).
 * @param start where the number begins
 * @param end where it ends
 * @param unit with the space before it
 */
export function isTimeUnit(text: string, start: number, end: number, unit: string): boolean {
  const before = textBefore({ text, index: start }, 6);
  if (nameBefore.test(before) || format.test(before)) return false;
  if (unit.trim() !== 's') return true;
  const after = end + unit.length;
  return !decade.test(text.slice(start, end)) && !nameAfter.test(text.slice(after, after + 5));
}
