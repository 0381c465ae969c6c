import { MAX_LINE_WIDTH, type Unit } from './cue-units.ts';

/** A unit with the data for cutting. */
export interface PlacedUnit extends Unit {
  /** Its offset if all units were in one line. */
  column: number;
  /** Cost of ending a cue after it. */
  cutCost: number;
  /** Whether it should stay in one line with the next. */
  isBound: boolean;
}

/** Width of units in one line. */
export function widthBetween(units: readonly PlacedUnit[], first: number, last: number): number {
  return units[last]!.column + units[last]!.width - units[first]!.column;
}

/** Difference of width between two lines that is better than to part words that belong together. */
const BOUND_COST = 12;

/**
 * Index of the first unit of the second line, or `last + 1` for one line; undefined if two lines are too short. Balances
 * the lines and avoids a single word on the second (an orphan).
 */
export function breakLine(units: readonly PlacedUnit[], first: number, last: number) {
  if (widthBetween(units, first, last) <= MAX_LINE_WIDTH) return { at: last + 1, orphan: false };
  let best: { at: number; orphan: boolean } | undefined;
  let minCost = Number.POSITIVE_INFINITY;
  for (let at = first + 1; at <= last; at++) {
    const upper = widthBetween(units, first, at - 1);
    const lower = widthBetween(units, at, last);
    if (upper > MAX_LINE_WIDTH || lower > MAX_LINE_WIDTH) continue;
    const orphan = at === last && last - first > 1;
    const { cutCost, isBound } = units[at - 1]!;
    const cost = Math.abs(upper - lower) + 2 * cutCost + (isBound ? BOUND_COST : 0) + (orphan ? 1000 : 0);
    if (cost < minCost) {
      minCost = cost;
      best = { at, orphan };
    }
  }
  return best;
}

/** The text of a cue in one or two lines. */
export function toLines(units: readonly PlacedUnit[], first: number, last: number): string[] {
  const { at } = breakLine(units, first, last)!;
  return [units.slice(first, at), units.slice(at, last + 1)]
    .filter((line) => line.length > 0)
    .map((line) => line.map(({ text, spaceBefore }, i) => (i > 0 && spaceBefore ? ` ${text}` : text)).join(''));
}
