import type { TokenTime } from '../../../contracts/synthesis.ts';
import { SAMPLE_RATE } from '../configuration.ts';

/** Samples per step of the envelope: 5 ms. */
const STEP = SAMPLE_RATE / 200;
/** A step below this fraction of the loudest one is quiet. */
const QUIET = 0.04;
/** Steps of the shortest pause at a mark, and between two words without one: a plosive is preceded by as much. */
const MIN_PAUSE = 8;
const MIN_UNMARKED_PAUSE = 20;

/** A part of a phrase as it was generated. Positions are samples from the start of the phrase. */
export interface TimedPart {
  /** The token of the sentence that each phoneme of the phrase is spoken for; −1 for marks and spaces. */
  owners: readonly number[];
  isSpace: (phoneme: number) => boolean;
  /** First phoneme of the part, and the one after its last. */
  begin: number;
  end: number;
  /** Where a phoneme begins; for the number of phonemes, where the last one ends. */
  startOf: (phoneme: number) => number;
  /** The generated samples, which start at `origin`. */
  sound: Float32Array;
  origin: number;
}

/**
 * Times of the part's tokens, in seconds from the start of the phrase. As in hexgrad/kokoro's `join_timestamps`, two
 * words meet in the middle of the space between them. At a pause a word ends where its sound decays, and the next one
 * begins with its sound.
 */
export function wordTimes(part: TimedPart): TokenTime[] {
  const { owners, begin, end } = part;
  const envelope = envelopeOf(part.sound);
  const times: TokenTime[] = [];
  let last = -1;
  const close = () => {
    const previous = times.at(-1);
    if (!previous) return;
    const next = owners.findIndex((owner, phoneme) => phoneme > last && owner >= 0);
    previous.end = Math.max(previous.start, gapAfter(part, envelope, last, next).end / SAMPLE_RATE);
  };
  for (let phoneme = begin; phoneme < end; phoneme++) {
    const token = owners[phoneme]!;
    if (token < 0) continue;
    if (times.at(-1)?.token !== token) {
      close();
      const before = owners.findLastIndex((owner, index) => index < phoneme && owner >= 0);
      const start = gapAfter(part, envelope, before, phoneme).start / SAMPLE_RATE;
      times.push({ token, start: Math.max(times.at(-1)?.end ?? 0, start), end: start });
    }
    last = phoneme;
  }
  close();
  return times;
}

/** Where one word ends and the next one starts. @param last phoneme of the one, −1 for none; @param next of the other */
function gapAfter(
  { owners, isSpace, startOf, sound, origin }: TimedPart,
  envelope: Float32Array,
  last: number,
  next: number,
): { end: number; start: number } {
  const stop = next < 0 ? owners.length : next;
  const begins = startOf(last + 1);
  const ends = startOf(stop);
  let firstMark = last + 1;
  while (firstMark < stop && isSpace(firstMark)) firstMark++;
  const isMarked = firstMark < stop || last < 0 || next < 0;
  // The durations of the phonemes next to a pause hold some of it.
  const from = last < 0 ? origin : startOf(last);
  const to = next < 0 ? origin + sound.length : startOf(next + 1);
  const least = isMarked ? MIN_PAUSE : MIN_UNMARKED_PAUSE;
  const pause = longestQuiet(envelope, (from - origin) / STEP, (to - origin) / STEP, least);
  if (pause) return { end: origin + pause.from * STEP, start: origin + pause.to * STEP };
  if (!isMarked) return { end: (begins + ends) / 2, start: (begins + ends) / 2 };
  return { end: begins, start: ends };
}

/** Root mean square of each step. */
function envelopeOf(sound: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(sound.length / STEP) }, (_, step) => {
    let sum = 0;
    for (let index = step * STEP; index < (step + 1) * STEP; index++) sum += sound[index]! ** 2;
    return Math.sqrt(sum / STEP);
  });
}

/** The longest run of quiet steps in a range, if it is long enough. */
function longestQuiet(
  envelope: Float32Array,
  first: number,
  end: number,
  least: number,
): { from: number; to: number } | undefined {
  const threshold = QUIET * envelope.reduce((most, value) => Math.max(most, value), 0);
  const stop = Math.min(envelope.length, Math.round(end));
  let best: { from: number; to: number } | undefined;
  let from = Math.max(0, Math.round(first));
  for (let step = from; step <= stop; step++) {
    if (step < stop && envelope[step]! < threshold) continue;
    if (step - from >= least && (!best || step - from > best.to - best.from)) best = { from, to: step };
    from = step + 1;
  }
  return best;
}
