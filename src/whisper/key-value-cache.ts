import { type Feeds, float32 } from '../inference/session.ts';

/** Positions come and go in these steps: every new length of the past would cost onnxruntime a new plan. */
const BUCKET = 64;

export interface CacheShape {
  layers: number;
  heads: number;
  headSize: number;
}

/**
 * Keys and values of the tokens that a decoder has seen, for each layer `[streams, heads, capacity, headSize]`. They are
 * read where they lie and only new rows are written.
 */
export class KeyValueCache {
  readonly #shape: CacheShape;
  /** Keys, then values, of each layer. */
  #layers: { key: Float32Array; value: Float32Array }[];
  /** Streams that there is room for. */
  #slots = 1;
  #streams = 1;
  #length = 0;
  #capacity = BUCKET;
  #feeds: Feeds = {};

  constructor(shape: CacheShape) {
    this.#shape = shape;
    this.#layers = this.#allocate();
    this.#view();
  }

  get streams(): number {
    return this.#streams;
  }

  /** Positions filled. */
  get length(): number {
    return this.#length;
  }

  /** Positions that the tensors have; those beyond `length` are to be masked. */
  get capacity(): number {
    return this.#capacity;
  }

  /** The decoder's inputs `past_key.l` and `past_value.l`. */
  get feeds(): Feeds {
    return this.#feeds;
  }

  /** Appends the decoder's outputs `key.l` and `value.l` of `tokens` tokens, `[streams · tokens, heads · headSize]`. */
  append(outputs: Feeds, tokens: number): void {
    if (this.#length + tokens > this.#capacity) this.#resize(this.#slots, this.#length + tokens);
    for (const [index, { key, value }] of this.#layers.entries()) {
      this.#write(key, outputs[`key.${index}`]!.data as Float32Array, tokens);
      this.#write(value, outputs[`value.${index}`]!.data as Float32Array, tokens);
    }
    this.#length += tokens;
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
    if (parents.length === this.#streams) return;
    this.#streams = parents.length;
    this.#view();
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
    const rowsBefore = this.#capacity * this.#shape.headSize;
    this.#slots = slots;
    this.#capacity = Math.ceil(positions / BUCKET) * BUCKET;
    this.#layers = this.#allocate();
    const rows = this.#capacity * this.#shape.headSize;
    const filled = this.#length * this.#shape.headSize;
    for (const [index, { key, value }] of this.#layers.entries()) {
      for (let head = 0; head < this.#streams * this.#shape.heads; head++) {
        const from = head * rowsBefore;
        key.set(before[index]!.key.subarray(from, from + filled), head * rows);
        value.set(before[index]!.value.subarray(from, from + filled), head * rows);
      }
    }
    this.#view();
  }

  /** Feeds each layer the streams in use, without a copy. */
  #view(): void {
    const { heads, headSize } = this.#shape;
    const dims = [this.#streams, heads, this.#capacity, headSize];
    const size = this.#streams * this.#slotSize;
    for (const [index, { key, value }] of this.#layers.entries()) {
      this.#feeds[`past_key.${index}`] = float32(key.subarray(0, size), dims);
      this.#feeds[`past_value.${index}`] = float32(value.subarray(0, size), dims);
    }
  }

  #write(cache: Float32Array, rows: Float32Array, tokens: number): void {
    const { heads, headSize } = this.#shape;
    let from = 0;
    for (let stream = 0; stream < this.#streams; stream++) {
      for (let token = 0; token < tokens; token++) {
        for (let head = 0; head < heads; head++, from += headSize) {
          const to = ((stream * heads + head) * this.#capacity + this.#length + token) * headSize;
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
