import { clauseAround, subtractsInEquation } from '../../equations.ts';
import { matchAt, textBefore } from '../../patterns.ts';

/** A run of variables, numbers and signs of arithmetic. */
const arithmetic = /^[\p{L}\d()[\]{}+*/^=.,!²³⁴−-]{3,60}$/u;

/** The number before another: `(n-1)`, `x[i-1]`, `k-1 steps` */
const counterBefore = /(?<![\p{L}\d'’.-])[ijkmn]$/u;
const counterAfter = /[12](?![\d\p{L}.-])/uy;

/** The difference in `(2-5)²` */
const squaredBefore = /\(\d[\d.]{0,9}$/;
const squaredAfter = /^\d[\d.]{0,9}\)(?:[²³]|\^\d)/;

/** Whether an unspaced hyphen is a minus between variables, numbers or brackets: `2x-1`, `f(x)=x-1`, `(a+b)(a-b)`. */
export function isAlgebraicMinus(text: string, index: number, end: number): boolean {
  const from = /\S*$/.exec(textBefore({ text, index }, 40))![0];
  const to = /^\S*/.exec(text.slice(end, end + 40))![0].replace(/[.,;:?]+$/, '');
  if (counterBefore.test(from) && matchAt(counterAfter, text, end)) return true;
  const run = `${from}-${to}`;
  if (squaredBefore.test(from) && squaredAfter.test(to)) return true;
  if (!/[a-z\d)\]²³]$/.test(from) || !/^[a-z\d([]/.test(to) || !arithmetic.test(run)) return false;
  if (/\p{L}{2}/u.test(run.replace(/sin|cos|tan|log|ln/g, '')) || !/[a-z]/.test(run)) return false;
  return /[=+*^²³]|[)\]][(!/]|\p{L}\(|(?<!\d)\d*[xyz]-\d|\d[xyzn]-/u.test(run);
}

/** `return a - b`, `n - 1` */
const unknownBefore = /(?<![\p{L}\d'’.-])[a-z]\s$/u;
const countBefore = /(?<![\p{L}\d'’.-])[ijkmnxyz]\s$/u;
const unknownAfter = /^\s[a-z](?!\p{L})/u;
const wordsBefore = /=[^=()\d]{0,40}\p{L}{2}\s$/u;
/** `margin = (revenue - cost) / revenue` */
const bracketBefore = /=[^=()]{0,40}\(\p{L}[\p{L} _]{1,30}\s$/u;
const bracketAfter = /^\s[\p{L}\d][\p{L}\d _]{0,30}\)\s?[*/×÷+−^-]/u;
const termBefore = /=[^=()]{1,40}\s$/;
const termAfter = /^\s[\p{L}\d_.]{1,30}\s?(?:[-−+*×÷/=)]|$)/u;

function isBetweenUnknowns(before: string, after: string): boolean {
  return (unknownBefore.test(before) && unknownAfter.test(after)) || (countBefore.test(before) && /^\s\d/.test(after));
}

/** `b² - 4ac`; not `mc² - a famous formula` */
const powerBefore = /(?:[²³⁴]|\^\d)\s?$/;
const powerAfter = /^\s?(?:[\d(]|(?![aAI]\s\p{L}{2})\p{L}(?!\p{L}))/u;
const taskBefore = /\b(?:calculate|compute|evaluate|simplify|what(?: is|['’]s))\s\(?\d[\d.,]{0,12}\s?$/i;
const taskAfter = /^\s?\d[\d.,]{0,12}\s?(?:[-−+*/×÷=)]|$)/;

/** Whether a dash subtracts in an equation; between spaces its terms may be words: `profit = revenue - costs`. */
export function subtracts(text: string, index: number): boolean {
  const [before, after] = clauseAround(text, index);
  const isEven = /\s$/.test(before) === /^\s/.test(after);
  if (isEven && (subtractsInEquation(before, after) || isBetweenUnknowns(before, after))) return true;
  if (isEven && powerBefore.test(before) && powerAfter.test(after)) return true;
  if (isEven && taskBefore.test(before) && taskAfter.test(after)) return true;
  if (bracketBefore.test(before) && bracketAfter.test(after)) return true;
  return (wordsBefore.test(before) && /^\s/.test(after)) || (termBefore.test(before) && termAfter.test(after));
}

/** Whether a hyphen stands before an unknown: `e^(-x)`, `y = -x`. */
export function isNegative(text: string, index: number, end: number): boolean {
  const isOperand = /[\^=+*/×]\s?\(?$/.test(textBefore({ text, index }, 3));
  return isOperand && /^[A-Za-z](?!\p{L})/u.test(text.slice(end, end + 2));
}
