import { matchAt, textBefore } from '../../patterns.ts';
import { currencySign } from './money.ts';
import type { Match } from './rule.ts';
import { matchPower, matchSuperscript, matchUnknownExponent } from './superscripts.ts';
import type { SymbolContext } from './symbol-rule.ts';

const sign = new RegExp(String.raw`[-−+±](?=(?:(?:${currencySign})\s?)?\.?\d)`, 'y');

/** The sign of a number: `-5`, `+$3`, `±2` */
export function matchSign({ text, index, character, before, end }: SymbolContext): Match | undefined {
  if (!matchAt(sign, text, index) || /[\p{L}\p{N})\]%°¢€£¥$"'’.″′]/u.test(before)) return undefined;
  if (character === '+') return { end, words: 'plus' };
  return { end, words: character === '±' ? 'plus or minus' : 'minus' };
}

/** An exponent in small characters: `x²`, `2ⁿ` */
export function matchExponent(symbol: SymbolContext): Match | undefined {
  return matchUnknownExponent(symbol) ?? matchSuperscript(symbol.text, symbol.index);
}

/** `x^2`, `2**n`, `x ** 2`; not `bold** text`, whose mark is alone. */
export function matchRaised({ text, index, before, say }: SymbolContext): Match | undefined {
  const isBeforeSpace = text.startsWith('** ', index);
  const isSpaced = isBeforeSpace && before === ' ';
  if (isBeforeSpace && !isSpaced) return undefined;
  if (!/[\p{L}\d)|\]]/u.test(isSpaced ? (text[index - 2] ?? '') : before)) return undefined;
  const raised = matchPower(text, index);
  return raised && say(raised.words, raised.end);
}

const sideNext =
  /\s?\d[\d.]{0,6}(?:\s?×\s?\d[\d.]{0,6})?\s?(?:mm|cm|m|in|inch(?:es)?|ft|feet|px|pixels|meters?|metres?|matri(?:x|ces)|grid|table|board|array)(?!\p{L})/uy;

/** `3 × 4`, `2*x`, `4 × 6 inches` */
export function matchProduct(symbol: SymbolContext): Match | undefined {
  const { text, character, end, say } = symbol;
  const isBetweenDigits = isAfterDigit(symbol) && /^\s?[-−.]?\d/.test(text.slice(end, end + 3));
  switch (character) {
    case '×':
      if (isSide(symbol) || isSquare(symbol)) return say('by');
      return isBetweenDigits && matchAt(sideNext, text, end) && !text.includes('=') ? say('by') : undefined;
    case '·':
      return say('times');
    case '*':
      return isBetweenDigits || isProduct(symbol) ? say('times') : undefined;
    default:
      return undefined;
  }
}

/** Whether a sign stands between two lengths with marks: `9" × 13"`. */
function isSide(symbol: SymbolContext): boolean {
  const { text, end } = symbol;
  return /\d["″”'’′]\s?$/.test(textBefore(symbol, 3)) && /^\s?\d/.test(text.slice(end, end + 2));
}

/** Whether a sign stands between the sides of a square without units: `3×3`, but not in an equation. */
function isSquare({ text, index, end }: SymbolContext): boolean {
  const around = text.slice(Math.max(0, index - 3), end + 3);
  return /(?<![\d.])(\d{1,2})×\1(?![\d.])/.test(around) && !text.includes('=');
}

const factorBefore = /(?:[\d)\]]|(?<![\p{L}\d'’])\p{L})\s?$/u;
const factorAfter = /\s?(?:[\d(]|\p{L}(?!\p{L})|[A-Za-z_]\w{0,20}[[(])/uy;

/** Whether an asterisk multiplies: `b[i] * c[j]`, `2*x`; `s*x` hides a letter. */
function isProduct(symbol: SymbolContext): boolean {
  const { text, before, after, end } = symbol;
  if (/\s/.test(before) !== /\s/.test(after)) return false;
  if (isProductOfNames(symbol)) return true;
  if (!(/\s|[\d)\]]/.test(before) || /\d|\(/.test(after))) return false;
  return factorBefore.test(textBefore(symbol, 4)) && matchAt(factorAfter, text, end) !== undefined;
}

/** A factor of one letter, a number or a bracket, and what is multiplied by it. */
const nameBefore = /(?<![\p{L}\d'’*])(?:\d[\d.]{0,9}|\p{L}|[Δδ]\p{L}|pi)$|[)\]]$/u;
const nameAfter = /(?:[-−]?\d|[Δδ]?\p{L}(?![\p{L}'’])|pi(?!\p{L})|[a-z]\w{2,20}(?![\w*'’]))/uy;
const wordBefore = /(?<![\p{L}\d'’*])[a-z_]\w{1,20}$/u;
const unknownAfter = /(?:\d[\d.]{0,9}|[a-z])(?![\w*'’])/uy;

/** A word, not a product. */
const hidden = /^s\*x$/i;

/** Whether an asterisk without spaces multiplies: `n*m`, `2*size`, `U*A*ΔT`; `s*x` hides a letter. */
function isProductOfNames(symbol: SymbolContext): boolean {
  const { text, before, after, end } = symbol;
  if (/\s|^$/.test(before) || /\s|\*/.test(after) || hidden.test(textBefore(symbol, 1) + text.slice(end - 1, end + 1)))
    return false;
  const view = textBefore(symbol, 24);
  const isChained = /[\p{L}\d)\]]\*\p{L}{1,2}$/u.test(view);
  if (nameBefore.test(view) || isChained) {
    const next = matchAt(nameAfter, text, end)?.[0] ?? '';
    return next !== '' && (next.length < 3 || /[\d)\]]/.test(before));
  }
  return wordBefore.test(view) && matchAt(unknownAfter, text, end) !== undefined && /[=()]/.test(text);
}

const isAfterDigit = (symbol: SymbolContext) => /\d\s?$/.test(textBefore(symbol, 2));

const amountNext = /\s?[$£€¥₹]?\d/y;

/** `~5`, `5 ~ 10`; not `HEAD~3` */
export function matchTilde(symbol: SymbolContext): Match | undefined {
  const { text, character, before, end, say } = symbol;
  if (character !== '~' || /\p{L}/u.test(before) || !matchAt(amountNext, text, end)) return undefined;
  return say(isAfterDigit(symbol) ? 'to' : 'about');
}

/** `≈ 5`; not between the sides of an equation. */
export function matchApproximation(symbol: SymbolContext): Match | undefined {
  const { character, before, after, say } = symbol;
  if (character !== '≈' || !/^$|[\s(]/.test(before)) return undefined;
  if (/(?:(?<![\p{L}\d])\p{L}|[\d)²³])\s$/u.test(textBefore(symbol, 24))) return undefined;
  return say(/\d/.test(after) ? 'about' : 'approximately');
}

/** `▲ 1.2%` */
export function matchTrend({ text, character, end, say }: SymbolContext): Match | undefined {
  if (!/[▲▼]/.test(character) || !matchAt(amountNext, text, end)) return undefined;
  return say(character === '▲' ? 'up' : 'down');
}

/** `20°`, not of a face such as `(°□°)`. */
export function matchDegreeSign({ text, character, before, previous, end, say }: SymbolContext): Match | undefined {
  if (character !== '°') return undefined;
  const isUnit = /[\d\s½¼¾]|^$/.test(before) || /^[CFKR](?!\p{L})/u.test(text.slice(end, end + 2));
  return isUnit ? say(previous === '1' ? 'degree' : 'degrees') : { end, words: '' };
}
