import { clauseAround, isInEquation } from '../../equations.ts';
import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

/** The letter x by itself or beside a number. */
interface Letter extends Context {
  /** Index after it. */
  end: number;
}

/** The word for the letter; undefined if the rule does not know it. */
type Reading = 'by' | 'times' | undefined;

/** In this order: the first that knows the word wins. */
const readings: readonly ((letter: Letter) => Reading)[] = [betweenMeasures, ofCount, beforeDuration, afterNumber];

/** A letter for a times sign: `4x4`, `1920 x 1080`, `10x`. */
export function matchTimes(context: Context): Match | undefined {
  if (context.text[context.index] !== 'x') return undefined;
  const end = context.index + 1;
  const words = firstMatch(readings, { ...context, end });
  return words && { end, words };
}

const sideNext = /\s?\d/y;
const measureBefore = /(?:\d(?:["″”'’′](?: ?[WDHL])?|\s?(?:mm|cm|m|in|ft|px)\.?)|[½¼¾⅛⅜⅝⅞]) ?$/;

/** The sides of a box: `9" x 13"`, `30cm x 20cm`, `8" W x 5" D` */
function betweenMeasures(letter: Letter): Reading {
  return measureBefore.test(textBefore(letter, 8)) && matchAt(sideNext, letter.text, letter.end) ? 'by' : undefined;
}

const countNext = /(?:[2-9]|[1-9]\d|\s[2-9])(?=[,;:)]|\.(?!\d)|$)/y;
const countBefore = /(?:\p{Ll}{4}|\p{Ll}\))\s\(?$|\p{L}\s\($/u;

/** `oriented x3`, `(x2)`; not of an equation */
function ofCount(letter: Letter): Reading {
  const { text, end } = letter;
  const isCount = matchAt(countNext, text, end) && countBefore.test(textBefore(letter, 24));
  return isCount && !/=|\bx1\b|\by\d/i.test(text) ? 'times' : undefined;
}

const durationNext = /\s?\d{1,3}\s?(?:days?|d|weeks?|wks?|months?|hours?|hrs?|h|years?|yrs?|doses?)(?!\p{L})/uy;

/** `x 2 days` of a prescription or a complaint */
function beforeDuration(letter: Letter): Reading {
  return /\p{L}\s$/u.test(textBefore(letter, 2)) && matchAt(durationNext, letter.text, letter.end)
    ? 'times'
    : undefined;
}

/** In this order: the first that knows the word wins. */
const readingsAfterNumber: readonly ((letter: Letter) => Reading)[] = [beforePower, betweenNumbers, ofMultiple];

/** `4x4`, `10x` */
function afterNumber(letter: Letter): Reading {
  const isAfterNumber = /\d ?$/.test(textBefore(letter, 2)) && /^[\d.,]+$/.test(letter.previous);
  return isAfterNumber ? firstMatch(readingsAfterNumber, letter) : undefined;
}

const powerNext = /\s?10(?:\^|[⁰¹²³⁴-⁹⁻])/y;

/** `7.8 x10^9` */
function beforePower({ text, end }: Letter): Reading {
  return matchAt(powerNext, text, end) ? 'times' : undefined;
}

/** `4x4`; `2 x 3 = 6` multiplies. */
function betweenNumbers({ text, index, end }: Letter): Reading {
  if (!matchAt(sideNext, text, end)) return undefined;
  return isInEquation(...clauseAround(text, index)) ? 'times' : 'by';
}

/** A power, or another term of an equation: `4x²`, `3x + 2` */
const termNext = /\s?[=+*^×÷]|[²³⁴-⁹ⁿ]|\s[−-]\s/y;
const termBefore = /(?:[=+*^×÷]\s?|\^\([-−]?|(?<!\p{L})[fgh]\([-−]?)[\d.,]+$/u;

/** `10x`; `3x-5` is algebra, `2x-3x` a range. */
function ofMultiple(letter: Letter): Reading {
  const { text, end } = letter;
  const isAlone = /\d$/.test(textBefore(letter, 1)) && !/[\p{L}\d]/u.test(text[end] ?? '');
  const isVariable = /^[-−]\s?(?!\d{1,4}x(?![\p{L}\d]))[\p{L}\d(]/u.test(text.slice(end, end + 8));
  const isTerm = termBefore.test(textBefore(letter, 16)) || matchAt(termNext, text, end) !== undefined;
  return isAlone && !isVariable && !isTerm ? 'times' : undefined;
}
