import { clauseAround } from '../../equations.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

/** A number, an unknown or a closing bracket, and what may follow it before an operator. */
const OPERAND = String.raw`(?:\d|[)\]²³]|(?<![\p{L}\d'’.])[A-Za-z](?:[₀-₉]|_?\d)?)`;
const operandBefore = new RegExp(`${OPERAND}\\s?$`, 'u');
const operandNext = /\s?(?:\(|[\d.]+(?![\p{L}\d])|[A-Za-z](?:[₀-₉]|_?\d)?(?!\p{L}|['’]|\s\p{L}))/uy;
const numberAfter = /\s?(?!(?:1[89]|20)\d\d(?!\d))\d{1,9}(?![\d%]|\.\d|\s?%)/y;
const unknownBefore = /(?<![\p{L}\d'’.])[A-Za-z]\s$/u;
const lowerBefore = /(?<![\p{L}\d'’.])[b-z]$/u;
const incrementEnd = /--(?=[\s),;.\]]|$)/y;
const decrement = /--(?=[b-z](?:[);,]|\s[<>=!&|])|[b-z]$)/y;

/** Marks that a number follows. */
const negativeBefore = /[(=:<>≤≥+*/×÷]\s?$/;
const shareNext = /\d[\d.,]{0,9}\s?(?:%|°|bps?(?!\p{L})|pp(?!\p{L}))/uy;

/** The words of a term between spaces: `distance`, `unit price (net)` */
const wordBefore = /[\p{L}\d)\]²³%]\s$/u;
const wordAfter = /^\s[\p{L}\d(√$€£]/u;
/** Another equation: `Mon = rest / Tue = run` */
const equationAfter = /^\s\p{L}{2}[^=/]{0,30}=/u;
const equalsAfter = /^[^=]{1,40} = /;
/** `(a + b) / c`, which `matchSlash` reads */
const bracketBefore = /[)²³]\s?$/;
const divisorAfter = /^\s?(?:[\d(√]|\p{L}(?!\p{L}))/u;
const priceBefore = /[$£€¥][\d.,]{1,20}\s$/;
const amountBefore = /[$£€¥]\d[\d.,]{0,19}$/;
const quotientAfter = /^\d{1,9}\s?=\s?[$£€¥\d]/;
const unitBefore = /[\d⁰¹²³⁴-⁹]\s[JNVW]$/;
const unitAfter = /^(?:K|C|m|g|s)(?![\p{L}\d])/u;
/** A single letter with its sign and index: `F`, `Δy`, `∂f`, `ε₀` */
const termBefore = /(?<![\p{L}\d'’.])(?:[Δ∂]?\p{L}[₀-₉]?|[a-z]{2})$/u;
const termAfter = /^(?:[Δ∂]?\p{L}[₀-₉]?|\d{1,9})(?![\p{L}\d/:])/u;

/**
 * An operator of an equation or a program by its operands: `distance / time`, `17 % 5`, `price * rate`, `x // 2`, `i--`,
 * `x << 2`.
 */
export function matchOperator(context: Context): Match | undefined {
  const { text, index } = context;
  switch (text[index]) {
    case '/':
      return matchFloor(text, index) ?? matchDivision(text, index);
    case '%':
      return isModulo(text, index) ? { end: index + 1, words: 'modulo' } : undefined;
    case '*':
      return isWordProduct(text, index) ? { end: index + 1, words: 'times' } : undefined;
    case '-':
      return isStep(text, index) ? { end: index + 2, words: 'minus minus' } : undefined;
    case '<':
    case '>':
      return matchShift(text, index);
    case '–':
      return isMinus(text, index) ? { end: index + 1, words: 'minus' } : undefined;
    case ':':
      // `x := 5`
      return text.startsWith(':=', index) && /\s/.test(text[index - 1] ?? '')
        ? { end: index + 2, words: 'colon equals' }
        : undefined;
    default:
      return undefined;
  }
}

/** `speed = distance / time`, `F = W/d` */
function matchDivision(text: string, index: number): Match | undefined {
  const [before, after] = clauseAround(text, index);
  // `1/x`
  if (/(?<![\p{L}\d/.])\d{1,3}$/u.test(before) && /^[xyzkn](?![\p{L}\d/])/u.test(after))
    return { end: index + 1, words: 'over' };
  // `x/2`
  if (/(?<![\p{L}\d'’./])[xyzn]$/u.test(before) && /^[2-9](?![\p{L}\d/.])/u.test(after))
    return { end: index + 1, words: 'over' };
  // `$800/40 = $20`
  if (amountBefore.test(before) && quotientAfter.test(after)) return { end: index + 1, words: 'divided by' };
  // `8.3 J/K`
  if (unitBefore.test(before) && unitAfter.test(after)) return { end: index + 1, words: 'per' };
  if (bracketBefore.test(before) && divisorAfter.test(after)) return undefined;
  if (!/=/.test(before) && !equalsAfter.test(after)) return undefined;
  const isBehind = / = /.test(before);
  if ((isBehind || equalsAfter.test(after)) && wordBefore.test(before) && wordAfter.test(after)) {
    if (isBehind && equationAfter.test(after)) return undefined;
    return { end: index + 1, words: priceBefore.test(before) && /^\s\p{L}/u.test(after) ? 'per' : 'divided by' };
  }
  // `12 m/s`
  if (/\d\s?\p{L}{1,3}$/u.test(before) && /^\p{L}/u.test(after)) return undefined;
  return termBefore.test(before) && termAfter.test(after) ? { end: index + 1, words: 'over' } : undefined;
}

/** `x // 2`, not `7pm // 8pm` */
function matchFloor(text: string, index: number): Match | undefined {
  if (!text.startsWith('// ', index) || text[index - 1] !== ' ') return undefined;
  const before = textBefore({ text, index }, 8);
  const isFloor = unknownBefore.test(before) || (operandBefore.test(before) && /=/.test(clauseAround(text, index)[0]));
  return isFloor && matchAt(operandNext, text, index + 2) ? { end: index + 2, words: 'slash slash' } : undefined;
}

/** `17 % 5`, `x % y`, `i%2`; not `grew 5 % a year` */
function isModulo(text: string, index: number): boolean {
  const before = textBefore({ text, index }, 8);
  if (!operandBefore.test(before)) return false;
  const isSpaced = /\s$/.test(before);
  if (isSpaced !== /\s/.test(text[index + 1] ?? '')) return false;
  return /\d\s?$/.test(before)
    ? matchAt(numberAfter, text, index + 1) !== undefined
    : matchAt(operandNext, text, index + 1) !== undefined;
}

/** `tax = price * rate` */
function isWordProduct(text: string, index: number): boolean {
  const [before, after] = clauseAround(text, index);
  return /=/.test(before) && wordBefore.test(before) && wordAfter.test(after);
}

/** Whether two hyphens decrement a variable: `i--`, `--n)`. After a word they are a dash. */
function isStep(text: string, index: number): boolean {
  if (lowerBefore.test(textBefore({ text, index }, 2))) return matchAt(incrementEnd, text, index) !== undefined;
  return /^$|[\s(;]/.test(text[index - 1] ?? '') && matchAt(decrement, text, index) !== undefined;
}

/** Whether an en dash before a number is a minus: `opex –3%`, `x = –5`, `(–5)`, not `5 –10%` */
function isMinus(text: string, index: number): boolean {
  const before = textBefore({ text, index }, 3);
  if (negativeBefore.test(before) && /\d/.test(text[index + 1] ?? '')) return true;
  return /^$|[\s(]$/.test(before) && !/[\d%]\s$/.test(before) && matchAt(shareNext, text, index + 1) !== undefined;
}

/** `x << 2`, `1 >> n`; streams and redirections have words on one side. */
function matchShift(text: string, index: number): Match | undefined {
  const sign = text.slice(index, index + 2);
  if ((sign !== '<<' && sign !== '>>') || text[index - 1] !== ' ' || text[index + 2] !== ' ') return undefined;
  const isShift = operandBefore.test(textBefore({ text, index }, 8)) && matchAt(operandNext, text, index + 2);
  return isShift ? { end: index + 2, words: sign === '<<' ? 'shifted left by' : 'shifted right by' } : undefined;
}
