import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const superscripts: Record<string, string> = {
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
};
/** Words that take an exponent: units and functions. */
const raised =
  /(?:^|[^\p{L}])(?:\p{L}{1,2}|deg|rad|sec|min|chi|sigma|sin|cos|tan|sec|csc|cot|log|inch|feet|foot|met(?:er|re)s?|miles?)$/u;
/** A text that calculates, so that digits after a word are not a footnote: `error² + bias²`, `5 acre²` */
const calculation = /[=+×·÷√π−*/]|\d\s\p{L}+[²³]/u;
/** `SO₄²⁻` */
const ion = /([⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2})([⁺⁻])(?![⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ])/y;
const power =
  /(?:\^\s?|\*\*\s?(?=\d{1,9}(?![\d:])|\p{L}(?!\p{L})|\())(?:([23])(?![\p{L}\d^]|[.,]\d)|(?=[\p{L}\d({+-]))/uy;
const caretIon = /\^(\d?)([+-])(?![\p{L}\d(])/uy;
const elementBefore = /(?<![\p{L}])(?:[A-Z][a-z]?\d{0,2}){1,4}\)?$/u;

/** What raises to a power: `x^2`, `2**n`; the charge of an ion: `Ca^2+`. */
export function matchPower(text: string, index: number): Match | undefined {
  const [charged, charge = '', sign] = matchAt(caretIon, text, index) ?? [];
  if (charged && elementBefore.test(textBefore({ text, index }, 12))) {
    return {
      end: index + charged.length,
      words: `${charge && `${cardinal(charge)} `}${sign === '+' ? 'plus' : 'minus'}`,
    };
  }
  const [raised, digit] = matchAt(power, text, index) ?? [];
  if (raised === undefined) return undefined;
  const words = digit === '2' ? 'squared' : digit === '3' ? 'cubed' : 'to the power of';
  return { end: index + raised.length, words };
}

const superscriptRun = /([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20})/y;
/** `2ⁿ`, `xⁿ⁺¹` */
const unknownExponent = /([⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3})([ⁿⁱʸˣᵏᵐᵗ])(?:([⁺⁻])([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))?(?!\p{L})/uy;

/** An exponent with an unknown, after a number, an unknown or a bracket. */
export function matchUnknownExponent({ text, index }: Context): Match | undefined {
  if (!/(?:[\d)]|(?<!\p{L})\p{L})$/u.test(textBefore({ text, index }, 2))) return undefined;
  const [all, factor = '', unknown = '', sign, term = ''] = matchAt(unknownExponent, text, index) ?? [];
  if (all === undefined) return undefined;
  const number = (digits: string) => cardinal(digits.normalize('NFKC'));
  const words = [factor && number(factor), unknown.normalize('NFKC').toUpperCase()];
  if (sign) words.push(sign === '⁺' ? 'plus' : 'minus', number(term));
  return { end: index + all.length, words: `to the power of ${words.filter(Boolean).join(' ')}` };
}

/** An exponent in small digits; silent if it is a footnote. */
export function matchSuperscript(text: string, index: number): Match | undefined {
  const [charged, charge = '', ionSign] = /[\p{L}\d₀-₉)]$/u.test(text.slice(0, index).slice(-1))
    ? (matchAt(ion, text, index) ?? [])
    : [];
  if (charged !== undefined) {
    const amount = charge && `${cardinal(charge.normalize('NFKC'))} `;
    return { end: index + charged.length, words: amount + (ionSign === '⁺' ? 'plus' : 'minus') };
  }
  const [run, sign, power] = matchAt(superscriptRun, text, index) ?? [];
  if (run === undefined) return undefined;
  const digits = Array.from(power!, (each) => superscripts[each]).join('');
  // A footnote.
  const before = textBefore({ text, index }, 12);
  const isAfterWord = /\p{L}$/u.test(before) && !raised.test(before) && !calculation.test(text);
  if (sign === '' && (/[.,;:!?…"”’]$/.test(before) || isAfterWord)) return { end: index + run.length, words: '' };
  // `¹⁴C`
  if (sign === '' && !/[\p{L}\p{N})\]]$/u.test(before) && /^\p{Lu}/u.test(text.slice(index + run.length))) {
    return { end: index + run.length, words: cardinal(digits) };
  }
  if (sign === '⁻') return { end: index + run.length, words: `to the power of minus ${cardinal(digits)}` };
  const words = digits === '2' ? 'squared' : digits === '3' ? 'cubed' : `to the power of ${cardinal(digits)}`;
  return { end: index + run.length, words };
}
