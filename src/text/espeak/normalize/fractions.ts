import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import type { Gender } from '../rules.ts';
import { countedNounAt } from './counted-nouns.ts';
import { cardinal, ordinal } from './numbers.ts';
import { type Context, type Language, type Match, nextWord } from './rule.ts';
import { unitNounAt } from './unit-names.ts';

const FRACTION = /\d{1,3}\/\d{1,3}(?![\d/])|[¼½¾⅓⅔⅕-⅞]/y;
/** Of the denominator: 8/10e, 3/4s */
const SUFFIX = /(?:i?[eèé]mes?|es?|s|ᵉˢ?)(?!\p{L})/uy;
/** A counted noun, and *and*, before a half. */
const NOUN_AND_BEFORE = /(?:\d\s?|(?<!\p{L})u(?:n['’]?[ae]?|ma)\s?)(?:(\p{L}{1,12})\s)?(?:(y|e|et)\s)?$/iu;
const RESULT_NEXT = /\s?=\s?\d/y;
const MIXED =
  /(\d{1,3})(?:\s(?=\d)|\s(?:e|y|et)\s(?=(?:1\/[234]|2\/3|3\/4)\s\p{L})|\s?(?=\D))(\d{1,2}\/\d{1,2}(?![\d/])|[¼½¾⅓⅔⅕-⅞])/uy;

const ROUND_NEXT = /\sfinales?(?!\p{L})/uy;
const ROUND_OF_NEXT = /\sde finale(?!\p{L})/uy;
const PLURAL_BEFORE = /(?<!\p{L})(?:les|des|aux|ces)\s$/iu;

/** `3/4`, `½` */
export function matchFraction(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = matchAt(FRACTION, text, index)?.[0];
  if (!match) return undefined;
  const suffix = matchAt(SUFFIX, text, index + match.length)?.[0] ?? '';
  const end = index + match.length + suffix.length;
  const [above, below] = partsOf(match);
  const { articleBefore, genderOf, half, of, symbols } = language.rules;
  const noun = unitNounAt(context, end) ?? countedNounAt(context, end);
  const gender = genderOf(noun?.one.split(' ')[0] ?? nextWord(context, end));
  const special =
    (above === 1 && below === 2 && !noun ? halfBehindNoun(context, end) : undefined) ??
    partsOfWhole(context, above, below, end) ??
    (above === 1 ? roundOfFinal(context, below, end) : undefined);
  if (special) return { end, words: special };
  const halfWords = above === 1 && below === 2 && gender ? half?.[gender] : undefined;
  const name =
    halfWords ?? lookUp(symbols, match) ?? fraction(language, above, below) ?? unnamed(language, match, suffix);
  if (name === undefined) return quotient(context, end, above, below);
  // Un 1/4 de litro, el 1/3 de los votos, une 1/2 heure
  const words = articleBefore?.test(textBefore(context, 6)) ? name.replace(/^(?:une?|um) /, '') : name;
  // Media cucharada, tres cuartos de cucharada.
  return noun
    ? { end: noun.end, words: `${words} ${halfWords ? noun.one : of(noun.one)}${noun.stop}` }
    : { end, words };
}

/** `1/2 finale`, `les 1/8 de finale` */
function roundOfFinal(context: Context, below: number, end: number): string | undefined {
  const { text, language } = context;
  const { round } = language.rules;
  const named = round && matchAt(ROUND_NEXT, text, end) ? round(below) : undefined;
  const arePlural = round && matchAt(ROUND_OF_NEXT, text, end) && PLURAL_BEFORE.test(textBefore(context, 5));
  return named ?? (arePlural ? `${ordinalPart(language, below)}s` : undefined);
}

/** `10/2 = 5`: a division with its result. */
function quotient(context: Context, end: number, above: number, below: number): Match | undefined {
  const { language, text } = context;
  if (!matchAt(RESULT_NEXT, text, end)) return undefined;
  return {
    end,
    words: `${cardinal(language, String(above))} ${language.rules.symbols['÷']} ${cardinal(language, String(below))}`,
  };
}

/** The half of `1 hora y 1/2`, `2 e 1/2`, `3 h 1/2`, if no noun follows. */
function halfBehindNoun(context: Context, end: number): string | undefined {
  const { halfBehind, halfFollowsHours, genderOf, countable } = context.language.rules;
  const next = nextWord(context, end);
  if (!halfBehind || (genderOf(next) !== undefined && countable?.test(next))) return undefined;
  const match = NOUN_AND_BEFORE.exec(textBefore(context, 30));
  if (!match) return undefined;
  const [, noun = '', and] = match;
  const isHour = /^(?:h|hs|hrs)$/.test(noun);
  if (noun === '' ? !and : !and && !(halfFollowsHours && isHour)) return undefined;
  const gender = isHour ? 'feminine' : genderOf(noun);
  const half = halfBehind[noun === '' ? 'masculine' : (gender ?? 'masculine')];
  return noun === '' || gender ? `${and ? '' : `${context.language.rules.and} `}${half}` : undefined;
}

/** Fractions of *partes*: tres cuartas partes. */
function partsOfWhole(context: Context, above: number, below: number, end: number): string | undefined {
  const { language } = context;
  const { parts, sets } = language.rules;
  if (!parts?.test(nextWord(context, end)) || below < 3 || below > 10) return undefined;
  const name = language.spellOut.say(below, sets.ordinal.feminine);
  const count = above < below ? language.spellOut.say(above, sets.feminine) : undefined;
  return name && count && `${count} ${name}${above === 1 ? '' : 's'}`;
}

/** `2 1/2 tazas`, `1½ heure`. The noun comes before the fraction: *dos tazas y media*, two cups and a half. */
export function matchMixed(context: Context): Match | undefined {
  const { text, index, language } = context;
  const match = /[\d.,/-]/.test(text[index - 1] ?? '') ? undefined : matchAt(MIXED, text, index);
  if (!match) return undefined;
  const { halfBehind, and, mixed } = language.rules;
  const end = index + match[0].length;
  const [, whole = '', part = ''] = match;
  const [above, below] = partsOf(part);
  if (above >= below) return undefined;
  const special = mixed?.(Number(whole), above, below, (number) => cardinal(language, String(number)));
  if (special) return { end, words: special };
  const { gender, noun } = mixedNoun(context, end, Number(whole) > 1);
  const isHalf = above === 1 && below === 2;
  const name = isHalf && halfBehind ? halfBehind[gender ?? 'masculine'] : fraction(language, above, below);
  if (!name) return undefined;
  if (!noun) return { end, words: `${cardinal(language, whole, gender)} ${and} ${name}` };
  const words = `${cardinal(language, whole, gender, noun.words)} ${noun.words} ${and} ${name}${noun.stop}`;
  return { end: noun.end, words };
}

interface MixedNoun {
  gender?: Gender | undefined;
  /** Undefined if it is not said before the fraction. */
  noun?: { words: string; end: number; stop: string } | undefined;
}

/** The noun after a mixed number. Other words may follow: 2½ sur 5. */
function mixedNoun(context: Context, end: number, isMany: boolean): MixedNoun {
  const { text, language } = context;
  const { countable, genderOf, genderOfMany, singular } = language.rules;
  const genderOfNoun = (one: string, many: string) =>
    (isMany ? genderOfMany?.(many) : undefined) ?? genderOf((isMany ? many : one).split(' ')[0]!);
  const abbreviated = unitNounAt(context, end) ?? countedNounAt(context, end);
  if (abbreviated) {
    const gender = genderOfNoun(abbreviated.one, abbreviated.many);
    const words = isMany ? abbreviated.many : abbreviated.one;
    return { gender, noun: gender && { words, end: abbreviated.end, stop: abbreviated.stop } };
  }
  const next = nextWord(context, end);
  if (genderOf(next) === undefined || !countable?.test(next)) return {};
  const gender = genderOfNoun(singular?.(next) ?? next, next);
  const words = isMany ? next : singular?.(next);
  return {
    gender,
    noun: gender && words ? { words, end: text.indexOf(next, end) + next.length, stop: '' } : undefined,
  };
}

function fraction(language: Language, above: number, below: number): string | undefined {
  return language.rules.fraction(above, below, (number) => ordinal(language, number));
}

/** `1/100ème`, `⅛`: parts without a name of their own, if only a fraction is written so. */
function unnamed(language: Language, written: string, suffix: string): string | undefined {
  const [above, below] = partsOf(written);
  const count = cardinal(language, String(above));
  if (/[eᵉ]/.test(suffix)) return `${count} ${ordinal(language, below)}${above > 1 ? 's' : ''}`;
  if (written.includes('/')) return undefined;
  return `${count} ${language.rules.symbols['/']} ${cardinal(language, String(below))}`;
}

/** The name of one part, without its count. */
function ordinalPart(language: Language, below: number): string {
  return fraction(language, 1, below)?.replace(/^une? /, '') ?? ordinal(language, below);
}

/** The numbers of `1/2` or `½`. */
function partsOf(written: string): [above: number, below: number] {
  const [above, below] = written.normalize('NFKC').split(/[/⁄]/);
  return [Number(above), Number(below)];
}
