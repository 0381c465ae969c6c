import { bindsNext, endsClause, endsSentence } from '../../diarization/word-ends.ts';
import { breakLine, type PlacedUnit, toLines, widthBetween } from './cue-lines.ts';
import { endsUnspaced, MAX_LINE_WIDTH, MAX_PAUSE_MS, type TimedText, toUnits, type Unit } from './cue-units.ts';
import { runSteps, type Steps } from './steps.ts';

/** Maximum duration of a cue. */
export const MAX_CUE_MS = 7000;
/** A longer silence within a sentence ends a cue, too. With less, a speaker who hesitates would get a cue for each word. */
export const MAX_HESITATION_MS = 1500;
/** Short cues are extended to this if the next one leaves room. */
const MIN_CUE_MS = 1000;
/** A cue that is shown for less cannot be read. */
const MIN_READABLE_MS = 800;
/** Cues of fast speech are extended, too, until they need not be read faster than this: width in a second. */
const READING_WIDTH = 17;
/** Minimum silence that is a good place to cut. */
const PAUSE_MS = 200;

/** One or two lines of plain text shown together, not yet escaped for a file format. */
export interface Cue {
  /** Milliseconds from the start of the recording. */
  start: number;
  end: number;
  lines: string[];
  /** Name of who says it, if known; no cue has two. */
  speaker?: string;
}

/**
 * Cuts the words of segments into cues of at most two lines and seven seconds: preferably at the end of a sentence, then
 * at other punctuation, then at a pause. Cues are in order and never overlap. The text of a segment without words is
 * spread evenly over its time.
 */
export const cues = (segments: readonly TimedText[], options?: CueOptions): Cue[] =>
  runSteps(cueSteps(segments, options));

export interface CueOptions {
  /** Length of the recording in seconds: no cue is extended beyond it. Default: unlimited. */
  duration?: number;
  /** Whether a name is written where another speaker begins. Default: false. */
  hasNames?: boolean;
}

/** `cues` in steps. */
export function* cueSteps(
  segments: readonly TimedText[],
  { duration = Number.POSITIVE_INFINITY, hasNames = false }: CueOptions = {},
): Steps<Cue[]> {
  const latest = Math.round(duration * 1000);
  const units = yield* place(yield* toUnits(segments, hasNames));
  const cues: Cue[] = [];
  for (const [first, last] of yield* cut(units)) {
    const previous = cues.at(-1);
    const start = Math.max(units[first]!.start, (previous?.start ?? -1) + 1);
    if (previous) previous.end = Math.min(previous.end, start);
    const reading = (widthBetween(units, first, last) / READING_WIDTH) * 1000;
    const extended = Math.min(start + Math.max(MIN_CUE_MS, Math.ceil(reading)), latest);
    const end = Math.min(Math.max(units[last]!.end, extended, start + 1), start + MAX_CUE_MS);
    const { speaker } = units[first]!;
    cues.push({ start, end, lines: toLines(units, first, last), ...(speaker !== undefined && { speaker }) });
    yield;
  }
  return cues;
}

/** Adds to each unit what cutting needs. */
function* place(units: readonly Unit[]): Steps<PlacedUnit[]> {
  const placed: PlacedUnit[] = [];
  let column = 0;
  for (const [index, unit] of units.entries()) {
    if (unit.spaceBefore) column++;
    const next = units[index + 1];
    const isBound = next !== undefined && bindsNext(unit.text, next.text);
    placed.push({ ...unit, column, cutCost: cutCost(unit, next) + (isBound ? 1 : 0), isBound });
    column += unit.width;
    yield;
  }
  return placed;
}

/** Cost of ending a cue after a unit: none after a sentence, most inside a word. */
function cutCost(unit: Unit, next: Unit | undefined): number {
  if (!next) return 0;
  if (unit.isName) return 8;
  if (endsSentence(unit.text)) return 0;
  const pause = next.start - unit.end;
  if (pause > MAX_HESITATION_MS) return 0;
  if (pause > MAX_PAUSE_MS) return 0.5;
  if (endsClause(unit.text) || unit.endsSegment) return 1;
  if (pause >= PAUSE_MS) return 1.5;
  return next.spaceBefore || endsUnspaced.test(unit.text) ? 4 : 8;
}

/** First and last unit of each cue. Minimizes the total cost by dynamic programming. */
function* cut(units: readonly PlacedUnit[]): Steps<[first: number, last: number][]> {
  /** For each unit, the lowest cost of all cues before it, and the first unit of the last of them. */
  const best: { cost: number; first: number }[] = [{ cost: 0, first: 0 }];
  for (let first = 0; first < units.length; first++) {
    for (const { last, cost } of cuesFrom(units, first)) {
      const total = best[first]!.cost + cost;
      if (total < (best[last + 1]?.cost ?? Number.POSITIVE_INFINITY)) best[last + 1] = { cost: total, first };
    }
    yield;
  }
  const cues: [number, number][] = [];
  for (let end = units.length; end > 0; end = best[end]!.first) cues.push([best[end]!.first, end - 1]);
  return cues.reverse();
}

/** All cues that may begin at a unit, by their last unit, with their costs. */
function* cuesFrom(units: readonly PlacedUnit[], first: number): Generator<{ last: number; cost: number }> {
  let sentences = 0;
  for (let last = first; last < units.length; last++) {
    if (last > first) {
      if (!mayShareCue(units[first]!, units[last - 1]!, units[last]!)) return;
      if (units[last - 1]!.cutCost === 0) sentences++;
    }
    const lineBreak = breakLine(units, first, last);
    if (!lineBreak) return;
    // Sentences share a cue only to save one; among equal cuts, prefer equal lengths.
    const emptiness = 1 - widthBetween(units, first, last) / (2 * MAX_LINE_WIDTH);
    const shape = 0.5 * sentences + 0.5 * emptiness ** 2 + (lineBreak.orphan ? 0.5 : 0);
    yield { last, cost: 1 + units[last]!.cutCost + shape + flashCost(units, first, last) };
  }
}

/** Whether a unit may be in the cue of the one before it, which begins with `first`. */
function mayShareCue(first: Unit, previous: Unit, unit: Unit): boolean {
  if (unit.speaker !== previous.speaker || unit.end - first.start > MAX_CUE_MS) return false;
  return unit.start - previous.end <= (endsSentence(previous.text) ? MAX_PAUSE_MS : MAX_HESITATION_MS);
}

/** Cost of showing a cue for too short a time. */
function flashCost(units: readonly PlacedUnit[], first: number, last: number): number {
  const { start } = units[first]!;
  const spoken = units[last]!.end - start;
  const room = (units[last + 1]?.start ?? Number.POSITIVE_INFINITY) - start;
  if (Math.max(spoken, room) < MIN_READABLE_MS) return 4;
  return spoken < MIN_CUE_MS ? 0.5 : 0;
}
