import { Stretcher } from '../../audio/stretch.ts';
import type { CaptionWord, MarkTime, SpokenChunk, TokenTime } from '../../contracts/synthesis.ts';
import type { SpokenToken, TokenMark } from '../../text/types.ts';

/** Level above which samples are limited; full scale is 1. */
const KNEE = 0.8;

/** Samples with times from the start of the whole audio. */
export interface TimedAudio {
  samples: Float32Array;
  words: CaptionWord[];
  marks: MarkTime[];
}

/**
 * Assembles the audio of a job: mixes tails into the next chunk, puts words on one time axis, changes the tempo if
 * needed.
 */
export class Timeline {
  readonly #sampleRate: number;
  #tempo = 1;
  #stretcher: Stretcher | undefined;
  #tail: Float32Array | undefined;
  /** Samples output before the current stretch, and samples input since. */
  #before = 0;
  #taken = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /**
   * Sets the tempo of the following audio.
   * @param tempo factor by which the audio is faster than it was spoken
   * @returns the audio held back so far
   */
  changeTempo(tempo: number): Float32Array {
    const rest = this.flush();
    this.#tempo = tempo;
    this.#stretcher = tempo === 1 ? undefined : new Stretcher(tempo, this.#sampleRate);
    return rest;
  }

  /**
   * @param samples modified in place
   * @param words with times from the start of `samples`, as those of `marks`
   */
  add(
    samples: Float32Array,
    words: readonly CaptionWord[],
    tail: Float32Array | undefined,
    marks: readonly MarkTime[] = [],
  ): TimedAudio {
    if (samples.length > 0) {
      for (const [index, value] of this.#tail?.entries() ?? []) samples[index]! += value;
      this.#tail = tail;
    }
    const at = (seconds: number) =>
      this.#before / this.#sampleRate + (this.#taken / this.#sampleRate + seconds) / this.#tempo;
    const timed = words.map(({ word, start_time, end_time }) => ({
      word,
      start_time: at(start_time),
      end_time: at(end_time),
    }));
    const timedMarks = marks.map(({ name, time }) => ({ name, time: at(time) }));
    this.#taken += samples.length;
    return { samples: this.#stretcher?.write(samples) ?? samples, words: timed, marks: timedMarks };
  }

  /** The audio held back so far; a silence that keeps its length may follow. */
  flush(): Float32Array {
    const rest = this.#stretcher?.flush() ?? new Float32Array(0);
    this.#before += Math.round(this.#taken / this.#tempo);
    this.#taken = 0;
    return rest;
  }

  /** Adds silence whose length the tempo does not change. */
  pause(samples: Float32Array): Float32Array {
    const rest = this.flush();
    this.#before += samples.length;
    const both = new Float32Array(rest.length + samples.length);
    both.set(rest);
    return both;
  }
}

/** The captions of one sentence, as its chunks are spoken in order. */
export class Captions {
  readonly #tokens: readonly SpokenToken[];
  /** The token in whose caption each token is shown. */
  readonly #owners: readonly number[];
  readonly #marks: readonly TokenMark[];
  /** Marks that have been reached. */
  #reached = 0;
  readonly #sampleRate: number;
  /** Seconds of the chunks so far. */
  #spoken = 0;
  /** The last token, which may continue in the next chunk. */
  #last: TokenTime | undefined;
  /** The last token with a caption. */
  #captioned = -1;

  /** @param marks in order of their tokens */
  constructor(tokens: readonly SpokenToken[], sampleRate: number, marks: readonly TokenMark[] = []) {
    this.#tokens = tokens;
    let owner = 0;
    this.#owners = tokens.map(({ caption }, index) => {
      if (caption !== '') owner = index;
      return owner;
    });
    this.#marks = marks;
    this.#sampleRate = sampleRate;
  }

  /**
   * The words of a chunk, with times from its start.
   * @param next the token that the next chunk begins with, if there is one: a token that spans both is captioned with the
   * chunk that it ends in
   */
  of({ samples, times }: SpokenChunk, next: number | undefined): CaptionWord[] {
    const words: CaptionWord[] = [];
    const close = () => {
      if (!this.#last) return;
      const { token, start, end } = this.#last;
      this.#last = undefined;
      this.#captioned = token;
      const [start_time, end_time] = [start - this.#spoken, end - this.#spoken];
      const { written, caption } = this.#tokens[token]!;
      words.push({ word: caption ?? written, start_time, end_time });
    };
    for (const { token: heard, start, end } of times) {
      const token = this.#owners[heard]!;
      if (token <= this.#captioned) continue;
      if (this.#last?.token !== token) close();
      this.#last = { token, start: this.#last?.start ?? this.#spoken + start, end: this.#spoken + end };
    }
    if (next === undefined || this.#last?.token !== this.#owners[next]) close();
    this.#spoken += samples.length / this.#sampleRate;
    return words;
  }

  /**
   * The marks that a chunk reaches, with times from its start. Call it once for each chunk.
   * @param isLast whether the chunk ends the sentence
   */
  marksOf({ samples, times }: SpokenChunk, isLast: boolean): MarkTime[] {
    const reached: MarkTime[] = [];
    const reach = (token: number, time: number) => {
      for (let mark = this.#marks[this.#reached]; mark && mark.token <= token; mark = this.#marks[++this.#reached]) {
        reached.push({ name: mark.name, time });
      }
    };
    for (const { token, start } of times) reach(token, start);
    // Silence may follow the last word.
    if (isLast) reach(this.#tokens.length, times.at(-1)?.end ?? samples.length / this.#sampleRate);
    return reached;
  }
}

/**
 * Multiplies samples by `volume` and limits them softly. Up to 0.8 they are only scaled; above, a hyperbola approaches 1
 * smoothly and strictly rising, so that no peak is flattened even at ten times the volume. Each sample is independent, so
 * chunks of a recording can be limited one by one.
 *
 * @param volume above 0
 * @returns a new array, within ±1
 */
export function softLimit(samples: Float32Array, volume: number): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const scaled = samples[i]! * volume;
    const over = Math.abs(scaled) - KNEE;
    result[i] = over > 0 ? Math.sign(scaled) * (1 - (1 - KNEE) ** 2 / (over + 1 - KNEE)) : scaled;
  }
  return result;
}
