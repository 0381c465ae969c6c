import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';
import { PERIOD, perPeriod } from './unit-names.ts';

const SIDE = '\\d{1,5}(?:[.,]\\d{1,3})?';
const SIZE_AFTER = new RegExp(
  `[x×X]\\s?${SIDE}(?:\\s?[x×X]\\s?${SIDE}){0,2}\\s?(?:[mck]?m|px|in|pulgadas|pouces|pollici|polegadas|सेमी|मीटर|फुट|फीट)(?![\\p{L}\\d])`,
  'uy',
);
/** A blood pressure, in Brazil: `140x90 mmHg` */
const PRESSURE_AFTER = /[xX]\s?\d{2,3}\s?mm\s?Hg/y;
const LARGE_BEFORE = /(?<!\d)\d{3,5}\s?$/;
const LARGE_AFTER = /[x×X]\s?\d{3,5}(?!\d)/y;
/** A relay distance: 4x100 m. */
const FEW_BEFORE = /(?<![\d.,])(?:1?\d|20)\s?$/;
const DISTANCE_AFTER = /[x×X]\s?\d{3,4}\s?(?:m|metros|mètres|metri)(?![\p{L}\d])/uy;
/** A car. */
const FOUR_WHEELS = /(?<!\d)4\s?[xX]\s?4(?!\d)/;
const OUTCOMES = /(?<![\p{L}\d])1X2(?![\p{L}\d])/u;
/** 2x0 */
const NONE_SCORED = /(?<!\d)0\s?[xX]|[xX]\s?0(?!\d)/;
const GOALS_BEFORE = /(?<!\d)\d{1,2}\s?$/;
const GOALS_AFTER = /[xX]\s?\d{1,2}(?![\p{L}\d]|[.,x]\d|\s?[x=+*])/uy;
const TEAM_BEFORE = /(?<!\p{L})\p{Lu}[\p{L}\p{M}-]{1,20}\s\d{1,2}\s?$/u;
const TEAM_AFTER = /[xX]\s?\d{1,2}\s\p{Lu}\p{L}/uy;
const DECIDED_AFTER = /[xX]\s?\d{1,2}\s(?:nos pênaltis|no agregado|de virada|no tempo)/uy;
/** A side of a size with its unit: `20 cm x 30 cm`. */
const LENGTH_BEFORE = /\d\s?(?:[mck]?m|px|in)\s?$/u;
const LENGTH_AFTER = /[xX×]\s?(?:[LlHhP]\.?\s)?\d/y;
/** `8 h x 7`, `3 uds. x 2 €`, `3 x ₹2` */
const MEASURE_BEFORE = /\d\s?(?:[\p{L}\p{M}]{1,11}\.?|[€$£₹])\s$/u;
const NUMBER_AFTER = /[xX]\s(?:(?:R?\$|[€£₹])\s?)?\d/y;
const NUMBER_BEFORE = /\d\s?(?:[\p{L}\p{M}]{1,11}\.?|[€$£₹])?\s$/u;
const PRICE_AFTER = /[xX]\s(?:R?\$|[€£₹])\s?\d/y;
const TEN_NEXT = /\s?10(?:\^|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/y;
const UP_TO_BEFORE = /(?<!\p{L})(?:até|hasta|fino a|jusqu['’]à)\s$/iu;
const REPEATED = /([1-9]\d{0,2})\s?[xX](?![\p{L}\p{M}\d])/uy;

/** The x in `2x3`, `10x15 cm`, `Flamengo 3 x 1 Vasco`. */
export function matchTimes(context: Context): Match | undefined {
  const { text, index, language } = context;
  const end = index + 1;
  const { by, goals, over, range, symbols } = language.rules;
  const before = textBefore(context, 60);
  if (/[·⋅]/.test(text[index]!)) return multiplies(context) ? { end, words: ` ${symbols['×']} ` } : undefined;
  if (!/[xX×]/.test(text[index]!)) return undefined;
  // The bet on a home win, a draw or an away win.
  if (text[index] === 'X' && OUTCOMES.test(text.slice(Math.max(0, index - 2), index + 3))) return { end, words: ' X ' };
  if (/(?<!\d)24x7(?!\d)/.test(text.slice(Math.max(0, index - 3), index + 3))) return { end, words: ' ' };
  if (LENGTH_BEFORE.test(before) && matchAt(LENGTH_AFTER, text, index)) return { end, words: by ?? symbols['×']! };
  const isScore = goals && GOALS_BEFORE.test(before) && matchAt(GOALS_AFTER, text, index) !== undefined;
  const isAmount = matchAt(MEASURE_BEFORE.test(before) ? NUMBER_AFTER : PRICE_AFTER, text, index);
  if (isAmount && NUMBER_BEFORE.test(before)) return { end, words: symbols['×']! };
  if (!isBetweenNumbers(context, end) || (!isScore && isHexadecimal(context))) return undefined;
  if (over && matchAt(PRESSURE_AFTER, text, index)) return { end, words: over };
  const isSize =
    matchAt(SIZE_AFTER, text, index) ?? (LARGE_BEFORE.test(before) ? matchAt(LARGE_AFTER, text, index) : undefined);
  const isRepeated = FEW_BEFORE.test(before) && matchAt(DISTANCE_AFTER, text, index) !== undefined;
  if (by && isSize && !isRepeated) return { end, words: by };
  const isCar = FOUR_WHEELS.test(text.slice(Math.max(0, index - 3), index + 4));
  const isOfTeams = isScore && !isCar && TEAM_BEFORE.test(before) && matchAt(TEAM_AFTER, text, index) !== undefined;
  const isGoalless = isScore && NONE_SCORED.test(text.slice(Math.max(0, index - 2), index + 3));
  if (isOfTeams || isGoalless || (isScore && (goals.test(before) || matchAt(DECIDED_AFTER, text, index))))
    return { end, words: range };
  return text[index] === '×' ? undefined : { end, words: symbols['×']! };
}

const TIMES_A_PERIOD = new RegExp(`[x×](\\d{1,2})\\/(?=${PERIOD.source})`, 'uy');

/** `500 mg x2/j`: so many times a day. */
export function matchTimesAPeriod({ text, index, language }: Context): Match | undefined {
  const { repeated } = language.rules;
  const isAlone = /^$|[\s(]/.test(text[index - 1] ?? '');
  const [all, count = ''] = repeated && isAlone ? (matchAt(TIMES_A_PERIOD, text, index) ?? []) : [];
  const period = all === undefined ? undefined : matchAt(PERIOD, text, index + all.length)?.[0];
  if (all === undefined || !repeated || !period) return undefined;
  const noun = count === '1' ? repeated.one : repeated.many;
  const words = `${cardinal(language, count, 'feminine', noun)} ${noun} ${perPeriod(language, period)}`;
  return { end: index + all.length + period.length, words };
}

/** `12x de R$ 50`, `em até 6x`, `3x par jour`: so many times. */
export function matchRepeated({ text, index, language }: Context): Match | undefined {
  const match = /[\p{L}\d.,/%-]/u.test(text[index - 1] ?? '') ? undefined : matchAt(REPEATED, text, index);
  const { repeated } = language.rules;
  if (!match || !repeated) return undefined;
  const isUpTo = UP_TO_BEFORE.test(textBefore({ text, index }, 12));
  if (!isUpTo && !matchAt(repeated.next, text, index + match[0].length)) return undefined;
  const noun = match[1] === '1' ? repeated.one : repeated.many;
  return { end: index + match[0].length, words: `${cardinal(language, match[1]!, 'feminine', noun)} ${noun}` };
}

/** Whether a sign is between two numbers. */
export function isBetweenNumbers(context: Context, end: number): boolean {
  return isAfterNumber(context) && /^\s?\d/.test(context.text.slice(end, end + 2));
}

/** Whether a middle dot is a sign of multiplication: before a power of ten, or between spaces and numbers. */
function multiplies({ text, index }: Context): boolean {
  const isSpaced = /\d $/.test(textBefore({ text, index }, 2)) && /^ \d/.test(text.slice(index + 1, index + 3));
  return (
    isSpaced || (/\d\s?$/.test(textBefore({ text, index }, 2)) && matchAt(TEN_NEXT, text, index + 1) !== undefined)
  );
}

/** Whether the x begins a hexadecimal number: `0x40`. */
function isHexadecimal(context: Context): boolean {
  return context.text[context.index] === 'x' && /(?<![\d.,])0$/.test(textBefore(context, 2));
}
