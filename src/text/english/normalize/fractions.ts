import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, fraction, ordinal } from './numbers.ts';
import { matchRatio } from './ratios.ts';
import type { Context, Match, Rule } from './rule.ts';
import { namedPairs, ofNext, type SlashedNumbers, slashedReadings } from './slashed-numbers.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [matchShares, matchShutter, matchMixed, matchSimple];

/** `1/2`, `3 3/4`, `24/7`, `16:9`; `120/80` of blood pressure, `6/8` of music, `6/2=3`. */
export function matchFraction(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

const evenPair = /(?:50-50|24-7|20-20(?=\s(?:vision|hindsight)))(?![\d%-])/y;
const shares = /(\d\d)-(\d\d)(?=\s(?:split|rule|chance|mix|blend|ratio|partnership)(?!\p{L}))/uy;

/** `50-50`, `a 60-40 split` */
function matchShares({ text, index }: Context): Match | undefined {
  const pair = matchAt(evenPair, text, index)?.[0];
  if (pair) return { end: index + pair.length, words: pair.split('-').map(cardinal).join(' ') };
  const [share, first, second] = matchAt(shares, text, index) ?? [];
  if (!share || !first || !second || Number(first) + Number(second) !== 100) return undefined;
  return { end: index + share.length, words: `${cardinal(first)} ${cardinal(second)}` };
}

/** The time that a shutter is open: `1/250s` */
const shutter = /1\/(\d{2,4})\s?s(?:ec(?:ond)?)?(?![\p{L}\d])/uy;

function matchShutter({ text, index }: Context): Match | undefined {
  const [exposure, part] = matchAt(shutter, text, index) ?? [];
  return exposure && part ? { end: index + exposure.length, words: `one ${ordinal(part)} of a second` } : undefined;
}

/** What a fraction ends before, maybe a measure without a space: `1/2lb` */
const fractionEnd = String.raw`(?=(?:lbs?|oz|in|inch(?:es)?|ft|tsp|tbsp|cups?|miles?|mi|gal|qt|pt|kg|km|cm|mm)(?!\p{L})|$|[^\p{L}\d/.]|\.(?!\d))`;
const mixedFraction = new RegExp(String.raw`(\d{1,9})[\s-](\d{1,3})[/⁄](\d{1,3})(?:ths?|rds?)?${fractionEnd}`, 'uy');

/** `3 3/4` */
function matchMixed({ text, index }: Context): Match | undefined {
  const [all, whole, numerator, denominator] = matchAt(mixedFraction, text, index) ?? [];
  if (!all || !whole || !numerator || !denominator) return undefined;
  const isProper = Number(numerator) > 0 && Number(numerator) < Number(denominator) && Number(denominator) <= 64;
  if (!isProper || Number(whole) === 0) return undefined;
  return { end: index + all.length, words: `${cardinal(whole)} and ${partOfMixed(numerator, denominator)}` };
}

const simpleFraction = new RegExp(
  String.raw`(\d{1,6})[/⁄](?!0\d)(\d{1,6})(?:(?<=(?<!\d)[1-9]\/\d{1,4})ths?|(?<=\/3)rds?|(?<=\/[345])s)?${fractionEnd}`,
  'uy',
);

/** `1/2`, and two numbers with a slash that are no fraction. */
function matchSimple(context: Context): Match | undefined {
  const [all, numerator, denominator] = matchAt(simpleFraction, context.text, context.index) ?? [];
  if (!all || !numerator || !denominator) return matchRatio(context);
  const numbers: SlashedNumbers = {
    ...context,
    all,
    end: context.index + all.length,
    numerator,
    denominator,
    first: Number(numerator),
    second: Number(denominator),
    joined: (words) => [cardinal(numerator), words, cardinal(denominator)].filter(Boolean).join(' '),
  };
  const match = firstMatch(slashedReadings, numbers);
  if (match !== undefined) return match ?? undefined;
  const words = isScore(numbers) ? numbers.joined('out of') : fraction(numerator, denominator);
  return { end: numbers.end, words: Object.hasOwn(namedPairs, all) ? namedPairs[all]! : words };
}

const scoreBefore =
  /\b(?:scor(?:e|ed|es|ing)|rat(?:e|ed|es|ing)|marks?|grades?|got|earned)(?: (?:it|him|her|them|a|an|of|only|just|at|is|was|and|with|\d{1,3}\/\d{1,3})){0,3} $/i;
const starsNext = /\sstars?(?!\p{L})/uy;

/** Whether points of a whole are meant: `7/10`, `scored 18/20`, `95/100`, `4/5 stars`. */
function isScore(numbers: SlashedNumbers): boolean {
  const { text, end, first: points, second: whole, numerator, denominator } = numbers;
  if ((denominator === '10' && numerator !== '1') || numerator === denominator) return true;
  if (points > whole || matchAt(ofNext, text, end)) return false;
  if (denominator === '100' && points > 1) return true;
  if (!/^(?:5|10)$/.test(denominator) && whole < 20) return false;
  return matchAt(starsNext, text, end) !== undefined || scoreBefore.test(textBefore(numbers, 32));
}

/** After a whole number: `and a half`, `and three quarters`. */
function partOfMixed(numerator: string, denominator: string): string {
  return numerator === '1'
    ? fraction('1', denominator)
        .replace(/^one/, 'a')
        .replace(/^a eigh/, 'an eigh')
    : fraction(numerator, denominator);
}

const fractionCharacters: Record<string, [string, string]> = {
  '½': ['1', '2'],
  '⅓': ['1', '3'],
  '⅔': ['2', '3'],
  '¼': ['1', '4'],
  '¾': ['3', '4'],
  '⅕': ['1', '5'],
  '⅖': ['2', '5'],
  '⅗': ['3', '5'],
  '⅘': ['4', '5'],
  '⅙': ['1', '6'],
  '⅚': ['5', '6'],
  '⅛': ['1', '8'],
  '⅜': ['3', '8'],
  '⅝': ['5', '8'],
  '⅞': ['7', '8'],
};
const wholeAndFraction = /(\d{1,9})\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])/y;

/** `½` by itself. */
export function matchFractionCharacter({ text, index }: Context): Match | undefined {
  const parts = fractionCharacters[text[index]!];
  return parts && { end: index + 1, words: fraction(...parts) };
}

/** `3½` */
export function matchWholeAndFraction({ text, index }: Context): Match | undefined {
  const match = matchAt(wholeAndFraction, text, index);
  if (!match) return undefined;
  return {
    end: index + match[0].length,
    words: `${cardinal(match[1]!)} and ${partOfMixed(...fractionCharacters[match[2]!]!)}`,
  };
}
