import type { Segment } from '../../contracts/transcription.ts';
import { bindsNext, endsClause, endsSentence } from '../../diarization/word-ends.ts';
import { runSteps, type Steps } from './steps.ts';

/** What subtitles need of a segment. */
export interface TimedText extends Pick<Segment, 'start' | 'end' | 'text' | 'words'> {
  /** Name of who says it, if known. */
  speaker?: string;
}

/** Maximum width of a line in characters; a full-width character (Chinese, Japanese, Korean) counts as two. */
export const maxLineWidth = 42;
/** Maximum duration of a cue. */
export const maxCueMilliseconds = 7000;
/** A longer silence after a sentence always ends a cue. */
export const maxPauseMilliseconds = 600;
/** So does this within a sentence: a speaker who hesitates would get a cue for each word. */
export const maxHesitationMilliseconds = 1500;
/** Short cues are extended to this if the next one leaves room. */
const minCueMilliseconds = 1000;
/** A cue that is shown for less cannot be read. */
const minReadableMilliseconds = 800;
/** Cues of fast speech are extended, too, until they need not be read faster than this: width in a second. */
const readingWidth = 17;
/** Minimum silence that is a good place to cut. */
const pauseMilliseconds = 200;

/** One or two lines of plain text shown together, not yet escaped for a file format. */
export interface Cue {
  /** Milliseconds from the start of the recording. */
  start: number;
  end: number;
  lines: string[];
  /** Name of who says it, if known; no cue has two. */
  speaker?: string;
}

/** Text that is never split: a word, or a part of one too long for a line. */
interface Unit {
  text: string;
  width: number;
  /** Milliseconds. */
  start: number;
  end: number;
  /** Whether a space precedes it within a line. */
  spaceBefore: boolean;
  /** Whether it is the last one of its segment. */
  endsSegment: boolean;
  speaker?: string | undefined;
  /** Whether it is the speaker's name, before the text. */
  isName?: boolean;
}

/** A unit with the data for cutting. */
interface PlacedUnit extends Unit {
  /** Its offset if all units were in one line. */
  column: number;
  /** Cost of ending a cue after it. */
  cutCost: number;
  /** Whether it should stay in one line with the next. */
  isBound: boolean;
}

// Scripts without spaces: lines may break between any two words.
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
const startsUnspaced = new RegExp(`^${unspaced.source}`, 'u');
const endsUnspaced = new RegExp(`${unspaced.source}$`, 'u');
const fullWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
const whitespace = /[\s\p{Cc}]+/u;
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々ゝゞ]/u;
const opening = /[\p{Ps}\p{Pi}¿¡]$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

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
    const reading = (widthBetween(units, first, last) / readingWidth) * 1000;
    const extended = Math.min(start + Math.max(minCueMilliseconds, Math.ceil(reading)), latest);
    const end = Math.min(Math.max(units[last]!.end, extended, start + 1), start + maxCueMilliseconds);
    const { speaker } = units[first]!;
    cues.push({ start, end, lines: toLines(units, first, last), ...(speaker !== undefined && { speaker }) });
    yield;
  }
  return cues;
}

/** All words in order, with monotonic times in whole milliseconds. */
function* toUnits(segments: readonly TimedText[], hasNames: boolean): Steps<Unit[]> {
  const units: Unit[] = [];
  let speaker: string | undefined;
  let trailingSpace = false;
  let now = 0;
  const add = (text: string, startSeconds: number, endSeconds: number, spaceBefore: boolean, isName = false) => {
    const start = Math.max(now, toMilliseconds(startSeconds));
    const end = Math.max(start, toMilliseconds(endSeconds));
    const parts = splitWords(text, spaceBefore);
    const total = parts.reduce((sum, part) => sum + part.text.length, 0);
    let done = 0;
    for (const part of parts) {
      const from = start + Math.round(((end - start) * done) / total);
      done += part.text.length;
      const to = start + Math.round(((end - start) * done) / total);
      append(units, { ...part, width: widthOf(part.text), start: from, end: to, endsSegment: false, speaker, isName });
    }
    now = units.at(-1)?.start ?? now;
  };
  for (const segment of segments) {
    const spoken = segment.words.filter(({ word }) => word.replace(whitespace, '') !== '');
    const isAnother = segment.speaker !== speaker;
    speaker = segment.speaker;
    const hasName = hasNames && isAnother && speaker !== undefined;
    if (hasName) add(`${speaker}:`, segment.start, segment.start, true, true);
    const leadingSpace = trailingSpace || hasName || /^\s/.test(segment.text);
    if (spoken.length > 0) {
      const isSpaced = spacesBetween(
        segment.text,
        spoken.map(({ word }) => word),
      );
      for (const [i, { word, start, end }] of spoken.entries())
        add(word, start, end, i > 0 ? isSpaced(i) : leadingSpace);
    } else {
      add(segment.text, segment.start, segment.end, leadingSpace);
    }
    const last = units.at(-1);
    if (last) last.endsSegment = true;
    trailingSpace = /\s$/.test(segment.text);
    yield;
  }
  return units;
}

const toMilliseconds = (seconds: number) => (Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0);

const widthOf = (text: string) => text.length + (text.match(fullWidth)?.length ?? 0);

/** Whether a space precedes word `i`: as in the text, or by script if the words differ from the text. */
function spacesBetween(text: string, spoken: string[]): (i: number) => boolean {
  const spaces: boolean[] = [];
  let position = 0;
  for (const word of spoken) {
    let start = position;
    while (/\s/.test(text.charAt(start))) start++;
    const bare = word.trim();
    if (!text.startsWith(bare, start)) {
      return (i) => !(endsUnspaced.test(spoken[i - 1]!) || startsUnspaced.test(spoken[i]!));
    }
    spaces.push(start > position || bare !== word);
    position = start + bare.length;
  }
  return (i) => spaces[i]!;
}

/** Splits a text at whitespace, at word boundaries in scripts without spaces, and at the width of a line. */
function splitWords(text: string, spaceBefore: boolean): Pick<Unit, 'text' | 'spaceBefore'>[] {
  const tokens = text.split(whitespace).filter((token) => token !== '');
  return tokens.flatMap((token, i) => {
    let parts = [token];
    if (widthOf(token) > maxLineWidth || unspaced.test(token)) {
      parts = Array.from(words.segment(token), ({ segment }) => segment).flatMap(splitByWidth);
    }
    return parts.map((part, k) => ({ text: part, spaceBefore: k === 0 && (i > 0 || spaceBefore) }));
  });
}

function splitByWidth(text: string): string[] {
  if (widthOf(text) <= maxLineWidth) return [text];
  const chunks: string[] = [''];
  for (const { segment } of graphemes.segment(text)) {
    // A letter with many combining accents can be wider than a line.
    for (const part of widthOf(segment) > maxLineWidth ? segment : [segment]) {
      if (widthOf(chunks.at(-1)! + part) > maxLineWidth) chunks.push(part);
      else chunks[chunks.length - 1] += part;
    }
  }
  return chunks;
}

/** Adds a unit, or extends the last one if no line may break between the two. */
function append(units: Unit[], unit: Unit): void {
  const last = units.at(-1);
  const sticks =
    last !== undefined &&
    !unit.spaceBefore &&
    unit.speaker === last.speaker &&
    last.width + unit.width <= maxLineWidth &&
    unit.start - last.end <= maxPauseMilliseconds &&
    (closing.test(unit.text) ||
      opening.test(last.text) ||
      !(endsUnspaced.test(last.text) || startsUnspaced.test(unit.text) || last.text.endsWith('-')));
  if (!sticks) {
    units.push(unit);
    return;
  }
  last.text += unit.text;
  last.width += unit.width;
  last.end = Math.max(last.end, unit.end);
  last.endsSegment = false;
}

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

const maxPauseAfter = (unit: Unit) => (endsSentence(unit.text) ? maxPauseMilliseconds : maxHesitationMilliseconds);

/** Cost of ending a cue after a unit: none after a sentence, most inside a word. */
function cutCost(unit: Unit, next: Unit | undefined): number {
  if (!next) return 0;
  if (unit.isName) return 8;
  if (endsSentence(unit.text)) return 0;
  const pause = next.start - unit.end;
  if (pause > maxHesitationMilliseconds) return 0;
  if (pause > maxPauseMilliseconds) return 0.5;
  if (endsClause(unit.text) || unit.endsSegment) return 1;
  if (pause >= pauseMilliseconds) return 1.5;
  return next.spaceBefore || endsUnspaced.test(unit.text) ? 4 : 8;
}

/** First and last unit of each cue. Minimizes the total cost by dynamic programming. */
function* cut(units: readonly PlacedUnit[]): Steps<[first: number, last: number][]> {
  const best: { cost: number; first: number }[] = [{ cost: 0, first: 0 }];
  for (let first = 0; first < units.length; first++) {
    const { start } = units[first]!;
    const { cost } = best[first]!;
    let sentences = 0;
    for (let last = first; last < units.length; last++) {
      const unit = units[last]!;
      if (last > first) {
        const previous = units[last - 1]!;
        if (unit.speaker !== previous.speaker) break;
        if (unit.end - start > maxCueMilliseconds || unit.start - previous.end > maxPauseAfter(previous)) break;
        if (previous.cutCost === 0) sentences++;
      }
      const lineBreak = breakLine(units, first, last);
      if (!lineBreak) break;
      // Sentences share a cue only to save one; among equal cuts, prefer equal lengths.
      const emptiness = 1 - widthBetween(units, first, last) / (2 * maxLineWidth);
      const shape = 0.5 * sentences + 0.5 * emptiness ** 2 + (lineBreak.orphan ? 0.5 : 0);
      const spoken = unit.end - start;
      const room = (units[last + 1]?.start ?? Number.POSITIVE_INFINITY) - start;
      const flash = Math.max(spoken, room) < minReadableMilliseconds ? 4 : spoken < minCueMilliseconds ? 0.5 : 0;
      const total = cost + 1 + unit.cutCost + shape + flash;
      if (total < (best[last + 1]?.cost ?? Number.POSITIVE_INFINITY)) best[last + 1] = { cost: total, first };
    }
    yield;
  }
  const cues: [number, number][] = [];
  for (let end = units.length; end > 0; end = best[end]!.first) cues.push([best[end]!.first, end - 1]);
  return cues.reverse();
}

function widthBetween(units: readonly PlacedUnit[], first: number, last: number): number {
  return units[last]!.column + units[last]!.width - units[first]!.column;
}

/** Difference of width between two lines that is better than to part words that belong together. */
const boundCost = 12;

/**
 * Index of the first unit of the second line, or `last + 1` for one line; undefined if two lines are too short. Balances
 * the lines and avoids a single word on the second (an orphan).
 */
function breakLine(units: readonly PlacedUnit[], first: number, last: number) {
  if (widthBetween(units, first, last) <= maxLineWidth) return { at: last + 1, orphan: false };
  let best: { at: number; orphan: boolean } | undefined;
  let minCost = Number.POSITIVE_INFINITY;
  for (let at = first + 1; at <= last; at++) {
    const upper = widthBetween(units, first, at - 1);
    const lower = widthBetween(units, at, last);
    if (upper > maxLineWidth || lower > maxLineWidth) continue;
    const orphan = at === last && last - first > 1;
    const { cutCost, isBound } = units[at - 1]!;
    const cost = Math.abs(upper - lower) + 2 * cutCost + (isBound ? boundCost : 0) + (orphan ? 1000 : 0);
    if (cost < minCost) {
      minCost = cost;
      best = { at, orphan };
    }
  }
  return best;
}

function toLines(units: readonly PlacedUnit[], first: number, last: number): string[] {
  const { at } = breakLine(units, first, last)!;
  return [units.slice(first, at), units.slice(at, last + 1)]
    .filter((line) => line.length > 0)
    .map((line) => line.map(({ text, spaceBefore }, i) => (i > 0 && spaceBefore ? ` ${text}` : text)).join(''));
}
