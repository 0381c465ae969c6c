import { SAMPLE_RATE } from '../silero/voice-activity.ts';
import type { SpeechWindow } from '../transcript.ts';
import type { Decoded } from './decoding.ts';
import { moonshineTiny } from './graph.ts';
import type { TokenWord } from './tokenizer.ts';

/**
 * An encoder frame looks at 127 samples, 7 of those steps of 64 and 3 of those of 192: its middle lies here, in samples
 * from where it starts.
 */
const FRAME_CENTRE = (127 + 6 * 64 + 2 * 192) / 2;

const samplesOfFrame = (frame: number) => frame * moonshineTiny.frameStride + FRAME_CENTRE;

export interface TimedWord extends TokenWord {
  /** Seconds from the start of the recording. */
  from: number;
  to: number;
}

/**
 * Word times by dynamic time warping over the cross-attention, as openai/whisper's `timing.py` does it, then moved off
 * the pauses that voice activity found, over which attention drifts.
 */
export function timeWords(words: readonly TokenWord[], decoded: Decoded, window: SpeechWindow): TimedWord[] {
  if (words.length === 0) return [];
  const starts = tokenStarts(decoded.attention);
  const position = (token: number) => Math.min(window.start + samplesOfFrame(starts[token]!), window.end);
  const raw = words.map((word, index) => ({
    start: position(word.first),
    end: index + 1 < words.length ? position(words[index + 1]!.first) : window.end,
  }));
  let earliest = window.start;
  return words.map((word, index) => {
    const { start, end } = awayFromPauses(raw[index]!, window);
    const from = Math.max(start, earliest);
    const to = Math.max(end, from);
    earliest = to;
    return { ...word, from: from / SAMPLE_RATE, to: to / SAMPLE_RATE };
  });
}

/** For each token, the first frame that the cheapest monotonic path through the attention gives it. */
export function tokenStarts(attention: readonly Float32Array[]): number[] {
  const rows = attention.length;
  const columns = attention[0]?.length ?? 0;
  let above = new Float32Array(columns + 1).fill(Number.POSITIVE_INFINITY);
  above[0] = 0;
  // 0: from the token and the frame before; 1: from the token before; 2: from the frame before.
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

/** The part of a word's time that lies on one side of every pause: the longer one. */
function awayFromPauses(word: { start: number; end: number }, window: SpeechWindow): { start: number; end: number } {
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
      // All of it lies in the pause: it belongs to the nearer edge.
      const early = start - pause.start < pause.end - end && pause.start > window.start;
      return early ? { start: pause.start, end: pause.start } : { start: pause.end, end: pause.end };
    }
    if (before >= after) end = Math.min(end, pause.start + SLACK);
    else start = Math.max(start, pause.end - SLACK);
  }
  return { start, end };
}

/** Attention further than this from all speech is not on speech. */
const NEAR = 0.3 * SAMPLE_RATE;
/** Speech that was passed this long ago is not being transcribed any more. */
const LOOK_BACK = 1.5 * SAMPLE_RATE;
const RECENT_WORDS = 5;

/**
 * For each word, whether the model looked at speech when it chose it, going on from where it was. What it makes up after
 * the end is chosen while looking at silence, or back at what was said long before.
 */
export function groundedWords(words: readonly TokenWord[], decoded: Decoded, window: SpeechWindow): boolean[] {
  const recent: number[] = [];
  return words.map((word) => {
    const reached = median(recent) ?? window.start;
    const peaks = decoded.attention.slice(word.first, word.end).map((row) => window.start + samplesOfFrame(peak(row)));
    const grounding = peaks.filter(
      (at) =>
        at >= reached - LOOK_BACK &&
        window.speech.some((speech) => at >= speech.start - NEAR && at <= speech.end + NEAR),
    );
    if (grounding.length === 0) return false;
    recent.push(Math.max(...grounding));
    if (recent.length > RECENT_WORDS) recent.shift();
    return true;
  });
}

function peak(row: Float32Array): number {
  let best = 0;
  for (let index = 1; index < row.length; index++) if (row[index]! > row[best]!) best = index;
  return best;
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
