import type { Segment } from '../../contracts/transcription.ts';
import type { Steps } from './steps.ts';

/** What subtitles need of a segment. */
export interface TimedText extends Pick<Segment, 'start' | 'end' | 'text' | 'words'> {
  /** Name of who says it, if known. */
  speaker?: string;
}

/** Maximum width of a line in characters; a full-width character (Chinese, Japanese, Korean) counts as two. */
export const MAX_LINE_WIDTH = 42;
/** A longer silence after a sentence always ends a cue. */
export const MAX_PAUSE_MS = 600;

/** Text that is never split: a word, or a part of one too long for a line. */
export interface Unit {
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

// Scripts without spaces: lines may break between any two words.
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
const startsUnspaced = new RegExp(`^${unspaced.source}`, 'u');
/** Matches text that a line may end after although no space follows. */
export const endsUnspaced = new RegExp(`${unspaced.source}$`, 'u');
const fullWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
const whitespace = /[\s\p{Cc}]+/u;
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々ゝゞ]/u;
const opening = /[\p{Ps}\p{Pi}¿¡]$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** All words in order, with monotonic times in whole milliseconds. */
export function* toUnits(segments: readonly TimedText[], hasNames: boolean): Steps<Unit[]> {
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
    if (widthOf(token) > MAX_LINE_WIDTH || unspaced.test(token)) {
      parts = Array.from(words.segment(token), ({ segment }) => segment).flatMap(splitByWidth);
    }
    return parts.map((part, k) => ({ text: part, spaceBefore: k === 0 && (i > 0 || spaceBefore) }));
  });
}

function splitByWidth(text: string): string[] {
  if (widthOf(text) <= MAX_LINE_WIDTH) return [text];
  const chunks: string[] = [''];
  for (const { segment } of graphemes.segment(text)) {
    // A letter with many combining accents can be wider than a line.
    for (const part of widthOf(segment) > MAX_LINE_WIDTH ? segment : [segment]) {
      if (widthOf(chunks.at(-1)! + part) > MAX_LINE_WIDTH) chunks.push(part);
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
    last.width + unit.width <= MAX_LINE_WIDTH &&
    unit.start - last.end <= MAX_PAUSE_MS &&
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
