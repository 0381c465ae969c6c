import { Stretcher } from '../../audio/stretch.ts';
import type { CaptionWord, MarkTime } from '../../contracts/synthesis.ts';

/** Level above which samples are limited; full scale is 1. */
const KNEE = 0.8;

/** Sound with times from the start of all audio. */
export interface TimedAudio {
  samples: Float32Array;
  words: CaptionWord[];
  marks: MarkTime[];
}

/** Puts the audio of a job together: tails over what follows, words on one time axis, another tempo if need be. */
export class Timeline {
  readonly #sampleRate: number;
  #tempo = 1;
  #stretcher: Stretcher | undefined;
  #tail: Float32Array | undefined;
  /** Samples put out before the stretch at hand, and taken in since. */
  #before = 0;
  #taken = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /**
   * Sets the tempo of what follows.
   * @param tempo by which the sound is faster than it was spoken
   * @returns what is held back
   */
  changeTempo(tempo: number): Float32Array {
    const rest = this.flush();
    this.#tempo = tempo;
    this.#stretcher = tempo === 1 ? undefined : new Stretcher(tempo, this.#sampleRate);
    return rest;
  }

  /**
   * @param samples are changed
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

  /** What is held back; a silence that keeps its length may follow. */
  flush(): Float32Array {
    const rest = this.#stretcher?.flush() ?? new Float32Array(0);
    this.#before += Math.round(this.#taken / this.#tempo);
    this.#taken = 0;
    return rest;
  }

  /** Silence of its own length. */
  pause(samples: Float32Array): Float32Array {
    const rest = this.flush();
    this.#before += samples.length;
    const both = new Float32Array(rest.length + samples.length);
    both.set(rest);
    return both;
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
