import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';
import { PERIOD, perPeriod } from './unit-names.ts';

/** A character that may be a sign of multiplication. */
interface Sign extends Context {
  /** Index after it. */
  end: number;
  before: string;
}

/** The words for the sign; undefined if the rule does not know them. */
type Reading = string | undefined;

/** In this order: the first that knows the words wins. */
const READINGS: readonly ((sign: Sign) => Reading)[] = [
  ofMiddleDot,
  ofBet,
  aroundTheClock,
  betweenLengths,
  ofAmount,
  betweenNumbers,
];

/** The x in `2x3`, `10x15 cm`, `Flamengo 3 x 1 Vasco`. */
export function matchTimes(context: Context): Match | undefined {
  if (!/[xX×·⋅]/.test(context.text[context.index]!)) return undefined;
  const end = context.index + 1;
  const words = firstMatch(READINGS, { ...context, end, before: textBefore(context, 60) });
  return words === undefined ? undefined : { end, words };
}

const TEN_NEXT = /\s?10(?:\^|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/y;

/** Before a power of ten, or between spaces and numbers: `6·10²³`, `2 · 3` */
function ofMiddleDot(sign: Sign): Reading {
  const { text, index, end, language, before } = sign;
  if (!/[·⋅]/.test(text[index]!)) return undefined;
  const isSpaced = /\d $/.test(before) && /^ \d/.test(text.slice(end, end + 2));
  const isBeforePower = isAfterNumber(sign) && matchAt(TEN_NEXT, text, end);
  return isSpaced || isBeforePower ? ` ${language.rules.symbols['×']} ` : undefined;
}

const OUTCOMES = /(?<![\p{L}\d])1X2(?![\p{L}\d])/u;

/** The bet on a home win, a draw or an away win: `1X2` */
function ofBet({ text, index }: Sign): Reading {
  return text[index] === 'X' && OUTCOMES.test(text.slice(Math.max(0, index - 2), index + 3)) ? ' X ' : undefined;
}

/** `24x7` */
function aroundTheClock({ text, index }: Sign): Reading {
  return /(?<!\d)24x7(?!\d)/.test(text.slice(Math.max(0, index - 3), index + 3)) ? ' ' : undefined;
}

const LENGTH_BEFORE = /\d\s?(?:[mck]?m|px|in)\s?$/u;
const LENGTH_AFTER = /[xX×]\s?(?:[LlHhP]\.?\s)?\d/y;

/** Sides of a size with their units: `20 cm x 30 cm` */
function betweenLengths({ text, index, language, before }: Sign): Reading {
  const { by, symbols } = language.rules;
  return LENGTH_BEFORE.test(before) && matchAt(LENGTH_AFTER, text, index) ? (by ?? symbols['×']) : undefined;
}

const MEASURE_BEFORE = /\d\s?(?:[\p{L}\p{M}]{1,11}\.?|[€$£₹])\s$/u;
const NUMBER_AFTER = /[xX]\s(?:(?:R?\$|[€£₹])\s?)?\d/y;
const NUMBER_BEFORE = /\d\s?(?:[\p{L}\p{M}]{1,11}\.?|[€$£₹])?\s$/u;
const PRICE_AFTER = /[xX]\s(?:R?\$|[€£₹])\s?\d/y;

/** `8 h x 7`, `3 uds. x 2 €`, `3 x ₹2` */
function ofAmount({ text, index, language, before }: Sign): Reading {
  const isAmount = matchAt(MEASURE_BEFORE.test(before) ? NUMBER_AFTER : PRICE_AFTER, text, index);
  return isAmount && NUMBER_BEFORE.test(before) ? language.rules.symbols['×'] : undefined;
}

/** In this order: the first that knows the words wins. */
const READINGS_BETWEEN_NUMBERS: readonly ((sign: Sign) => Reading)[] = [ofPressure, ofSize, ofScore, ofLetter];

/** `2x3`, not the hexadecimal number `0x40` */
function betweenNumbers(sign: Sign): Reading {
  const isHexadecimal = sign.text[sign.index] === 'x' && /(?<![\d.,])0$/.test(textBefore(sign, 2));
  const isRead = isBetweenNumbers(sign, sign.end) && (!isHexadecimal || mayBeScore(sign));
  return isRead ? firstMatch(READINGS_BETWEEN_NUMBERS, sign) : undefined;
}

const PRESSURE_AFTER = /[xX]\s?\d{2,3}\s?mm\s?Hg/y;

/** A blood pressure, in Brazil: `140x90 mmHg` */
function ofPressure({ text, index, language }: Sign): Reading {
  return matchAt(PRESSURE_AFTER, text, index) ? language.rules.over : undefined;
}

const SIDE = '\\d{1,5}(?:[.,]\\d{1,3})?';
const SIZE_AFTER = new RegExp(
  `[x×X]\\s?${SIDE}(?:\\s?[x×X]\\s?${SIDE}){0,2}\\s?(?:[mck]?m|px|in|pulgadas|pouces|pollici|polegadas|सेमी|मीटर|फुट|फीट)(?![\\p{L}\\d])`,
  'uy',
);
const LARGE_BEFORE = /(?<!\d)\d{3,5}\s?$/;
const LARGE_AFTER = /[x×X]\s?\d{3,5}(?!\d)/y;
/** Three sides, not the product `24 = 12x2x1`. */
const SIDES_BEFORE = new RegExp(`(?<![\\p{L}\\d.,]|=\\s?)(?=\\d\\d)${SIDE}([xX]${SIDE})?$`, 'u');
const SIDES_AFTER = new RegExp(`(?:[xX]${SIDE}){1,2}(?![\\p{L}\\d]|\\s?=)`, 'uy');
/** A relay distance: 4x100 m. */
const FEW_BEFORE = /(?<![\d.,])(?:1?\d|20)\s?$/;
const DISTANCE_AFTER = /[x×X]\s?\d{3,4}\s?(?:m|metros|mètres|metri)(?![\p{L}\d])/uy;

/** `10x15 cm`, `1920x1080`; not the relay `4x100 m` */
function ofSize({ text, index, language, before }: Sign): Reading {
  const isLarge = LARGE_BEFORE.test(before) && matchAt(LARGE_AFTER, text, index);
  if (!isLarge && !isOfThreeSides(text, index) && !matchAt(SIZE_AFTER, text, index)) return undefined;
  const isRepeated = FEW_BEFORE.test(before) && matchAt(DISTANCE_AFTER, text, index);
  return isRepeated ? undefined : language.rules.by;
}

/** `20x15x10` */
function isOfThreeSides(text: string, index: number): boolean {
  const before = SIDES_BEFORE.exec(textBefore({ text, index }, 24))?.[0].split(/[xX]/).length ?? 0;
  const after = matchAt(SIDES_AFTER, text, index)?.[0].split(/[xX]/).length ?? 0;
  return before > 0 && before + after === 4;
}

const FOUR_WHEELS = /(?<!\d)4\s?[xX]\s?4(?!\d)/;
/** 2x0 */
const NONE_SCORED = /(?<!\d)0\s?[xX]|[xX]\s?0(?!\d)/;
const TEAM_BEFORE = /(?<!\p{L})\p{Lu}[\p{L}\p{M}-]{1,20}\s\d{1,2}\s?$/u;
const TEAM_AFTER = /[xX]\s?\d{1,2}\s\p{Lu}\p{L}/uy;
const DECIDED_AFTER = /[xX]\s?\d{1,2}\s(?:nos pênaltis|no agregado|de virada|no tempo)/uy;

/** `Flamengo 3 x 1 Vasco`, `2x0`; not the car `4x4` */
function ofScore(sign: Sign): Reading {
  if (!mayBeScore(sign)) return undefined;
  const { text, index, language, before } = sign;
  const { goals, range } = language.rules;
  const isCar = FOUR_WHEELS.test(text.slice(Math.max(0, index - 3), index + 4));
  const isOfTeams = !isCar && TEAM_BEFORE.test(before) && matchAt(TEAM_AFTER, text, index);
  const isGoalless = NONE_SCORED.test(text.slice(Math.max(0, index - 2), index + 3));
  const isTold = goals?.test(before) || matchAt(DECIDED_AFTER, text, index);
  return isOfTeams || isGoalless || isTold ? range : undefined;
}

const GOALS_BEFORE = /(?<!\d)\d{1,2}\s?$/;
const GOALS_AFTER = /[xX]\s?\d{1,2}(?![\p{L}\d]|[.,x]\d|\s?[x=+*])/uy;

/** Whether goals are possible on both sides, in a language that writes scores so. */
function mayBeScore({ text, index, language, before }: Sign): boolean {
  const hasScores = language.rules.goals !== undefined;
  return hasScores && GOALS_BEFORE.test(before) && matchAt(GOALS_AFTER, text, index) !== undefined;
}

/** IT60X0542 */
const CODE_BEFORE = /\p{Lu}\d{1,20}$/u;

/** `2x3`; other rules read `×`. */
function ofLetter({ text, index, language, before }: Sign): Reading {
  if (text[index] === 'X' && CODE_BEFORE.test(before)) return undefined;
  return /[xX]/.test(text[index]!) ? language.rules.symbols['×'] : undefined;
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

const UP_TO_BEFORE = /(?<!\p{L})(?:até|hasta|fino a|jusqu['’]à)\s$/iu;
const REPEATED = /([1-9]\d{0,2})\s?[xX](?![\p{L}\p{M}\d])/uy;

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
