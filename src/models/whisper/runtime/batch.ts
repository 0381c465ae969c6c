import { type Feeds, freeBuffers, type TensorData, tensorLike } from '../../../ort/session.ts';
import type { Decoder, StreamStep } from './decoder.ts';
import type { KeyValueCache } from './key-value-cache.ts';
import type { ScheduledWindow } from './step-scheduler.ts';

/** One encoded window: keys and values of every decoder layer's cross-attention. */
export class EncodedAudio {
  readonly window: ScheduledWindow;
  /** Set from the first run with others on. */
  slot: BatchSlot | undefined;
  #cross: Feeds;

  /** @param cross the encoder's outputs of one audio */
  constructor(cross: Feeds, window: ScheduledWindow) {
    this.window = window;
    this.#cross = cross;
  }

  /** The decoder's inputs by the same names. */
  get cross(): Feeds {
    return this.#cross;
  }

  /** @param cross the same values in other memory */
  move(cross: Feeds): void {
    this.#cross = cross;
  }
}

/** Sequences over one audio. They have a cache of their own, or their audio's slot of the batch's. */
export interface Streams {
  readonly audio: EncodedAudio;
  own: KeyValueCache | undefined;
  /** Whether steps return attention. */
  readonly attention: boolean;
}

/** Tokens for each stream. */
export interface StepRequest {
  streams: Streams;
  tokens: readonly (readonly number[])[];
  /** Whether to return a summary of the text tokens' logits instead of each. */
  summed: boolean;
  /** At the start of a transcript: index of the token whose logits to return besides the last one's. */
  earlier?: number;
}

interface BatchSlot {
  index: number;
  /** Undefined after its release. */
  audio: EncodedAudio | undefined;
  /** The owner of the tokens in the cache: of several decoders over one audio, the last to run with others. */
  streams: Streams | undefined;
}

/**
 * Runs steps of several windows as one. The graph reads slots that lie side by side in memory: an audio is copied to a slot
 * at its first run with others, and stays there until its release.
 */
export class Batch {
  readonly #decoder: Decoder;
  readonly #maxSlots: number;
  #slots: BatchSlot[] = [];
  /** Cross-attention inputs of the decoder by name, slot after slot. */
  #cross = new Map<string, TensorData>();
  /** One stream per slot. */
  #cache: KeyValueCache | undefined;
  /** Whether a run may be reading its inputs. */
  #isRunning = false;
  /** Memory to free after the run. */
  #unneeded: TensorData[] = [];

  constructor(decoder: Decoder, maxSlots: number) {
    this.#decoder = decoder;
    this.#maxSlots = maxSlots;
  }

  /** Finds the cache of some streams, and the index of their first one in it. */
  locate(streams: Streams): { cache: KeyValueCache; first: number } {
    return streams.own ? { cache: streams.own, first: 0 } : { cache: this.#cache!, first: streams.audio.slot!.index };
  }

  /** Moves a sequence from the batch to a cache of its own. */
  detach(streams: Streams): KeyValueCache {
    if (streams.own) return streams.own;
    const { cache, first } = this.locate(streams);
    streams.own = this.#decoder.cache(1);
    streams.own.copy(0, cache, first);
    cache.clear(first);
    streams.audio.slot!.streams = undefined;
    return streams.own;
  }

  /** Frees an audio's memory and slot; nothing can be decoded over it any more. */
  release(audio: EncodedAudio): void {
    const { slot, cross } = audio;
    audio.move({});
    audio.slot = undefined;
    if (!slot) {
      this.#free(dataOf(cross));
      return;
    }
    slot.audio = undefined;
    slot.streams = undefined;
    if (this.#slots.every((other) => other.audio === undefined)) {
      this.#slots = [];
      this.#free([...this.#cross.values()]);
      this.#cross = new Map();
      this.#cache = undefined;
    } else {
      this.#cache!.clear(slot.index);
    }
  }

  /**
   * Runs steps, as one if possible.
   * @param requests one, or several of one stream and one token each
   */
  async run(requests: readonly StepRequest[]): Promise<StreamStep[][]> {
    const batch = requests.length > 1 ? this.#assignSlots(requests) : [];
    this.#isRunning = true;
    try {
      const batched = batch.length > 1 ? await this.#runBatch(batch) : new Map();
      const steps: StreamStep[][] = [];
      for (const request of requests) steps.push(batched.get(request) ?? (await this.#runAlone(request)));
      return steps;
    } finally {
      this.#isRunning = false;
      this.#free(this.#unneeded.splice(0));
    }
  }

  /** Windows can be released during a run. */
  #free(numbers: readonly TensorData[]): void {
    if (this.#isRunning) this.#unneeded.push(...numbers);
    else freeBuffers(numbers);
  }

  async #runAlone({ streams, tokens, summed, earlier }: StepRequest): Promise<StreamStep[]> {
    const { attention } = streams;
    const fed = tokens.map((tokens) => ({ tokens, summed, attention }));
    const steps = await this.#decoder.run(streams.audio.cross, { ...this.locate(streams), fed }, earlier);
    return steps as StreamStep[];
  }

  async #runBatch(requests: readonly StepRequest[]): Promise<Map<StepRequest, StreamStep[]>> {
    const bySlot = new Map(requests.map((request) => [request.streams.audio.slot!.index, request]));
    const first = Math.min(...bySlot.keys());
    const count = Math.max(...bySlot.keys()) + 1 - first;
    const fed = Array.from({ length: count }, (_, index) => {
      const request = bySlot.get(first + index);
      if (!request) return undefined;
      return { tokens: request.tokens[0]!, summed: request.summed, attention: request.streams.attention };
    });
    const cross = this.#crossOf(requests[0]!.streams.audio, first, count);
    const steps = await this.#decoder.run(cross, { cache: this.#cache!, first, fed });
    return new Map([...bySlot].map(([slot, request]) => [request, [steps[slot - first]!]]));
  }

  /** Gives slots to as many requests as possible, and closes gaps between slots. Returns the requests with slots. */
  #assignSlots(requests: readonly StepRequest[]): StepRequest[] {
    const audios = new Set<EncodedAudio>();
    const assigned = requests.filter(({ streams }) => {
      const { audio } = streams;
      if (audios.has(audio)) return false;
      audio.slot ??= this.#takeSlot(audio);
      if (!audio.slot) return false;
      audios.add(audio);
      this.#attach(streams, audio.slot);
      return true;
    });
    this.#closeGaps();
    return assigned;
  }

  /** Copies an audio to a free slot; undefined if there is none. */
  #takeSlot(audio: EncodedAudio): BatchSlot | undefined {
    let slot = this.#slots.find((other) => other.audio === undefined);
    if (!slot) {
      if (this.#slots.length === this.#maxSlots) return undefined;
      slot = { index: this.#slots.length, audio: undefined, streams: undefined };
      this.#slots.push(slot);
    }
    this.#cache ??= this.#decoder.cache(this.#maxSlots);
    slot.audio = audio;
    for (const [name, { data }] of Object.entries(audio.cross)) {
      const numbers = data as TensorData;
      let all = this.#cross.get(name);
      if (!all) {
        // The system maps memory at the first write, slot by slot.
        all = new (numbers.constructor as new (length: number) => TensorData)(this.#maxSlots * numbers.length);
        this.#cross.set(name, all);
      }
      all.set(numbers, slot.index * numbers.length);
    }
    const { cross } = audio;
    audio.move(this.#crossOf(audio, slot.index, 1));
    this.#free(dataOf(cross));
    return slot;
  }

  /** Moves a sequence from its own cache to its audio's slot. */
  #attach(streams: Streams, slot: BatchSlot): void {
    if (!streams.own) return;
    if (slot.streams) this.detach(slot.streams);
    this.#cache!.copy(slot.index, streams.own, 0);
    streams.own = undefined;
    slot.streams = streams;
  }

  #closeGaps(): void {
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
      this.#cache!.copy(gap.index, this.#cache!, last.index);
      this.#cache!.clear(last.index);
      this.#slots[gap.index] = last;
      last.index = gap.index;
      audio.move(this.#crossOf(audio, last.index, 1));
    }
  }

  /**
   * Cross-attention inputs of some slots.
   * @param audio any of theirs, for names and shapes
   */
  #crossOf(audio: EncodedAudio, first: number, count: number): Feeds {
    const feeds: Feeds = {};
    for (const [name, tensor] of Object.entries(audio.cross)) {
      const size = (tensor.data as TensorData).length;
      feeds[name] = tensorLike(tensor, count, this.#cross.get(name)!.subarray(first * size, (first + count) * size));
    }
    return feeds;
  }
}

function dataOf(tensors: Feeds): TensorData[] {
  return Object.values(tensors).map(({ data }) => data as TensorData);
}
