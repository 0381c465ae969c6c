import { type Feeds, float32, freeOnDevice } from '../../../ort/session.ts';
import type { GpuRows } from './gpu-rows.ts';
import type { CacheShape, StreamCache } from './key-value-cache.ts';

/** Added to the scores of masked positions; representable in half precision. */
const MASKED = -30_000;

export interface GpuCacheShape extends CacheShape {
  /** Positions of the tensors: a fixed number, so that every step has the same shapes. */
  capacity: number;
}

/** Reference-counted keys and values of rows, which several caches may share. */
class SharedTensors {
  readonly feeds: Feeds;
  #users = 1;

  constructor(feeds: Feeds) {
    this.feeds = feeds;
  }

  share(): this {
    this.#users += 1;
    return this;
  }

  /** Frees the memory after the last user. */
  release(): void {
    this.#users -= 1;
    if (this.#users === 0) freeOnDevice(this.feeds);
  }
}

interface Stream {
  /** The row of the tensors that it continues. */
  parent: number;
  /** Its tokens. */
  length: number;
}

/** A KV cache that stays in a GPU's memory: each run returns it with the new tokens, as input of the next run. */
export class GpuKeyValueCache implements StreamCache {
  readonly #shape: GpuCacheShape;
  #streams: Stream[];
  #past: SharedTensors | undefined;

  private constructor(shape: GpuCacheShape, streams: Stream[], past: SharedTensors) {
    this.#shape = shape;
    this.#streams = streams;
    this.#past = past;
  }

  /**
   * One stream without tokens.
   * @param zeros a layer's keys `[1, heads, headSize, capacity]` and values `[1, heads, capacity, headSize]`, which stay the
   *   caller's
   */
  static empty(shape: GpuCacheShape, zeros: { key: Feeds[string]; value: Feeds[string] }): GpuKeyValueCache {
    const past = cacheFeeds(shape, (kind) => zeros[kind]);
    // One more reference, so that they are never freed.
    return new GpuKeyValueCache(shape, [{ parent: 0, length: 0 }], new SharedTensors(past).share());
  }

  get streams(): number {
    return this.#streams.length;
  }

  length(stream: number): number {
    return this.#streams[stream]!.length;
  }

  /** The tensors `past_key.l` and `past_value.l`. @throws if they have been freed */
  get past(): Feeds {
    if (!this.#past) throw new Error('The KV cache has been freed');
    return this.#past.feeds;
  }

  /** The row of `past` that a stream continues. */
  parent(stream: number): number {
    return this.#streams[stream]!.parent;
  }

  /** Reorders rows to match the streams, before the next run. */
  async settle(take: GpuRows['take']): Promise<void> {
    const rows = this.#streams.map(({ parent }) => parent);
    const count = Object.values(this.past)[0]!.dims[0];
    if (rows.length === count && rows.every((parent, row) => parent === row)) return;
    const lengths = this.#streams.map(({ length }) => length);
    this.replace(await take(this.past, rows), lengths);
  }

  feeds(_first: number, count: number, tokens: number, isFed?: readonly boolean[]): Feeds {
    const { capacity } = this.#shape;
    const mask = new Float32Array(count * tokens * capacity);
    const places = new Float32Array(count * tokens * capacity);
    for (let row = 0; row < count * tokens; row++) {
      const stream = Math.floor(row / tokens);
      const position = this.length(stream) + (row % tokens);
      mask.fill(MASKED, Math.min(row * capacity + position + 1, (row + 1) * capacity), (row + 1) * capacity);
      if (isFed?.[stream] !== false) places[row * capacity + position] = 1;
    }
    const dims = [count, 1, tokens, capacity];
    return { ...this.past, mask: float32(mask, dims), places: float32(places, dims) };
  }

  /** @param outputs with `present_key.l` and `present_value.l`, which this cache then owns */
  append(outputs: Feeds, tokens: number, streams: readonly (number | undefined)[]): void {
    const lengths = this.#streams.map(({ length }) => length);
    for (const stream of streams) if (stream !== undefined) lengths[stream]! += tokens;
    this.replace(
      cacheFeeds(this.#shape, (kind, layer) => outputs[`present_${kind}.${layer}`]!),
      lengths,
    );
  }

  /** Takes other tensors, with the rows of its streams in order. @param lengths tokens of each stream */
  replace(past: Feeds, lengths: readonly number[]): void {
    this.free();
    this.#past = new SharedTensors(past);
    this.#streams = lengths.map((length, parent) => ({ parent, length }));
  }

  keep(parents: readonly number[]): void {
    this.#streams = parents.map((parent) => ({ ...this.#streams[parent]! }));
  }

  /** As `keep` for as many streams from `first` on, without the others. */
  keepWithin(first: number, parents: readonly number[]): void {
    const kept = parents.map((parent) => ({ ...this.#streams[first + parent]! }));
    this.#streams.splice(first, kept.length, ...kept);
  }

  /** A cache of `count` of the streams, over the same tensors until its next run. */
  only(first: number, count: number): GpuKeyValueCache {
    const streams = this.#streams.slice(first, first + count).map((stream) => ({ ...stream }));
    return new GpuKeyValueCache(this.#shape, streams, this.#past!.share());
  }

  /** Frees its memory on the device. Afterwards only `append` and `replace` may be called. */
  free(): void {
    this.#past?.release();
    this.#past = undefined;
  }
}

/** The decoder's inputs of a cache. */
function cacheFeeds({ layers }: CacheShape, tensor: (kind: 'key' | 'value', layer: number) => Feeds[string]): Feeds {
  const feeds: Feeds = {};
  for (let layer = 0; layer < layers; layer++) {
    for (const kind of ['key', 'value'] as const) feeds[`past_${kind}.${layer}`] = tensor(kind, layer);
  }
  return feeds;
}
