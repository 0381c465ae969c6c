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
  for (const pause of pausesOf(window)) {
    if (end <= pause.start || start >= pause.end) continue;
    if (start >= pause.start && end <= pause.end) return outOfPause({ start, end }, pause, window, lead);
    if (pause.end === window.end || belongsBefore({ start, end }, pause, lead)) {
      end = Math.min(end, pause.start + SLACK);
    } else {
      start = Math.max(start, pause.end - SLACK);
      end = Math.max(start, end);
    }
  }
  return { start, end };
}

/** The silence before, between and after the speech of a window, without the closures of plosives. */
function pausesOf({ start, end, speech }: SpeechWindow): Span[] {
  const starts = [start, ...speech.map((span) => span.end)];
  const ends = [...speech.map((span) => span.start), end];
  return starts
    .map((from, index) => ({ start: from, end: ends[index]! }))
    .filter((pause) => {
      const atEdge = pause.start === start || pause.end === end;
      return pause.end - pause.start >= (atEdge ? 1 : PAUSE);
    });
}

/** Moves a word out of the pause that all of it lies in. */
function outOfPause(word: Span, pause: Span, window: SpeechWindow, lead: number): Span {
  if (pause.start === window.start) {
    // Soft words before all speech keep their order.
    const scale = Math.min(1, MAX_SOFT / (pause.end - pause.start));
    return { start: pause.end - scale * (pause.end - word.start), end: pause.end - scale * (pause.end - word.end) };
  }
  const isEarly = pause.end === window.end || word.start - pause.start + lead < pause.end - word.end;
  const edge = isEarly ? pause.start : pause.end;
  return { start: edge, end: edge };
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
/** Time of such a word, if its neighbours have it. */
const MIN_LENGTH = 0.03 * SAMPLE_RATE;
/** Time of such a word before a pause with no word beside it, if the pause has it. */
const SHORT_WORD = 0.2 * SAMPLE_RATE;

/**
 * Gives words without duration a little time of the next word if it follows at once, else of the previous one, else more of
 * the pause after them. Where those have too little, too, all share theirs with the next neighbour.
 * @param words in order
 * @param limit where the time after the last word ends
 */
export function lengthenInstants(words: readonly Span[], limit: number): Span[] {
  const lengthened = words.map((word) => ({ ...word }));
  for (let index = 0; index < lengthened.length; index++) {
    const { start, end } = lengthened[index]!;
    if (end - start < INSTANT) index = lengthenAt(lengthened, index, limit);
  }
  return lengthened;
}

/**
 * Lengthens a word, and the neighbours that have too little time to share, in place.
 * @returns the index of the last of them
 */
function lengthenAt(words: readonly Span[], index: number, limit: number): number {
  let [first, last] = [index, index];
  let { start, end } = words[index]!;
  for (;;) {
    const [before, next] = [words[first - 1], words[last + 1]];
    const count = last - first + 1;
    const needed = MIN_LENGTH * count;
    if (next && next.start <= end) {
      if (next.end - start >= needed + MIN_LENGTH) {
        end = start + needed;
        next.start = end;
        break;
      }
      last++;
      end = Math.max(end, next.end);
    } else if (before && before.end >= start) {
      if (end - before.start >= needed + MIN_LENGTH) {
        start = end - needed;
        before.end = start;
        break;
      }
      first--;
      start = Math.min(start, before.start);
    } else {
      // Half of a pause at most.
      const free = next ? (next.start - end) / 2 : limit - end;
      const wanted = count === 1 ? SHORT_WORD : needed;
      end = Math.max(end, Math.min(start + wanted, end + free));
      break;
    }
  }
  spread(words.slice(first, last + 1), { start, end });
  return last;
}

/** Spreads words evenly over a time, in place. */
export function spread(words: readonly Span[], { start, end }: Span): void {
  let previousEnd = start;
  for (const [index, word] of words.entries()) {
    word.start = previousEnd;
    previousEnd = index === words.length - 1 ? end : start + ((end - start) * (index + 1)) / words.length;
    word.end = previousEnd;
  }
}
