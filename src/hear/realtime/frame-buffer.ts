import type { HeardFrames } from '../../contracts/transcription.ts';
import { FRAME } from '../../vad/frames.ts';

/** Frames on either side that count for the quietness of a frame. */
const REACH = 2;

/** The last frames of a stream, each with its probability of speech. */
export class FrameBuffer {
  #frames: Float32Array[] = [];
  #probabilities: number[] = [];

  get length(): number {
    return this.#frames.length;
  }

  push(frame: Float32Array, probability: number): void {
    this.#frames.push(frame);
    this.#probabilities.push(probability);
  }

  /** Drops frames from the front. */
  drop(count: number): void {
    this.#frames = this.#frames.slice(count);
    this.#probabilities = this.#probabilities.slice(count);
  }

  /** A copy of the frames from one to before another. */
  slice(from: number, to: number): HeardFrames {
    const samples = new Float32Array((to - from) * FRAME);
    for (const [index, frame] of this.#frames.slice(from, to).entries()) samples.set(frame, index * FRAME);
    return { samples, probabilities: Float32Array.from(this.#probabilities.slice(from, to)) };
  }

  /** Which of these frames has the least speech near it, the last one among equals; undefined if there are none. */
  quietest(indices: readonly number[]): number | undefined {
    const speechAt = (index: number) =>
      this.#probabilities
        .slice(Math.max(0, index - REACH), index + REACH + 1)
        .reduce((sum, probability) => sum + probability, 0);
    return [...indices].sort((a, b) => speechAt(a) - speechAt(b) || b - a)[0];
  }
}
