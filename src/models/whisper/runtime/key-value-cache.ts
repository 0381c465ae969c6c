import { type Feeds, float32 } from '../../../ort/session.ts';

/** Positions come and go in these steps: every new length of the past would cost onnxruntime a new plan. */
const BUCKET = 64;

export interface CacheShape {
  layers: number;
  heads: number;
  headSize: number;
}

/**
 * Keys and values of the tokens that a decoder has seen, for each layer `[streams, heads, capacity, headSize]`. They are
 * read where they lie and only new rows are written. Streams may have seen different numbers of tokens.
 */
export class KeyValueCache {
  readonly #shape: CacheShape;
  /** Keys, then values, of each layer. */
  #layers: { key: Float32Array; value: Float32Array }[];
  /** Streams that there is room for. */
  #slots: number;
  /** Positions filled, of each stream. */
  #lengths: number[];
  #capacity = BUCKET;
  /** What `feeds` gave last. */
  #view: { first: number; count: number; feeds: Feeds } | undefined;

  /** @param streams empty ones to begin with */
  constructor(shape: CacheShape, streams = 1) {
    this.#shape = shape;
    this.#slots = streams;
    this.#lengths = new Array<number>(streams).fill(0);
    this.#layers = this.#allocate();
  }

  get streams(): number {
    return this.#lengths.length;
  }

  /** Positions filled. */
  length(stream: number): number {
    return this.#lengths[stream]!;
  }

  /** Positions that the tensors have; those beyond a stream's length are to be masked. */
  get capacity(): number {
    return this.#capacity;
  }

  /** The decoder's inputs `past_key.l` and `past_value.l` for `count` streams from `first` on, without a copy. */
  feeds(first: number, count: number): Feeds {
    if (this.#view?.first !== first || this.#view.count !== count) {
      const { heads, headSize } = this.#shape;
      const dims = [count, heads, this.#capacity, headSize];
      const slot = this.#slotSize;
      const feeds: Feeds = {};
      for (const [index, { key, value }] of this.#layers.entries()) {
        feeds[`past_key.${index}`] = float32(key.subarray(first * slot, (first + count) * slot), dims);
        feeds[`past_value.${index}`] = float32(value.subarray(first * slot, (first + count) * slot), dims);
      }
      this.#view = { first, count, feeds };
    }
    return this.#view.feeds;
  }

  /**
   * Appends `tokens` tokens to each of some streams.
   * @param outputs the decoder's `key.l` and `value.l`, `[rows · tokens, heads · headSize]`
   * @param streams whose row each is; rows of `undefined` are left out
   */
  append(outputs: Feeds, tokens: number, streams: readonly (number | undefined)[]): void {
    const longest = Math.max(...streams.map((stream) => (stream === undefined ? 0 : this.length(stream) + tokens)));
    if (longest > this.#capacity) this.#resize(this.#slots, longest);
    for (const [index, { key, value }] of this.#layers.entries()) {
      this.#write(key, outputs[`key.${index}`]!.data as Float32Array, tokens, streams);
      this.#write(value, outputs[`value.${index}`]!.data as Float32Array, tokens, streams);
    }
    for (const stream of streams) if (stream !== undefined) this.#lengths[stream]! += tokens;
  }

  /** Goes on with stream `parents[i]` as stream `i`. */
  keep(parents: readonly number[]): void {
    if (parents.length > this.#slots) this.#resize(parents.length, this.#capacity);
    const moves = streamMoves(parents);
    const slot = this.#slotSize;
    const spare = new Float32Array(moves.some(({ to }) => to === SPARE) ? slot : 0);
    for (const { key, value } of this.#layers) {
      for (const cache of [key, value]) {
        for (const { from, to } of moves) {
          if (to === SPARE) spare.set(cache.subarray(from * slot, (from + 1) * slot));
          else if (from === SPARE) cache.set(spare, to * slot);
          else cache.copyWithin(to * slot, from * slot, (from + 1) * slot);
        }
      }
    }
    this.#lengths = parents.map((parent) => this.length(parent));
  }

  /** Makes stream `to` the same as a stream of this or another cache of the same shape. */
  copy(to: number, from: KeyValueCache, stream: number): void {
    const length = from.length(stream);
    if (length > this.#capacity) this.#resize(this.#slots, length);
    for (const [index, { key, value }] of this.#layers.entries()) {
      const source = from.#layers[index]!;
      this.#copyRows(key, to, source.key, stream, from.#capacity, length);
      this.#copyRows(value, to, source.value, stream, from.#capacity, length);
    }
    this.#lengths[to] = length;
  }

  /** Empties a stream. What it has filled is no longer kept room for. */
  clear(stream: number): void {
    this.#lengths[stream] = 0;
    const longest = Math.max(1, ...this.#lengths);
    if (longest <= this.#capacity - BUCKET) this.#resize(this.#slots, longest);
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
    this.#view = undefined;
    this.#layers = this.#allocate();
    for (const [index, { key, value }] of this.#layers.entries()) {
      for (const [stream, length] of this.#lengths.entries()) {
        this.#copyRows(key, stream, before[index]!.key, stream, capacityBefore, length);
        this.#copyRows(value, stream, before[index]!.value, stream, capacityBefore, length);
      }
    }
  }

  #copyRows(to: Float32Array, stream: number, from: Float32Array, source: number, capacity: number, length: number) {
    const { heads, headSize } = this.#shape;
    for (let head = 0; head < heads; head++) {
      const start = (source * heads + head) * capacity * headSize;
      to.set(from.subarray(start, start + length * headSize), (stream * heads + head) * this.#capacity * headSize);
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

/** A place outside the cache. */
export const SPARE = -1;

/**
 * Copies that put stream `parents[i]` in place `i`, in an order in which nothing is overwritten that is still needed. Where
 * streams change places in a circle, one of them is set aside in `SPARE`.
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
