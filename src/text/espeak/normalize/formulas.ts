import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const OPERAND = String.raw`(?:\d{1,9}(?:[.,]\d{1,9})?|\p{L}(?!\p{L})|[-+−*×·/^²³()₀-₉]|\s(?!\|))`;
const ABSOLUTE_VALUE = new RegExp(String.raw`\|(?![\s|])(?=${OPERAND}{1,24}\|(?!\|))`, 'uy');

/** The first bar of `|x - 3|`; the second one is silent. */
export function matchAbsoluteValue({ text, index, language, options }: Context): Match | undefined {
  const isOpen = options.replace_remaining_symbols && !/[\p{L}\p{M}\d|)]/u.test(text[index - 1] ?? '');
  if (!isOpen || !matchAt(ABSOLUTE_VALUE, text, index)) return undefined;
  return { end: index + 1, words: `${language.rules.symbols['|x|']} ` };
}

const DIVIDEND_BEFORE = /(?:(?<!\p{L})\p{Ll}|[)\]])\s$/u;
const MODULO = /%(?=\s(?:\d|\p{Ll}(?!\p{L})))/uy;

/** `i % 2`, not the percentage `50 %` */
export function matchModulo({ text, index, language }: Context): Match | undefined {
  const isOperator = matchAt(MODULO, text, index) && DIVIDEND_BEFORE.test(textBefore({ text, index }, 4));
  return isOperator ? { end: index + 1, words: language.rules.symbols.mod! } : undefined;
}

const FACTOR_BEFORE = /(?:(?<![\p{L}\d.,])[\d.,]{1,9}|(?<![\p{L}\p{M}·])\p{L})\s?$/u;
const DOT = /[·∙•](?=\s?(?:[\d.,]{1,9}(?![\p{L}\d])|\p{L}(?!\p{L})))/uy;

/** The dot of `3·5` and `a · b` */
export function matchProduct({ text, index, language }: Context): Match | undefined {
  const isProduct = matchAt(DOT, text, index) && FACTOR_BEFORE.test(textBefore({ text, index }, 12));
  return isProduct ? { end: index + 1, words: ` ${language.rules.symbols['×']} ` } : undefined;
}
