import { type Feeds, type TensorData, tensorLike } from '../../../ort/session.ts';
import type { EncodedAudio, Streams } from './batch.ts';
import type { Decoder } from './decoder.ts';
import { KeyValueCache } from './key-value-cache.ts';

/** The slot of an audio among others of the same length. */
export interface BatchSlot {
  index: number;
  readonly slots: BatchSlots;
  /** Undefined after its release. */
  audio: EncodedAudio | undefined;
  /** The sequences whose tokens are in the cache: of several decoders over one audio, those that were batched last. */
  streams: Streams | undefined;
}

export interface BatchSlotsOptions {
  decoder: Decoder;
  /** Encoder positions of every audio. */
  positions: number;
  maxSlots: number;
  /** Frees memory once no run reads it. */
  free: (numbers: readonly TensorData[]) => void;
}

/** Audios of one length, side by side in memory, as the graph reads them. */
export class BatchSlots {
  readonly #options: BatchSlotsOptions;
  #slots: BatchSlot[] = [];
  /** Cross-attention inputs of the decoder by name, slot after slot. */
  #cross = new Map<string, TensorData>();
  /** One stream per slot. */
  #cache: KeyValueCache | undefined;
  /** Number of slots used since the memory was allocated. */
  #used = 0;

  constructor(options: BatchSlotsOptions) {
    this.#options = options;
  }

  /** The cache of the streams in the slots. */
  get cache(): KeyValueCache {
    this.#cache ??= this.#options.decoder.slotCache(this.#options.maxSlots);
    return this.#cache;
  }

  /** Encoder positions whose keys and values take memory. */
  get reserved(): number {
    return this.#used * this.#options.positions;
  }

  /** Moves an audio to a free slot, and frees its own memory; undefined if there is none. */
  take(audio: EncodedAudio): BatchSlot | undefined {
    const { maxSlots, free } = this.#options;
    let slot = this.#slots.find((other) => other.audio === undefined);
    if (!slot) {
      if (this.#slots.length === maxSlots) return undefined;
      slot = { index: this.#slots.length, slots: this, audio: undefined, streams: undefined };
      this.#slots.push(slot);
    }
    slot.audio = audio;
    const { cross } = audio;
    this.#write(slot.index, cross);
    audio.move(this.crossOf(audio, slot.index, 1));
    free(dataOf(cross));
    return slot;
  }

  /** Moves a sequence from its own cache to its audio's slot. */
  attach(streams: Streams, slot: BatchSlot): void {
    // Already attached.
    if (!(streams.own instanceof KeyValueCache)) return;
    if (slot.streams) this.detach(slot.streams);
    this.cache.copy(slot.index, streams.own, 0);
    streams.own = undefined;
    slot.streams = streams;
  }

  /** Moves a sequence from its audio's slot to its own cache. */
  detach(streams: Streams): KeyValueCache {
    const slot = streams.audio.slot!;
    const own = this.#options.decoder.slotCache(1);
    own.copy(0, this.cache, slot.index);
    streams.own = own;
    this.cache.clear(slot.index);
    slot.streams = undefined;
    return own;
  }

  release(slot: BatchSlot): void {
    slot.audio = undefined;
    slot.streams = undefined;
    if (this.#slots.every((other) => other.audio === undefined)) {
      this.#slots = [];
      this.#options.free(this.#clear());
    } else {
      this.cache.clear(slot.index);
    }
  }

  /** Moves the last audios to free slots, so that a run over all slots computes none in vain. */
  closeGaps(): void {
    for (;;) {
      const gap = this.#slots.find(({ audio }) => audio === undefined);
      if (!gap) return;
      const last = this.#slots.pop()!;
      const { audio } = last;
      if (!audio) continue;
      for (const [name, all] of this.#cross) {
        const size = (audio.cross[name]!.data as TensorData).length;
        all.copyWithin(gap.index * size, last.index * size, (last.index + 1) * size);
      }
      this.cache.copy(gap.index, this.cache, last.index);
      this.cache.clear(last.index);
      this.#slots[gap.index] = last;
      last.index = gap.index;
      audio.move(this.crossOf(audio, last.index, 1));
    }
  }

  /** Frees the memory of free slots. */
  shrink(): void {
    this.closeGaps();
    if (this.#slots.length === this.#used) return;
    const { cache } = this;
    const unneeded = this.#clear();
    for (const { index, audio } of this.#slots) {
      this.#write(index, audio!.cross);
      audio!.move(this.crossOf(audio!, index, 1));
      this.cache.copy(index, cache, index);
    }
    this.#options.free(unneeded);
  }

  /**
   * Cross-attention inputs of some slots.
   * @param audio any of those in the slots, for names and shapes
   */
  crossOf(audio: EncodedAudio, first: number, count: number): Feeds {
    const feeds: Feeds = {};
    for (const [name, tensor] of Object.entries(audio.cross)) {
      const size = (tensor.data as TensorData).length;
      feeds[name] = tensorLike(tensor, count, this.#cross.get(name)!.subarray(first * size, (first + count) * size));
    }
    return feeds;
  }

  #write(index: number, cross: Feeds): void {
    for (const [name, { data }] of Object.entries(cross)) {
      const numbers = data as TensorData;
      let all = this.#cross.get(name);
      if (!all) {
        // The system maps memory at the first write, slot by slot.
        const Numbers = numbers.constructor as new (length: number) => TensorData;
        all = new Numbers(this.#options.maxSlots * numbers.length);
        this.#cross.set(name, all);
      }
      all.set(numbers, index * numbers.length);
    }
    this.#used = Math.max(this.#used, index + 1);
  }

  /** Drops its memory; returns the buffers to free. */
  #clear(): TensorData[] {
    const numbers = [...this.#cross.values()];
    this.#cross = new Map();
    this.#cache = undefined;
    this.#used = 0;
    return numbers;
  }
}

export function dataOf(tensors: Feeds): TensorData[] {
  return Object.values(tensors).map(({ data }) => data as TensorData);
}
