import type { TimedTurn } from './speaker-at.ts';
import { endsClause, endsSentence } from './word-ends.ts';

/** A word, or a segment whose words are not known, with its speaker. */
export interface Unit {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  speaker: number;
}

/** Seconds of silence at which another speaker may begin. */
const PAUSE = 0.3;
/** Seconds by which the detected time of a speaker change can be off: voices are compared in pieces of 1.5 s. */
const REACH = 1;
/** Maximum words by which a change may move. */
const MAX_WORDS = 3;

// Cost of a change, in seconds of distance from where it was detected.
const AFTER_PAUSE = 0.1;
const AFTER_CLAUSE = 0.4;
const ELSEWHERE = 0.7;

/**
 * Moves changes of speaker to likely places, the ends of sentences and pauses, and drops stray words. Yields at each
 * change.
 */
export function* settleBoundaries(units: Unit[], turns: readonly TimedTurn[]): Generator<undefined, void, undefined> {
  yield* dropStrays(units);
  yield* moveChanges(units, turns);
}

/** Assigns a single word of another speaker to the speech around it, unless there are pauses on both sides. */
function* dropStrays(units: Unit[]): Generator<undefined, void, undefined> {
  for (let index = 1; index + 1 < units.length; index++) {
    const before = units[index - 1]!;
    const unit = units[index]!;
    const after = units[index + 1]!;
    const isStray = unit.speaker !== before.speaker && before.speaker === after.speaker;
    if (!isStray) continue;
    if (!(isBreak(before, unit) && isBreak(unit, after))) unit.speaker = before.speaker;
    yield;
  }
}

const isBreak = (before: Unit, after: Unit) => costAt(before, after) <= AFTER_PAUSE;

function* moveChanges(units: Unit[], turns: readonly TimedTurn[]): Generator<undefined, void, undefined> {
  const nearestChange = changeFinder(turns);
  for (let index = 1; index < units.length; index++) {
    const [before, after] = [units[index - 1]!, units[index]!];
    if (before.speaker === after.speaker) continue;
    const at = nearestChange((before.end + after.start) / 2);
    let best = { index, cost: Number.POSITIVE_INFINITY };
    for (let cut = Math.max(1, index - MAX_WORDS); cut <= Math.min(units.length - 1, index + MAX_WORDS); cut++) {
      if (!canMove(units, index, cut)) continue;
      const [last, first] = [units[cut - 1]!, units[cut]!];
      const distance = Math.max(last.end - at, at - first.start, 0);
      if (cut !== index && distance > REACH) continue;
      const cost = distance + costAt(last, first);
      if (cost < best.cost) best = { index: cut, cost };
    }
    const [said, next] = [before.speaker, after.speaker];
    for (let moved = index; moved < best.index; moved++) units[moved]!.speaker = said;
    for (let moved = best.index; moved < index; moved++) units[moved]!.speaker = next;
    index = Math.max(index, best.index);
    yield;
  }
}

/** Whether a change can move from one word to another: the turn that gets shorter keeps at least one word. */
function canMove(units: readonly Unit[], from: number, to: number): boolean {
  if (from === to) return true;
  const passed = to > from ? units.slice(from, to + 1) : units.slice(to - 1, from);
  return passed.every(({ speaker }) => speaker === passed[0]!.speaker);
}

function costAt(before: Unit, after: Unit): number {
  if (endsSentence(before.text)) return 0;
  if (after.start - before.end >= PAUSE) return AFTER_PAUSE;
  return endsClause(before.text) ? AFTER_CLAUSE : ELSEWHERE;
}

/** Finds the change of speaker nearest to a time; times may only move forwards. */
function changeFinder(turns: readonly TimedTurn[]): (at: number) => number {
  const changes: number[] = [];
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    if (before && before.speaker !== turn.speaker) changes.push((before.end + turn.start) / 2);
  }
  let next = 0;
  return (at) => {
    while (next + 1 < changes.length && Math.abs(changes[next + 1]! - at) <= Math.abs(changes[next]! - at)) next++;
    return changes[next] ?? at;
  };
}
