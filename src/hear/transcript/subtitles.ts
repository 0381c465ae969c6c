import type { Segment } from '../../contracts/transcription.ts';
import { atOnce, type Steps } from './steps.ts';

/** Longest line, in characters; a full-width character (Chinese, Japanese, Korean) counts as two. */
export const maxLineWidth = 42;
/** Longest time that a cue is shown, in milliseconds. */
export const maxCueMilliseconds = 7000;
/** A silence longer than this always ends a cue, in milliseconds. */
export const maxPauseMilliseconds = 600;
/** Time that a short cue stays for where the next one leaves room, in milliseconds. */
const minCueMilliseconds = 1000;
/** A silence from here on is a good place to cut, in milliseconds. */
const pauseMilliseconds = 200;

/** What is shown at one time: one or two lines of plain text, not yet escaped for a file format. */
export interface Cue {
  /** Milliseconds from the start of the recording. */
  start: number;
  end: number;
  lines: string[];
}

/** The smallest thing that is never taken apart: a word, or a part of one that is too long for a line. */
interface Piece {
  text: string;
  width: number;
  /** Milliseconds. */
  start: number;
  end: number;
  /** Whether a blank stands before it, unless a line begins with it. */
  blank: boolean;
  /** Whether it is the last of its segment. */
  endsSegment: boolean;
}

/** A piece with what cutting needs to know of its place. */
interface PlacedPiece extends Piece {
  /** Where it would begin if all pieces stood in one line. */
  column: number;
  /** What it costs to end a cue after it. */
  cutCost: number;
}

// Scripts that are written without blanks, where a line may break between any two words.
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
const startsUnspaced = new RegExp(`^${unspaced.source}`, 'u');
const endsUnspaced = new RegExp(`${unspaced.source}$`, 'u');
const fullWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
const blanks = /[\s\p{Cc}]+/u;
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々ゝゞ]/u;
const opening = /[\p{Ps}\p{Pi}¿¡]$/u;
const sentenceEnd = /[.!?…。！？｡．।॥؟۔։።]["'”’»」』)\]）]*$/u;
const abbreviation = /^["'“‘(]*(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Jr|vs|\p{Lu})\.$/u;
const clauseEnd = /(?:[,;:،؛、，；：—–]|--)["'”’»」』)\]）]*$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The segments as SubRip; empty where nothing is said. */
export const srt = (segments: readonly Segment[]): string => atOnce(srtSteps(segments));

/** The segments as WebVTT; only the header where nothing is said. */
export const vtt = (segments: readonly Segment[]): string => atOnce(vttSteps(segments));

/** The same as `srt`, for recordings of hours, which take a second. */
export function* srtSteps(segments: readonly Segment[]): Steps<string> {
  const blocks: string[] = [];
  for (const { start, end, lines } of yield* cueSteps(segments)) {
    const time = `${timestamp(start, ',')} --> ${timestamp(end, ',')}`;
    // SubRip knows no escapes, and some players take any line with an arrow for the times of the next cue.
    const text = lines.map((line) => line.replaceAll('-->', '→'));
    blocks.push(`${blocks.length + 1}\n${time}\n${text.join('\n')}\n`);
    yield;
  }
  return blocks.join('\n');
}

/** The same as `vtt`. */
export function* vttSteps(segments: readonly Segment[]): Steps<string> {
  const blocks = ['WEBVTT\n'];
  for (const { start, end, lines } of yield* cueSteps(segments)) {
    const text = lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    blocks.push(`\n${timestamp(start, '.')} --> ${timestamp(end, '.')}\n${text.join('\n')}\n`);
    yield;
  }
  return blocks.join('');
}

function timestamp(milliseconds: number, decimalSign: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60].map(two).join(':');
  return `${clock}${decimalSign}${String(milliseconds % 1000).padStart(3, '0')}`;
}

/**
 * Cuts the words of the segments into cues of at most two lines and seven seconds: by preference at the end of a
 * sentence, then at other punctuation, then at a pause. Cues are in order and never overlap. A segment without words has
 * its text spread evenly over its time.
 */
export const cues = (segments: readonly Segment[]): Cue[] => atOnce(cueSteps(segments));

function* cueSteps(segments: readonly Segment[]): Steps<Cue[]> {
  const pieces = yield* place(yield* toPieces(segments));
  const found: Cue[] = [];
  for (const [first, last] of yield* cut(pieces)) {
    const start = Math.max(pieces[first]!.start, (found.at(-1)?.start ?? -1) + 1);
    const previous = found.at(-1);
    if (previous) previous.end = Math.min(previous.end, start);
    const end = Math.min(Math.max(pieces[last]!.end, start + minCueMilliseconds), start + maxCueMilliseconds);
    found.push({ start, end, lines: toLines(pieces, first, last) });
    yield;
  }
  return found;
}

/** All words in order, with times in whole milliseconds that never run backwards. */
function* toPieces(segments: readonly Segment[]): Steps<Piece[]> {
  const pieces: Piece[] = [];
  let trailingBlank = false;
  let now = 0;
  const add = (text: string, startSeconds: number, endSeconds: number, blank: boolean) => {
    const start = Math.max(now, toMilliseconds(startSeconds));
    const end = Math.max(start, toMilliseconds(endSeconds));
    const atoms = toAtoms(text, blank);
    const total = atoms.reduce((sum, atom) => sum + atom.text.length, 0);
    let done = 0;
    for (const atom of atoms) {
      const from = start + Math.round(((end - start) * done) / total);
      done += atom.text.length;
      const to = start + Math.round(((end - start) * done) / total);
      append(pieces, { ...atom, width: widthOf(atom.text), start: from, end: to, endsSegment: false });
    }
    now = pieces.at(-1)?.start ?? now;
  };
  for (const segment of segments) {
    const spoken = segment.words.filter(({ word }) => word.replace(blanks, '') !== '');
    const leadingBlank = trailingBlank || /^\s/.test(segment.text);
    if (spoken.length > 0) {
      const isSpaced = blanksBetween(
        segment.text,
        spoken.map(({ word }) => word),
      );
      for (const [i, { word, start, end }] of spoken.entries())
        add(word, start, end, i > 0 ? isSpaced(i) : leadingBlank);
    } else {
      add(segment.text, segment.start, segment.end, leadingBlank);
    }
    const last = pieces.at(-1);
    if (last) last.endsSegment = true;
    trailingBlank = /\s$/.test(segment.text);
    yield;
  }
  return pieces;
}

const toMilliseconds = (seconds: number) => (Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0);

const widthOf = (text: string) => text.length + (text.match(fullWidth)?.length ?? 0);

/** Whether a blank stands before word `i`: as the text has it, or by script where the words are not those of the text. */
function blanksBetween(text: string, spoken: string[]): (i: number) => boolean {
  const found: boolean[] = [];
  let position = 0;
  for (const word of spoken) {
    let start = position;
    while (/\s/.test(text.charAt(start))) start++;
    const bare = word.trim();
    if (!text.startsWith(bare, start)) {
      return (i) => !(endsUnspaced.test(spoken[i - 1]!) || startsUnspaced.test(spoken[i]!));
    }
    found.push(start > position || bare !== word);
    position = start + bare.length;
  }
  return (i) => found[i]!;
}

/** Takes a text apart at its blanks, at word boundaries in scripts without blanks, and where it is too long for a line. */
function toAtoms(text: string, blank: boolean): { text: string; blank: boolean }[] {
  const tokens = text.split(blanks).filter((token) => token !== '');
  return tokens.flatMap((token, i) => {
    let parts = [token];
    if (widthOf(token) > maxLineWidth || unspaced.test(token)) {
      parts = Array.from(words.segment(token), ({ segment }) => segment).flatMap(toChunks);
    }
    return parts.map((part, k) => ({ text: part, blank: k === 0 && (i > 0 || blank) }));
  });
}

function toChunks(text: string): string[] {
  if (widthOf(text) <= maxLineWidth) return [text];
  const chunks: string[] = [''];
  for (const { segment } of graphemes.segment(text)) {
    // A letter under a heap of accents can be wider than a line in itself.
    for (const part of widthOf(segment) > maxLineWidth ? segment : [segment]) {
      if (widthOf(chunks.at(-1)! + part) > maxLineWidth) chunks.push(part);
      else chunks[chunks.length - 1] += part;
    }
  }
  return chunks;
}

/** Adds a piece to the list, or to the last piece where no line may break between the two. */
function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  const sticks =
    last !== undefined &&
    !piece.blank &&
    last.width + piece.width <= maxLineWidth &&
    piece.start - last.end <= maxPauseMilliseconds &&
    (closing.test(piece.text) ||
      opening.test(last.text) ||
      !(endsUnspaced.test(last.text) || startsUnspaced.test(piece.text) || last.text.endsWith('-')));
  if (!sticks) {
    pieces.push(piece);
    return;
  }
  last.text += piece.text;
  last.width += piece.width;
  last.end = Math.max(last.end, piece.end);
  last.endsSegment = false;
}

function* place(pieces: readonly Piece[]): Steps<PlacedPiece[]> {
  const placed: PlacedPiece[] = [];
  let column = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.blank) column++;
    placed.push({ ...piece, column, cutCost: cutCost(piece, pieces[index + 1]) });
    column += piece.width;
    yield;
  }
  return placed;
}

/** What it costs to end a cue after a piece: nothing after a sentence, most inside a word. */
function cutCost(piece: Piece, next: Piece | undefined): number {
  if (!next) return 0;
  if (sentenceEnd.test(piece.text) && !abbreviation.test(piece.text)) return 0;
  const pause = next.start - piece.end;
  if (pause > maxPauseMilliseconds) return 0;
  if (clauseEnd.test(piece.text) || piece.endsSegment) return 1;
  if (pause >= pauseMilliseconds) return 1.5;
  return next.blank || endsUnspaced.test(piece.text) ? 4 : 8;
}

/**
 * First and last piece of each cue, by dynamic programming over the places to cut: the sum of the costs of all cues is
 * the least possible.
 */
function* cut(pieces: readonly PlacedPiece[]): Steps<[first: number, last: number][]> {
  const best: { cost: number; first: number }[] = [{ cost: 0, first: 0 }];
  for (let first = 0; first < pieces.length; first++) {
    const { start } = pieces[first]!;
    const { cost } = best[first]!;
    let sentences = 0;
    for (let last = first; last < pieces.length; last++) {
      const piece = pieces[last]!;
      if (last > first) {
        const previous = pieces[last - 1]!;
        if (piece.end - start > maxCueMilliseconds || piece.start - previous.end > maxPauseMilliseconds) break;
        if (previous.cutCost === 0) sentences++;
      }
      const lineBreak = breakLine(pieces, first, last);
      if (!lineBreak) break;
      // Two sentences share a cue only where that saves one; of equal cuts, the one into equal parts is better.
      const emptiness = 1 - widthBetween(pieces, first, last) / (2 * maxLineWidth);
      const shape = 0.5 * sentences + 0.5 * emptiness ** 2 + (lineBreak.orphan ? 0.5 : 0);
      const flash = piece.end - start < minCueMilliseconds ? 0.5 : 0;
      const total = cost + 1 + piece.cutCost + shape + flash;
      if (total < (best[last + 1]?.cost ?? Number.POSITIVE_INFINITY)) best[last + 1] = { cost: total, first };
    }
    yield;
  }
  const found: [number, number][] = [];
  for (let end = pieces.length; end > 0; end = best[end]!.first) found.push([best[end]!.first, end - 1]);
  return found.reverse();
}

function widthBetween(pieces: readonly PlacedPiece[], first: number, last: number): number {
  return pieces[last]!.column + pieces[last]!.width - pieces[first]!.column;
}

/**
 * The piece that the second line begins with, or the one after the last where one line is enough; undefined where two lines are
 * too little. The lines are about equally long, and the second is no single word where that can be avoided.
 */
function breakLine(pieces: readonly PlacedPiece[], first: number, last: number) {
  if (widthBetween(pieces, first, last) <= maxLineWidth) return { at: last + 1, orphan: false };
  let found: { at: number; orphan: boolean } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let at = first + 1; at <= last; at++) {
    const upper = widthBetween(pieces, first, at - 1);
    const lower = widthBetween(pieces, at, last);
    if (upper > maxLineWidth || lower > maxLineWidth) continue;
    const orphan = at === last && last - first > 1;
    const cost = Math.abs(upper - lower) + 2 * pieces[at - 1]!.cutCost + (orphan ? 1000 : 0);
    if (cost < least) {
      least = cost;
      found = { at, orphan };
    }
  }
  return found;
}

function toLines(pieces: readonly PlacedPiece[], first: number, last: number): string[] {
  const { at } = breakLine(pieces, first, last)!;
  return [pieces.slice(first, at), pieces.slice(at, last + 1)]
    .filter((line) => line.length > 0)
    .map((line) => line.map(({ text, blank }, i) => (i > 0 && blank ? ` ${text}` : text)).join(''));
}
