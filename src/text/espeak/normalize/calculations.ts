import { clauseAround, OPERAND_AFTER, OPERAND_BEFORE, subtractsInEquation } from '../../equations.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { unitNounAt } from './unit-names.ts';

const MAX_OPERAND = 8;
/** Unspaced: `3x-5`, `n-1`; and `x - 3`, `z - x`. */
const UNKNOWN_BEFORE = /\d[xyzn]$|(?<![\p{L}\p{M}\d'’.@/_-])[dhijkmnpqrstwxyz]$/u;
const SPACED_BEFORE = /(?<![\p{L}\p{M}\d'’.@/_-])(?:[xzn]|(?<=[(|])y)\s$/u;
const SPACED_AFTER = /^\s(?:\d{1,3}(?![\p{L}\d/-]|[.,]\d)|[xyzk](?![\p{L}\d]))/u;
const FEW_AFTER = /^\d{1,2}(?![\p{L}\d/-]|[.,]\d)/u;
const SMALL_BEFORE = /(?<![\d.,:/-])(\d{1,3})\s$/;
/** A capitalized word after it is a team, and the numbers are a score. */
const SMALL_AFTER = /^\s(\d{1,3})(?![.,/]?\d|:\d|\s?[-–]|\s\p{Lu})/u;
const OTHER_OPERATOR = /[\d)]\s?[+*×÷]\s?[\d(]/;
const POWER =
  /(?:\^|\*\*(?=\d))(?:[({]([-−]?)(\d{1,15}|[nxk])[)}]|([-−]?)(\d{1,15}|[nxk](?![\p{L}\d])))|\^(?=[({]|[-−]?\p{L}(?!\p{L}))/uy;
const BASE_BEFORE = /[\d)\]]$|(?<!\p{L})(?:\p{L}{1,3}|alpha|beta|gamma|delta|theta|lambda|sigma|omega)$/u;
const EXPONENT = /[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,15}/y;
const SCIENTIFIC =
  /(\d{1,15})(?:([.,])(\d{1,15}))?(?=[eE][-−]|E\+|(?<=\d[.,]\d{1,15})E\d)[eE]([-−+]?)(\d{1,3})(?![\p{L}\d]|[.,]\d)/uy;

/**
 * Whether the hyphen or dash at `index` subtracts: in an equation, after an unknown, or, for a hyphen, between spaces and small
 * numbers that fall in a clause that calculates. Other numbers that fall are a score.
 */
export function isMinus({ text, language }: Context, index: number): boolean {
  const before = textBefore({ text, index }, MAX_OPERAND);
  const after = text.slice(index + 1, index + MAX_OPERAND);
  if (!OPERAND_BEFORE.test(before) || !OPERAND_AFTER.test(after)) return false;
  if (UNKNOWN_BEFORE.test(before) && FEW_AFTER.test(after)) return true;
  if (SPACED_BEFORE.test(before) && SPACED_AFTER.test(after)) return true;
  const [clauseBefore, clauseAfter] = clauseAround(text, index);
  if (subtractsInEquation(clauseBefore, clauseAfter)) return true;
  if (text[index] !== '-') return false;
  const from = SMALL_BEFORE.exec(before)?.[1];
  const to = SMALL_AFTER.exec(after)?.[1];
  if (from === undefined || to === undefined || Number(from) <= Number(to)) return false;
  const clause = `${clauseBefore}-${clauseAfter}`;
  return language.rules.calculation.test(clause) || OTHER_OPERATOR.test(clause);
}

/** `10⁻³`, `10^6`, `2**3`. */
export function matchPower(context: Context): Match | undefined {
  const { text, index, language } = context;
  const raised = matchAt(EXPONENT, text, index)?.[0];
  const match = raised || !BASE_BEFORE.test(textBefore(context, 8)) ? undefined : matchAt(POWER, text, index);
  if (!raised && !match) return undefined;
  const { power, minus, symbols } = language.rules;
  // e^(2x): the rest is read by other rules.
  if (match?.[0] === '^') return { end: index + 1, words: ` ${power} ` };
  const exponent = raised?.normalize('NFKC') ?? `${match![1] ?? match![3]}${match![2] ?? match![4]}`;
  const end = index + (raised ?? match![0]).length;
  const named = exponent === '2' ? symbols['²'] : exponent === '3' ? symbols['³'] : undefined;
  // 3 × 10⁸ m/s
  const unit = /10$/.test(textBefore(context, 2)) ? unitNounAt(context, end) : undefined;
  const withUnit = (words: string) => (unit ? { end: unit.end, words: `${words} ${unit.many}` } : { end, words });
  if (named) return withUnit(named);
  const sign = /^[-−]/.test(exponent) ? `${minus} ` : '';
  const value = exponent.replace(/^[-−+]/, '');
  return withUnit(`${power} ${sign}${/\d/.test(value) ? cardinal(language, value) : value}`);
}

/** `1e-5`, `2,5E+3`, `1,2E4`: a power of ten. */
export function matchScientific({ text, index, language }: Context): Match | undefined {
  if (/[\p{L}\d.,-]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, whole = '', mark = '', decimals = '', sign = '', exponent = ''] = matchAt(SCIENTIFIC, text, index) ?? [];
  if (all === undefined) return undefined;
  const { minus, points, power, symbols } = language.rules;
  const say = (digits: string) => cardinal(language, digits);
  const tail = decimals ? ` ${points[mark as ',' | '.']} ${digitByDigit(language, decimals)}` : '';
  const raised = `${symbols['×']} ${say('10')} ${power} ${/[-−]/.test(sign) ? `${minus} ` : ''}${say(exponent)}`;
  return { end: index + all.length, words: `${say(whole)}${tail} ${raised}` };
}
