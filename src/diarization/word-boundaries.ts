import type { TimedTurn } from './speaker-at.ts';

/** A word, or a segment whose words are not known, with who says it. */
export interface Unit {
  text: string;
  /** Seconds. */
  start: number;
  end: number;
  speaker: number;
}

const sentenceEnd = /[.!?…。！？．।؟۔]["'”’»」』)\]）]*$/u;
const clauseEnd = /[,;:،؛、，；：—–]["'”’»」』)\]）]*$/u;
/** Seconds of silence at which another may begin. */
const PAUSE = 0.3;
/** Seconds by which the detected time of a speaker change can be off: voices are compared in pieces of 1.5 s. */
const REACH = 1;
/** Words that a change may move by. */
const MAX_WORDS = 3;

// What a change costs, in seconds of distance from where it was found.
const AFTER_PAUSE = 0.1;
const AFTER_CLAUSE = 0.4;
const ELSEWHERE = 0.7;

/** Moves changes of the speaker to where speakers change, at the ends of sentences and at pauses, and drops stray words. */
export function settleBoundaries(units: Unit[], turns: readonly TimedTurn[]): void {
  dropStrays(units);
  moveChanges(units, turns);
}

/** A single word of another speaker is one of the speech around it, unless it is set off from that on both sides. */
function dropStrays(units: Unit[]): void {
  for (let index = 1; index + 1 < units.length; index++) {
    const before = units[index - 1]!;
    const unit = units[index]!;
    const after = units[index + 1]!;
    const isStray = unit.speaker !== before.speaker && before.speaker === after.speaker;
    if (isStray && !(isBreak(before, unit) && isBreak(unit, after))) unit.speaker = before.speaker;
  }
}

const isBreak = (before: Unit, after: Unit) => costAt(before, after) <= AFTER_PAUSE;

function moveChanges(units: Unit[], turns: readonly TimedTurn[]): void {
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
  }
}

/** Whether a change can move from one word to another: of the turn that gets shorter, at least a word stays. */
function canMove(units: readonly Unit[], from: number, to: number): boolean {
  if (from === to) return true;
  const passed = to > from ? units.slice(from, to + 1) : units.slice(to - 1, from);
  return passed.every(({ speaker }) => speaker === passed[0]!.speaker);
}

function costAt(before: Unit, after: Unit): number {
  if (sentenceEnd.test(before.text)) return 0;
  if (after.start - before.end >= PAUSE) return AFTER_PAUSE;
  return clauseEnd.test(before.text) ? AFTER_CLAUSE : ELSEWHERE;
}

/** Finds the moment between two turns of different speakers that is nearest to a moment; those may only move forwards. */
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
