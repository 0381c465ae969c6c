/** How far a hyphen looks for its clause. */
const REACH = 80;
const CLAUSE_MARK = /[;:!?¿¡]|[.,](?!\d)/u;
/** Not F-16: an unspaced unknown is a small letter. */
const OPERAND_BEFORE = /(?:[\d)²³%‰°€$£₹]\s?|(?<![\p{L}\p{M}])(?:\p{L}\s|\p{Ll})|\d\p{L}\s?)$/u;
const OPERAND_AFTER = /^\s?(?:[\d(√$€£₹]|\p{L}(?![\p{L}\p{M}]))/u;
/** Unspaced: `3x-5`. */
const UNKNOWN_BEFORE = /\d[xyzn]$/;
const SMALL_BEFORE = /(?<![\d.,:/-])(\d{1,3})\s$/;
/** A capitalized word after it is a team, and the numbers are a score. */
const SMALL_AFTER = /^\s(\d{1,3})(?![.,/]?\d|:\d|\s?[-–]|\s\p{Lu})/u;

/**
 * Whether the hyphen or dash at `index` subtracts: in a clause with an equals sign, behind an unknown, or, for a hyphen, between
 * spaces and small numbers that fall. Numbers that rise are a range.
 */
export function isMinus(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - REACH), index);
  const after = text.slice(index + 1, index + REACH);
  if (!OPERAND_BEFORE.test(before) || !OPERAND_AFTER.test(after)) return false;
  if (UNKNOWN_BEFORE.test(before) && /^\d/.test(after)) return true;
  if (before.split(CLAUSE_MARK).at(-1)!.includes('=') || after.split(CLAUSE_MARK, 1)[0]!.includes('=')) return true;
  if (text[index] !== '-') return false;
  const from = SMALL_BEFORE.exec(before)?.[1];
  const to = SMALL_AFTER.exec(after)?.[1];
  return from !== undefined && to !== undefined && Number(from) > Number(to);
}
