import { textBefore } from './patterns.ts';

/** Maximum number of characters between a sign and the equals sign of its clause. */
const REACH = 80;
const CLAUSE_MARK = /[;:!?¿¡]|[.,](?!\d)/u;
const OPERAND =
  '(?:\\p{L}?[€$£₹]\\s?)?[(√]{0,3}(?:\\d[\\d.,]{0,15}(?:\\s?[%‰°€$£₹])?(?:\\s?\\p{L})?|\\p{Ll}{1,2}|(?!\\p{Ll})\\p{L})(?:\\([^()]{1,8}\\))?[²³)]{0,3}';
const OPERATIONS = `(?:${OPERAND}\\s?[-−–+*×÷/^xX]\\s?){0,6}${OPERAND}`;
/** An unknown without spaces is a lower-case letter, so that F-16 does not match. */
export const OPERAND_BEFORE = /(?:[\d)²³%‰°€$£₹]\s?|(?<![\p{L}\p{M}])(?:\p{L}\s|\p{Ll})|\d\p{L}\s?)$/u;
/** A number or an unknown after a sign. */
export const OPERAND_AFTER = /^\s?(?:[\d(√$€£₹]|\p{L}(?![\p{L}\p{M}]))/u;
/** Nothing but operations between the equals sign and the hyphen. */
const EQUALS_BEFORE = new RegExp(`=\\s?[-−]?${OPERATIONS}\\s?$`, 'u');
const EQUALS_AFTER = new RegExp(`^\\s?${OPERATIONS}\\s?=`, 'u');
/** `x = 10 - 20` */
const UNKNOWN_EQUALS = /(?<![\p{L}\p{M}\d])\p{L}\d{0,2}\s?=\s?\d[\d.,]{0,15}\s$/u;
const NUMBER_BEFORE = /(\d[\d.,]{0,15})[%‰°€$£₹)]?\s?$/u;
const NUMBER_AFTER = /^\s?(?:\p{L}?[€$£₹]\s?)?\(?(\d[\d.,]{0,15})(?![\d.,xyzn])/u;
/** A negative result, or more operations. */
const FALLS_BELOW = /^\s?[^=\s]{1,20}\s?(?:=\s?[-−]|[-−+*×÷])/u;
const WORD_AFTER = /^\s?\d[\d.,]{0,15}\s?\p{L}{2}/u;

/** The parts of a clause before and after the sign at `index`. */
export function clauseAround(text: string, index: number): [before: string, after: string] {
  const before = textBefore({ text, index }, REACH);
  const after = text.slice(index + 1, index + REACH);
  return [before.split(CLAUSE_MARK).at(-1)!, after.split(CLAUSE_MARK, 1)[0]!];
}

/** Whether nothing but operations is between a sign and an equals sign. */
export function isInEquation(before: string, after: string): boolean {
  return EQUALS_BEFORE.test(before) || EQUALS_AFTER.test(after);
}

/** Whether a hyphen between the two parts of a clause subtracts in an equation. Increasing numbers may be a range in one. */
export function subtractsInEquation(before: string, after: string): boolean {
  if (!OPERAND_BEFORE.test(before) || !OPERAND_AFTER.test(after)) return false;
  const isBehind = EQUALS_BEFORE.test(before);
  if (!isBehind && !EQUALS_AFTER.test(after)) return false;
  const from = NUMBER_BEFORE.exec(before)?.[1];
  const to = NUMBER_AFTER.exec(after)?.[1];
  if (from === undefined || to === undefined || magnitude(from) >= magnitude(to)) return true;
  return isBehind ? UNKNOWN_EQUALS.test(before) && !WORD_AFTER.test(after) : FALLS_BELOW.test(after);
}

function magnitude(digits: string): number {
  return Number.parseFloat(digits.replace(',', '.'));
}
