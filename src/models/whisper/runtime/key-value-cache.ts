import { type Feeds, float32 } from '../../../ort/session.ts';

/** Capacity grows and shrinks in these steps, because onnxruntime makes a new plan for each new length. */
const BUCKET = 64;

export interface CacheShape {
  layers: number;
  heads: number;
  headSize: number;
}

/** Added to the scores of masked positions: their softmax is 0. */
const MASKED = -1e9;

/** Keys and values of the tokens that streams have been fed, on the CPU or a GPU. */
export interface StreamCache {
  readonly streams: number;
  /** Filled positions of a stream. */
  length(stream: number): number;
  /**
   * The decoder's inputs for `count` streams from `first` on, except the new tokens.
   * @param tokens new tokens of each stream, at least one
   * @param isFed which of the streams are fed new tokens; default: all
   */
  feeds(first: number, count: number, tokens: number, isFed?: readonly boolean[]): Feeds;
  /**
   * Appends `tokens` tokens to each of some streams.
   * @param outputs those of the decoder that `feeds` was for
   * @param streams the stream of each row; `undefined` rows are skipped
   */
  append(outputs: Feeds, tokens: number, streams: readonly (number | undefined)[]): void;
  /** Makes stream `parents[i]` stream `i`, and drops the others. */
  keep(parents: readonly number[]): void;
}

/**
 * Keys and values of the tokens that a decoder has seen, for each layer `[streams, heads, capacity, headSize]`. The graph
 * reads them in place, and only new rows are written. Streams may differ in length.
 */
export class KeyValueCache implements StreamCache {
  readonly #shape: CacheShape;
  #layers: { key: Float32Array; value: Float32Array }[];
  /** Streams that fit into the tensors. */
  #slots: number;
  /** Filled positions of each stream. */
  #lengths: number[];
  #capacity = BUCKET;
  /** Last result of `#past`. */
  #lastFeeds: { first: number; count: number; feeds: Feeds } | undefined;

  /** @param streams number of empty streams */
  constructor(shape: CacheShape, streams = 1) {
    this.#shape = shape;
    this.#slots = streams;
    this.#lengths = new Array<number>(streams).fill(0);
    this.#layers = this.#allocate();
  }

  get streams(): number {
    return this.#lengths.length;
  }

  /** Filled positions of a stream. */
  length(stream: number): number {
    return this.#lengths[stream]!;
  }

  /** Positions of the tensors; mask those beyond a stream's length. */
  get capacity(): number {
    return this.#capacity;
  }

  feeds(first: number, count: number, tokens: number): Feeds {
    const columns = this.#capacity + tokens;
    return {
      ...this.#past(first, count),
      mask: float32(this.#mask(first, count, tokens), [count, 1, tokens, columns]),
    };
  }

  /** `past_key.l` and `past_value.l`, views of the cache. */
  #past(first: number, count: number): Feeds {
    if (this.#lastFeeds?.first !== first || this.#lastFeeds.count !== count) {
      const { heads, headSize } = this.#shape;
      const dims = [count, heads, this.#capacity, headSize];
      const size = this.#slotSize;
      const feeds: Feeds = {};
      for (const [index, { key, value }] of this.#layers.entries()) {
        feeds[`past_key.${index}`] = float32(key.subarray(first * size, (first + count) * size), dims);
        feeds[`past_value.${index}`] = float32(value.subarray(first * size, (first + count) * size), dims);
      }
      this.#lastFeeds = { first, count, feeds };
    }
    return this.#lastFeeds.feeds;
  }

  /** @param outputs with `key.l` and `value.l`, `[rows · tokens, heads · headSize]` */
  append(outputs: Feeds, tokens: number, streams: readonly (number | undefined)[]): void {
    const lengths = streams.map((stream) => (stream === undefined ? 0 : this.length(stream) + tokens));
    const maxLength = Math.max(...lengths);
    if (maxLength > this.#capacity) this.#resize(this.#slots, maxLength);
    for (const [index, { key, value }] of this.#layers.entries()) {
      this.#write(key, outputs[`key.${index}`]!.data as Float32Array, tokens, streams);
      this.#write(value, outputs[`value.${index}`]!.data as Float32Array, tokens, streams);
    }
    for (const stream of streams) if (stream !== undefined) this.#lengths[stream]! += tokens;
  }

  keep(parents: readonly number[]): void {
    if (parents.length > this.#slots) this.#resize(parents.length, this.#capacity);
    const moves = streamMoves(parents);
    const size = this.#slotSize;
    const spare = new Float32Array(moves.some(({ to }) => to === SPARE) ? size : 0);
    for (const { key, value } of this.#layers) {
      for (const cache of [key, value]) {
        for (const { from, to } of moves) {
          if (to === SPARE) spare.set(cache.subarray(from * size, (from + 1) * size));
          else if (from === SPARE) cache.set(spare, to * size);
          else cache.copyWithin(to * size, from * size, (from + 1) * size);
        }
      }
    }
    this.#lengths = parents.map((parent) => this.length(parent));
  }

  /** Copies a stream of this or another cache of the same shape to stream `to`. */
  copy(to: number, from: KeyValueCache, stream: number): void {
    const length = from.length(stream);
    if (length > this.#capacity) this.#resize(this.#slots, length);
    for (const [index, { key, value }] of this.#layers.entries()) {
      const source = from.#layers[index]!;
      const rows = { stream, length, capacity: from.#capacity };
      this.#copyRows(key, to, source.key, rows);
      this.#copyRows(value, to, source.value, rows);
    }
    this.#lengths[to] = length;
  }

  /** Truncates a stream to its first positions. */
  truncate(stream: number, length: number): void {
    this.#lengths[stream] = length;
  }

  /** Empties a stream, and shrinks the capacity to the longest one left. */
  clear(stream: number): void {
    this.#lengths[stream] = 0;
    const maxLength = Math.max(1, ...this.#lengths);
    if (maxLength <= this.#capacity - BUCKET) this.#resize(this.#slots, maxLength);
  }

  /** Each token attends to itself and what its stream was fed before, not to the padding. */
  #mask(first: number, count: number, tokens: number): Float32Array {
    const columns = this.#capacity + tokens;
    const values = new Float32Array(count * tokens * columns);
    for (let stream = 0; stream < count; stream++) {
      for (let row = 0; row < tokens; row++) {
        const start = (stream * tokens + row) * columns;
        values.fill(MASKED, start + this.length(first + stream), start + this.#capacity);
        values.fill(MASKED, start + this.#capacity + row + 1, start + columns);
      }
    }
    return values;
  }

  get #slotSize(): number {
    return this.#shape.heads * this.#capacity * this.#shape.headSize;
  }

  #allocate(): { key: Float32Array; value: Float32Array }[] {
    const size = this.#slots * this.#slotSize;
    return Array.from({ length: this.#shape.layers }, () => ({
      key: new Float32Array(size),
      value: new Float32Array(size),
    }));
  }

  #resize(slots: number, positions: number): void {
    const before = this.#layers;
    const capacityBefore = this.#capacity;
    this.#slots = slots;
    this.#capacity = Math.ceil(positions / BUCKET) * BUCKET;
    this.#lastFeeds = undefined;
    this.#layers = this.#allocate();
    for (const [index, { key, value }] of this.#layers.entries()) {
      for (const [stream, length] of this.#lengths.entries()) {
        const rows = { stream, length, capacity: capacityBefore };
        this.#copyRows(key, stream, before[index]!.key, rows);
        this.#copyRows(value, stream, before[index]!.value, rows);
      }
    }
  }

  /** Copies the rows of a stream in `from`, which has a capacity of its own, into a stream of `to`. */
  #copyRows(
    to: Float32Array,
    toStream: number,
    from: Float32Array,
    { stream, length, capacity }: { stream: number; length: number; capacity: number },
  ): void {
    const { heads, headSize } = this.#shape;
    for (let head = 0; head < heads; head++) {
      const start = (stream * heads + head) * capacity * headSize;
      to.set(from.subarray(start, start + length * headSize), (toStream * heads + head) * this.#capacity * headSize);
    }
  }

  #write(cache: Float32Array, rows: Float32Array, tokens: number, streams: readonly (number | undefined)[]): void {
    const { heads, headSize } = this.#shape;
    for (const [row, stream] of streams.entries()) {
      if (stream === undefined) continue;
      let from = row * tokens * heads * headSize;
      for (let token = 0; token < tokens; token++) {
        for (let head = 0; head < heads; head++, from += headSize) {
          const to = ((stream * heads + head) * this.#capacity + this.length(stream) + token) * headSize;
          cache.set(rows.subarray(from, from + headSize), to);
        }
      }
    }
  }
}

/** A slot outside the cache. */
export const SPARE = -1;

/**
 * Copies that put stream `parents[i]` into slot `i`, ordered so that none overwrites a stream still needed. One stream of
 * each cycle is set aside in `SPARE`.
 */
export function streamMoves(parents: readonly number[]): { from: number; to: number }[] {
  const moves: { from: number; to: number }[] = [];
  const pending = new Map(parents.entries());
  for (const [to, from] of pending) if (to === from) pending.delete(to);
  while (pending.size > 0) {
    const needed = new Set(pending.values());
    let free = [...pending.keys()].find((to) => !needed.has(to));
    if (free === undefined) {
      free = pending.keys().next().value as number;
      moves.push({ from: free, to: SPARE });
      for (const [to, from] of pending) if (from === free) pending.set(to, SPARE);
    }
    moves.push({ from: pending.get(free)!, to: free });
    pending.delete(free);
  }
  return moves;
}
