import { SAMPLE_RATE } from './pcm.ts';

/** Samples per peak: 10 ms. */
const SAMPLES_PER_PEAK = SAMPLE_RATE / 100;

/** The peaks of growing speech. */
export class Peaks {
  #values = new Uint8Array(1024);
  #count = 0;
  #highest = 0;
  #filled = 0;

  append(samples: Int16Array): void {
    for (const sample of samples) {
      const height = Math.abs(sample);
      if (height > this.#highest) this.#highest = height;
      if (++this.#filled === SAMPLES_PER_PEAK) this.#close();
    }
  }

  #close(): void {
    if (this.#count === this.#values.length) {
      const grown = new Uint8Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count++] = Math.min(255, this.#highest >> 7);
    this.#highest = 0;
    this.#filled = 0;
  }

  /** Heights from 0 to 1 of `count` equal parts of `seconds`; 0 if there is no speech yet. */
  columns(count: number, seconds: number): Float32Array {
    const heights = new Float32Array(count);
    const width = (seconds * 100) / count;
    for (let column = 0; column < count; column++) {
      const first = Math.floor(column * width);
      const end = Math.min(Math.max(first + 1, Math.floor((column + 1) * width)), this.#count);
      let highest = 0;
      for (let i = first; i < end; i++) highest = Math.max(highest, this.#values[i]!);
      heights[column] = highest / 255;
    }
    return heights;
  }
}
