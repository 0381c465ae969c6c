import { matchAt, textBefore } from '../patterns.ts';

/** The pattern of a number with commas and a decimal point. */
export const AMOUNT = String.raw`(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?`;

/** What follows a unit in Latin letters: no letter, and a digit only if it begins an amount of a smaller unit, as in 3kg200g. */
export const UNIT_END = String.raw`(?![A-Za-z]|\d(?!\d{0,3}(?:g|mg|cm|mm|m|ml|mL)(?![A-Za-z\d])))`;

const range = new RegExp(
  `[~～〜]\\s?(?=(?:令和|平成|昭和|午前|午後|翌日?|約|上午|下午|次日|[AaPp][Mm]\\s?)?[-−+]?[¥￥$€£]?${AMOUNT}|(?:令和|平成|昭和)元年|第\\d)|[-–—](?=(?:US|HK|NT)?[¥￥$€£]?${AMOUNT}(?![\\d.]*-\\d))|(?<=[年月日代前]\\s)[-–—]\\s(?=\\d{1,5}[年月日]|現在|至今)|(?<=\\d/\\d{1,2}\\s)[-–—]\\s(?=\\d{1,4}/\\d)|(?<=\\d[:：]\\d\\d\\s)[-–—]\\s(?=\\d{1,2}[:：]\\d\\d)`,
  'y',
);
const version = /\d+(?:\.\d+){2,}/y;
const namedVersion = /[A-Za-z]\d{1,3}\.\d{1,3}$/;
const modelNumber = /[A-Za-z]\d{1,2}-\d{4}/;
const pressureBefore = /(?:血[圧压壓]|BP)[^\d/。、，,]{0,5}\d{2,3}$/;
const rating = /(★{1,10})☆{0,9}(?![★☆])/y;

/** The version at an index: 1.2.3. */
export function versionAt(text: string, index: number): string | undefined {
  return matchAt(version, text, index)?.[0];
}

/**
 * The sign at an index that may mean a range: it does if a value ends at `start`, before it or before the space before a
 * tilde. After the version or the number of a name it does not: Qwen2.5-7B, i5-13500.
 */
export function rangeSignAt(text: string, index: number): { start: number; end: number } | undefined {
  const sign = matchAt(range, text, index)?.[0];
  if (sign === undefined || namedVersion.test(textBefore({ text, index }, 8))) return undefined;
  if (modelNumber.test(text.slice(Math.max(0, index - 3), index + 5))) return undefined;
  const isSpaced = !/[-–—]$/.test(sign) && /\s/.test(text[index - 1] ?? '');
  return { start: isSpaced ? index - 1 : index, end: index + sign.length };
}

/** Whether the slash at an index is between the two numbers of a blood pressure: 血圧は120/80. */
export function isPressureSlash(text: string, index: number): boolean {
  return pressureBefore.test(textBefore({ text, index }, 12)) && /^\/\d{2,3}(?!\d)/.test(text.slice(index, index + 5));
}

/** The rating at an index: ★★★☆☆ has three stars. */
export function ratingAt(text: string, index: number): { end: number; stars: string } | undefined {
  const match = matchAt(rating, text, index);
  if (!match || match[0].length < 2 || /[★☆]/.test(text[index - 1] ?? '')) return undefined;
  return { end: index + match[0].length, stars: String(match[1]!.length) };
}
