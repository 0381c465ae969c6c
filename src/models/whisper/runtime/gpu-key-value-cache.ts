import { type Feeds, float32, freeOnDevice, int64s } from '../../../ort/session.ts';
import { type CacheShape, MASKED, type StreamCache } from './key-value-cache.ts';

export interface GpuCacheShape extends CacheShape {
  /** Positions of the tensors: a fixed number, so that every step has the same shapes. */
  capacity: number;
}

/**
 * A KV cache that stays in a GPU's memory: each run returns it with the new tokens, as input of the next run. All streams
 * have the same length.
 */
export class GpuKeyValueCache implements StreamCache {
  readonly #shape: GpuCacheShape;
  /** The stream of the cache that each stream continues. */
  #parents: number[];
  #length = 0;
  /** `past_key.l` and `past_value.l`; undefined before the first run and after `free`. */
  #past: Feeds | undefined;

  /** @param streams number of empty streams */
  constructor(shape: GpuCacheShape, streams = 1) {
    this.#shape = shape;
    this.#parents = Array.from({ length: streams }, (_, index) => index);
  }

  get streams(): number {
    return this.#parents.length;
  }

  length(): number {
    return this.#length;
  }

  feeds(_first: number, count: number, tokens: number): Feeds {
    const { capacity } = this.#shape;
    const mask = new Float32Array(count * tokens * capacity);
    const places = new Float32Array(count * tokens * capacity);
    for (let row = 0; row < count * tokens; row++) {
      const position = this.#length + (row % tokens);
      mask.fill(MASKED, row * capacity + position + 1, (row + 1) * capacity);
      places[row * capacity + position] = 1;
    }
    const dims = [count, 1, tokens, capacity];
    this.#past ??= this.#empty();
    return { ...this.#past, parents: int64s(this.#parents), mask: float32(mask, dims), places: float32(places, dims) };
  }

  /** @param outputs with `present_key.l` and `present_value.l`, which this cache then owns */
  append(outputs: Feeds, tokens: number): void {
    this.free();
    const past: Feeds = {};
    for (let layer = 0; layer < this.#shape.layers; layer++) {
      for (const kind of ['key', 'value']) past[`past_${kind}.${layer}`] = outputs[`present_${kind}.${layer}`]!;
    }
    this.#past = past;
    this.#parents = this.#parents.map((_, index) => index);
    this.#length += tokens;
  }

  keep(parents: readonly number[]): void {
    this.#parents = parents.map((parent) => this.#parents[parent]!);
  }

  /** Frees its memory on the device; the cache cannot be used any more, except by `append`. */
  free(): void {
    if (this.#past) freeOnDevice(this.#past);
    this.#past = undefined;
  }

  /** Unused positions are 0. */
  #empty(): Feeds {
    const { layers, heads, headSize, capacity } = this.#shape;
    const streams = this.#parents.length;
    const zeros = new Float32Array(streams * heads * capacity * headSize);
    const past: Feeds = {};
    for (let layer = 0; layer < layers; layer++) {
      past[`past_key.${layer}`] = float32(zeros, [streams, heads, headSize, capacity]);
      past[`past_value.${layer}`] = float32(zeros, [streams, heads, capacity, headSize]);
    }
    return past;
  }
}
