import type { SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { lengthenInstants, snapToSpeech, tokenStarts } from '../common/word-timing.ts';
import { moonshineTiny } from './graph/network.ts';
import type { DecodingResult } from './model.ts';
import type { TokenWord } from './tokenizer.ts';

/** Centre of an encoder frame in samples from its start: it sees 127 samples, 7 steps of 64 and 3 steps of 192. */
const FRAME_CENTRE = (127 + 6 * 64 + 2 * 192) / 2;

const frameCentre = (frame: number) => frame * moonshineTiny.frameStride + FRAME_CENTRE;

export interface TimedWord extends TokenWord {
  /** Seconds from the start of the recording. */
  from: number;
  to: number;
}

/**
 * Word times by dynamic time warping over the cross-attention, as in openai/whisper's `timing.py`, then moved off the pauses
 * that voice activity found, since attention drifts there.
 */
export function timeWords(words: readonly TokenWord[], result: DecodingResult, window: SpeechWindow): TimedWord[] {
  if (words.length === 0) return [];
  const starts = tokenStarts(result.attention);
  const position = (token: number) => Math.min(window.start + frameCentre(starts[token]!), window.end);
  const attended = words.map((word, index) => ({
    start: position(word.first),
    end: index + 1 < words.length ? position(words[index + 1]!.first) : window.end,
  }));
  let earliest = window.start;
  const spans = attended.map((word) => {
    const snapped = snapToSpeech(word, window);
    const start = Math.max(snapped.start, earliest);
    earliest = Math.max(snapped.end, start);
    return { start, end: earliest };
  });
  return lengthenInstants(spans, window.end).map(({ start, end }, index) => ({
    ...words[index]!,
    from: start / SAMPLE_RATE,
    to: end / SAMPLE_RATE,
  }));
}

/** Characters per second. The fastest repetition of a speaker in a meeting had 31; those that the model makes up start at 60. */
const MAX_REPETITION_RATE = 50;
const MAX_REPEATED_WORDS = 16;

/** Leaves out words that repeat those right before them, faster than anybody speaks. */
export function withoutRepetition(words: readonly TimedWord[]): TimedWord[] {
  const kept: TimedWord[] = [];
  for (let index = 0; index < words.length; ) {
    const repeated = repeatedWords(kept, words.slice(index, index + MAX_REPEATED_WORDS));
    if (repeated === 0) kept.push(words[index]!);
    index += Math.max(1, repeated);
  }
  return kept;
}

/** How many words, at least two, repeat the last ones before them too fast. */
function repeatedWords(before: readonly TimedWord[], words: readonly TimedWord[]): number {
  for (let count = Math.min(words.length, before.length); count > 1; count--) {
    const repetition = words.slice(0, count);
    const text = plainText(repetition);
    const seconds = repetition.at(-1)!.to - repetition[0]!.from;
    if (text === plainText(before.slice(-count)) && text.length > MAX_REPETITION_RATE * seconds) return count;
  }
  return 0;
}

const plainText = (words: readonly TimedWord[]) =>
  words.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '')).join(' ');

/** Attention this close to speech counts as on speech, in samples. */
const MAX_DISTANCE = 0.3 * SAMPLE_RATE;
/** How far attention may move back, in samples. */
const MAX_LOOK_BACK = 1.5 * SAMPLE_RATE;
const RECENT_WORDS = 5;

/**
 * For each word, whether the model attended to speech at or after the recent words. Words hallucinated after the end attend
 * to silence, or to speech long past.
 */
export function groundedWords(words: readonly TokenWord[], result: DecodingResult, window: SpeechWindow): boolean[] {
  const recent: number[] = [];
  return words.map((word) => {
    const reached = median(recent) ?? window.start;
    const peaks = result.attention.slice(word.first, word.end).map((row) => window.start + frameCentre(peak(row)));
    const grounding = peaks.filter(
      (sample) =>
        sample >= reached - MAX_LOOK_BACK &&
        window.speech.some((speech) => sample >= speech.start - MAX_DISTANCE && sample <= speech.end + MAX_DISTANCE),
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
