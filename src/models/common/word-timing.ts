import type { Span, SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';

/**
 * Dynamic time warping of tokens onto encoder frames, as `dtw` in openai/whisper's `timing.py`: the monotonic path of
 * maximum attention.
 * @param attention `[frames]` for each token
 * @returns the first frame of the path for each token
 */
export function tokenStarts(attention: readonly Float32Array[]): number[] {
  const rows = attention.length;
  const columns = attention[0]?.length ?? 0;
  let above = new Float32Array(columns + 1).fill(Number.POSITIVE_INFINITY);
  above[0] = 0;
  // Predecessor: 0: previous token and frame; 1: previous token; 2: previous frame.
  const trace = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const current = new Float32Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const weights = attention[row]!;
    for (let column = 0; column < columns; column++) {
      const diagonal = above[column]!;
      const up = above[column + 1]!;
      const left = current[column]!;
      let best = left;
      let step = 2;
      if (diagonal < up && diagonal < left) {
        best = diagonal;
        step = 0;
      } else if (up < diagonal && up < left) {
        best = up;
        step = 1;
      }
      current[column + 1] = best - weights[column]!;
      trace[row * columns + column] = step;
    }
    above = current;
  }
  const starts = new Array<number>(rows).fill(0);
  let row = rows - 1;
  let column = columns - 1;
  while (row >= 0 && column >= 0) {
    starts[row] = column;
    const step = trace[row * columns + column];
    if (step !== 1) column--;
    if (step !== 2) row--;
  }
  return starts;
}

/** A pause shorter than this may lie within a word: the closure of a plosive. */
const PAUSE = 0.2 * SAMPLE_RATE;
/** Voice activity is late by about this much at both ends of speech. */
const SLACK = 0.03 * SAMPLE_RATE;

/** Soft words come before the speech that voice activity finds by at most this. */
const MAX_SOFT = 0.2 * SAMPLE_RATE;

/**
 * Trims a word's time to one side of each pause. Attention drifts over pauses; voice activity finds them.
 * @param word samples from the start of the recording
 * @param lead how far attention to the word after a pause reaches back before the pause at most, in samples
 */
export function snapToSpeech(word: Span, window: SpeechWindow, lead = 0): Span {
  let { start, end } = word;
  let quietFrom = window.start;
  for (const speech of [...window.speech, { start: window.end, end: window.end }]) {
    const pause = { start: quietFrom, end: speech.start };
    const atEdge = pause.start === window.start || pause.end === window.end;
    quietFrom = speech.end;
    if (pause.end - pause.start < (atEdge ? 1 : PAUSE) || end <= pause.start || start >= pause.end) continue;
    const before = pause.start - start;
    const after = end - pause.end;
    if (before <= 0 && after <= 0) {
      // All of it lies in the pause: it belongs to the nearer edge. Soft words before all speech keep their order.
      if (pause.start === window.start) {
        const scale = Math.min(1, MAX_SOFT / (pause.end - pause.start));
        return { start: pause.end - scale * (pause.end - start), end: pause.end - scale * (pause.end - end) };
      }
      const isEarly = pause.end === window.end || start - pause.start + lead < pause.end - end;
      return isEarly ? { start: pause.start, end: pause.start } : { start: pause.end, end: pause.end };
    }
    if (pause.end === window.end || belongsBefore({ start, end }, pause, lead)) {
      end = Math.min(end, pause.start + SLACK);
    } else {
      start = Math.max(start, pause.end - SLACK);
      end = Math.max(start, end);
    }
  }
  return { start, end };
}

/** Whether a word that overlaps a pause belongs before it: whether more of it lies there. */
function belongsBefore(word: Span, pause: Span, lead: number): boolean {
  const before = pause.start - word.start;
  const after = word.end - pause.end;
  if (after > 0) return before >= after + lead;
  // Attention that leads lies mostly in the pause for a word after it.
  return lead === 0 || before >= word.end - pause.start;
}

/** A shorter word is one that attention saw in one frame, or whose attention lies in a pause. */
const INSTANT = 0.01 * SAMPLE_RATE;
/** Time of such a word that neither word beside it touches, if it is free. */
const SHORT_WORD = 0.2 * SAMPLE_RATE;

/**
 * Gives words without duration a little time of the next word if it follows at once, else of the previous one, else of the
 * pause after them.
 * @param words in order
 * @param limit where the time after the last word ends
 */
export function lengthenInstants(words: readonly Span[], limit: number): Span[] {
  const isInstant = ({ start, end }: Span) => end - start < INSTANT;
  const lengthened = words.map((word) => ({ ...word }));
  for (let index = lengthened.length - 2; index >= 0; index--) {
    const word = lengthened[index]!;
    const next = lengthened[index + 1]!;
    if (!isInstant(word) || next.start > word.end) continue;
    word.end = Math.min(word.start + SLACK, (next.start + next.end) / 2);
    next.start = word.end;
  }
  for (const [index, word] of lengthened.entries()) {
    if (!isInstant(word)) continue;
    const before = lengthened[index - 1];
    if (before && before.end >= word.start) {
      word.start = Math.max(word.end - SLACK, (before.start + before.end) / 2);
      before.end = word.start;
    } else {
      const free = lengthened[index + 1]?.start ?? limit;
      word.end = Math.max(word.end, Math.min(word.start + SHORT_WORD, free));
    }
  }
  return lengthened;
}
