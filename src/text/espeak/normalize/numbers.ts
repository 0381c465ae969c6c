import type { Gender } from '../rules.ts';
import type { Language } from './rule.ts';
import type { WrittenNumber } from './written-numbers.ts';

/** Longer numbers are not exact, and are read digit by digit. */
const MAX_DIGITS = 15;

/**
 * A whole number in words.
 * @param gender of the noun that it counts; undefined if it stands alone
 * @param noun the word that follows
 */
export function cardinal(language: Language, digits: string, gender?: Gender, noun = ''): string {
  const { rules, spellOut } = language;
  const isDigitwise = digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'));
  const words = isDigitwise ? undefined : spellOut.say(Number(digits), rules.sets[gender ?? 'alone']);
  if (words === undefined) return digitByDigit(language, digits);
  return rules.correct ? rules.correct(words, gender ? noun : '') : words;
}

/** A number in words, with its decimals if it has some. */
export function decimal(language: Language, { whole, decimals, point }: WrittenNumber): string {
  if (decimals === '') return cardinal(language, whole);
  const { points, readDecimals } = language.rules;
  const [zeros] = /^0*/.exec(decimals)!;
  const rest = decimals.slice(zeros.length);
  const say = rest.length <= readDecimals ? cardinal : digitByDigit;
  return [
    cardinal(language, whole),
    points[point],
    digitByDigit(language, zeros),
    rest === '' ? '' : say(language, rest),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether the words of a whole number end in millions, which a preposition links to their noun. */
export function isMillions(whole: string): boolean {
  return whole.endsWith('000000') && Number(whole) > 0;
}

/** The digits of a number that counts, without the zero of `05`. */
export function withoutZero({ whole, decimals }: WrittenNumber): string {
  return decimals === '' ? whole.replace(/^0(?=[1-9]$)/, '') : whole;
}

export function digitByDigit({ rules, spellOut }: Language, digits: string): string {
  return [...digits].map((digit) => spellOut.say(Number(digit), rules.sets.alone) ?? '').join(' ');
}

/** @param suffix as written after the number; it tells the gender */
export function ordinal(language: Language, number: number, suffix = '', noun = ''): string {
  const { sets, ordinalGender, correctOrdinal } = language.rules;
  const words =
    language.spellOut.say(number, sets.ordinal[ordinalGender(suffix)]) ?? cardinal(language, String(number));
  return correctOrdinal ? correctOrdinal(words, suffix, noun) : words;
}

export function year(language: Language, digits: string): string {
  const { rules, spellOut } = language;
  return rules.year?.(Number(digits), (number, set) => spellOut.say(number, set)) ?? cardinal(language, digits);
}
