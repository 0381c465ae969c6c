import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const SUBSCRIPT = /[₀-₉]{1,15}/y;

/** `H₂O` */
export function matchSubscript({ text, index, language }: Context): Match | undefined {
  const match = matchAt(SUBSCRIPT, text, index)?.[0];
  return match ? { end: index + match.length, words: cardinal(language, match.normalize('NFKC')) } : undefined;
}

const UNKNOWN_EXPONENT = /([⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3})([ⁿⁱˣᵏᵐ])(?:([⁺⁻])([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))?(?!\p{L})/uy;
const BASE_BEFORE = /(?:[\d)]|(?<!\p{L})\p{L})$/u;

/** `2ⁿ`, `xⁿ⁺¹` */
export function matchUnknownExponent(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (!BASE_BEFORE.test(textBefore(context, 2))) return undefined;
  const [all, factor = '', unknown = '', sign, term = ''] = matchAt(UNKNOWN_EXPONENT, text, index) ?? [];
  if (all === undefined) return undefined;
  const { minus, plus, power } = language.rules;
  const number = (digits: string) => cardinal(language, digits.normalize('NFKC'));
  const words = [power, factor && number(factor), unknown.normalize('NFKC')];
  if (sign) words.push(sign === '⁺' ? plus : minus, number(term));
  return { end: index + all.length, words: words.filter(Boolean).join(' ') };
}

const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,⁻–-][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,3}/y;
const WORD_BEFORE = /\p{L}[\p{L}\p{M}]{2,}[.,;:!?»"”]?$|[\p{L}\p{M}][.,;:!?»"”]$/u;
/** Words that take an exponent: lengths and functions. */
const MEASURE_BEFORE =
  /(?:m[eèé]tr(?:es?|os?|i)|m[eéè]ters?|met(?:re|er)s?|pieds?|piedi|pies|pulgadas?|pouces?|pollic[ei]|polegadas?|millas?|miles?|migli[ao]|milhas?|मीटर|फ़?फ?ुट|alpha|beta|gamma|delta|theta|sigma|lambda|omega|log|tan|sinh?|cosh?|rad|seg|sec)$/iu;
/** A text that calculates. */
const CALCULATION = /[=+×÷√π−*]/;

/** The number of a footnote: `la fin¹`, `gènes² ³.` */
export function matchFootnote({ text, index }: Context): Match | undefined {
  const raised = matchAt(RAISED, text, index)?.[0];
  if (!raised || CALCULATION.test(text)) return undefined;
  const before = textBefore({ text, index }, 16).replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹,]*\s?$/, '');
  const isNote = WORD_BEFORE.test(before) && !MEASURE_BEFORE.test(before);
  return isNote ? { end: index + raised.length, words: '' } : undefined;
}
