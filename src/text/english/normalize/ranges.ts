import { matchAt, textBefore } from '../../patterns.ts';

const month = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec';
const weekday = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?:[a-z]{0,6}day)?';
const dateBefore = new RegExp(
  String.raw`(?:(?:${month})[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?(?:, (?:19|20)\d\d)?|(?:19|20)\d\d)|\b\d{1,2}(?:st|nd|rd|th)? (?:${month})[a-z]*\.?|\d\s?[ap]\.?m\.?|\b(?:noon|midnight|BC|BCE|AD))$`,
  'i',
);
const dateAfter = new RegExp(
  String.raw`(?:(?:${weekday},? )?(?:(?:${month})[a-z]*\.? \d|\d{1,2}(?:st|nd|rd|th)? (?:${month}))|noon\b|midnight\b|AD \d|\d{1,2}(?::\d\d)?\s?[ap]\.?m|\d{1,4} (?:BC|AD))`,
  'iy',
);
const yearBefore = /(?<!\d)(?:19|20)\d\d$/;
/** `March – May 2026`; without the year it may be a pause. */
const monthBefore = new RegExp(String.raw`(?<!\p{L})(?:${month})[a-z]*\.?$`, 'u');
const monthOfYear = new RegExp(String.raw`(?:${month})[a-z]*\.?,? (?:19|20)\d\d(?!\d)`, 'y');
/** `2019-present`; after a space, it must end the parenthesis. */
const present = /(?:present|now|today|current|date)(?!\p{L})/iuy;
const presentAlone = /(?:present|now|today|current)(?=\s*(?:[),.;:|]|$))/iuy;
const weekdayBefore = new RegExp(String.raw`(?<!\p{L})${weekday}\.?$`, 'u');
const weekdayNext = new RegExp(String.raw`${weekday}(?!\p{L})`, 'uy');
const noonNext = /(?:noon|midnight)(?!\p{L})/uy;
const measureBefore = /\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)$/u;
const measureAfter = /[~$€£]?\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)(?![\p{L}\d])/uy;

const hoursNext = /\d{1,2}\s?h/y;
const partBefore = /(?<![\p{L}\d])\d{1,3}([a-z])$/u;
const partNext = /([a-z])(?![\p{L}\d])/uy;
/** The start of a range of clauses, or of characters in a regular expression: `2(b)(1)-(3)`, `[a-z0-9]` */
const listedBefore = /(?<![=+*^].{0,39})\(\w{1,3}\)$|(?:^|\s)[([]?\[\d{1,3}\]$|\[\^?(?:\w-\w){0,4}\w$/;
const listedAfter = /\(\w{1,3}\)(?![(=+*^!])|\[\d{1,3}\]|\w(?:\w-\w){0,4}\]/y;

/** A letter and a number at each end of a range: `Q1–Q3`. */
const lettered = /(?:^|[^\p{L}\d])(\p{Lu})(\d{1,2})\s?$/u;
const letteredNext = /\s?(\p{Lu}?)(\d{1,2})(?![\p{L}\d]|[-–]\d)/uy;

function joinsLettered(text: string, index: number, end: number): boolean {
  const [, letter, from] = lettered.exec(textBefore({ text, index }, 6)) ?? [];
  const [, nextLetter, to] = matchAt(letteredNext, text, end) ?? [];
  // `C5–6`; with a hyphen it may be a name.
  const isSame = letter === nextLetter || (nextLetter === '' && text[index] === '–');
  return letter !== undefined && isSame && Number(from) < Number(to);
}

/** Whether a dash joins two dates, times, eras, quarters, or numbers with the same unit: `10am–noon`, `5km-10km`. */
export function joinsRange(text: string, index: number, end: number): boolean {
  if (joinsLettered(text, index, end) || joinsParts(text, index, end) || joinsHours(text, index, end)) return true;
  const isSpaced = /\s/.test(text[index - 1] ?? '') && /\s/.test(text[end] ?? '');
  return isSpaced
    ? joinsTimes(text, index - 1, end + 1, presentAlone)
    : joinsTimes(text, index, end, present) || joinsListed(text, index, end) || joinsMeasures(text, index, end);
}

/** `Fig. 3a–c` */
function joinsParts(text: string, index: number, end: number): boolean {
  const [, part = ''] = partBefore.exec(textBefore({ text, index }, 5)) ?? [];
  return part !== '' && text[index] === '–' && (matchAt(partNext, text, end)?.[1] ?? '') > part;
}

/** `q4–6h` */
function joinsHours(text: string, index: number, end: number): boolean {
  return /(?<!\p{L})q\.?\d{1,2}$/u.test(textBefore({ text, index }, 5)) && matchAt(hoursNext, text, end) !== undefined;
}

/**
 * Whether a date, month, year or weekday ends at `index`, and what ends its range begins at `end`.
 * @param presentNext what ends a range that began with a year, and has not ended
 */
function joinsTimes(text: string, index: number, end: number, presentNext: RegExp): boolean {
  const view = textBefore({ text, index }, 40);
  const sides = [
    [dateBefore, dateAfter],
    [monthBefore, monthOfYear],
    [yearBefore, presentNext],
    [weekdayBefore, weekdayNext],
  ] as const;
  return sides.some(([before, after]) => before.test(view) && matchAt(after, text, end));
}

/** `2(b)(1)-(3)`, `[a-z0-9]`; `x[i-1]` subtracts. */
function joinsListed(text: string, index: number, end: number): boolean {
  const isOneKind = /\d/.test(text[index - 1] ?? '') === /\d/.test(text[end] ?? '');
  return (
    isOneKind && listedBefore.test(textBefore({ text, index }, 40)) && matchAt(listedAfter, text, end) !== undefined
  );
}

/** `10–noon`, `5km-10km` */
function joinsMeasures(text: string, index: number, end: number): boolean {
  const view = textBefore({ text, index }, 40);
  if (/\b\d{1,2}(?::\d\d)?$/.test(view) && matchAt(noonNext, text, end)) return true;
  const [, unit] = measureBefore.exec(view) ?? [];
  return unit !== undefined && matchAt(measureAfter, text, end)?.[1] === unit;
}
