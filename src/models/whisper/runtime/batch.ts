import { type Feeds, freeBuffers, type TensorData } from '../../../ort/session.ts';
import { type BatchSlot, BatchSlots, dataOf } from './batch-slots.ts';
import type { Answer, Decoder, RunOptions } from './decoder.ts';
import type { StreamCache } from './key-value-cache.ts';
import type { ScheduledWindow } from './step-scheduler.ts';

/** One encoded window: keys and values of every decoder layer's cross-attention. */
export class EncodedAudio {
  readonly window: ScheduledWindow;
  /** Encoder positions. */
  readonly positions: number;
  /** Set from the first run with others on. */
  slot: BatchSlot | undefined;
  /** The last to run over it on a GPU. */
  streams: Streams | undefined;
  #cross: Feeds;

  /** @param cross the encoder's outputs of one audio */
  constructor(cross: Feeds, window: ScheduledWindow, positions: number) {
    this.window = window;
    this.positions = positions;
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
  own: StreamCache | undefined;
  /** Whether steps return attention. */
  readonly attention: boolean;
}

/** Tokens for each stream. */
export interface StepRequest extends RunOptions {
  streams: Streams;
  tokens: readonly (readonly number[])[];
  /** Whether to return a summary of the text tokens' logits instead of each. */
  summed: boolean;
}

/** Runs steps of several windows as one if possible. */
export interface WindowBatch {
  /** Encoder positions whose keys and values take memory for running several windows as one. */
  readonly reserved: number;
  /** Finds the cache of some streams, the index of their first one in it, and their number. */
  locate(streams: Streams): { cache: StreamCache; first: number; count: number };
  /** Whether a step can run together with others of the same `runKey`. */
  canShare(request: StepRequest): boolean;
  /** Makes sequence `parents[i]` sequence `i`, and drops the others. */
  keep(streams: Streams, parents: readonly number[]): void;
  /** Frees an audio's memory and place; nothing can be decoded over it any more. */
  release(audio: EncodedAudio): void;
  /**
   * Runs steps, as one if possible.
   * @param requests one, or several that can share a run
   * @returns for each request the answers of its streams
   */
  run(requests: readonly StepRequest[]): Promise<Answer[][][]>;
}

/** Steps with the same key have as many streams, over audios of the same length, and as many tokens for each. */
export function runKey({ streams, tokens, answered, unmasked }: StepRequest): string {
  return JSON.stringify([streams.audio.positions, tokens.length, tokens[0]!.length, answered, unmasked]);
}

/** Runs the steps of one window. */
export async function runAlone(
  decoder: Decoder,
  { streams, tokens, summed, ...options }: StepRequest,
  range: { cache: StreamCache; first: number },
): Promise<Answer[][]> {
  const { attention, audio } = streams;
  const fed = tokens.map((tokens) => ({ tokens, summed, attention }));
  return (await decoder.run(audio.cross, { ...range, fed }, options)) as Answer[][];
}

/** What to free once no run may be reading it. */
export class UnneededMemory {
  #isRunning = false;
  #unneeded: (() => void)[] = [];

  /** Frees now or after the run. */
  free(free: () => void): void {
    if (this.#isRunning) this.#unneeded.push(free);
    else free();
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#isRunning = true;
    try {
      return await run();
    } finally {
      this.#isRunning = false;
      for (const free of this.#unneeded.splice(0)) free();
    }
  }
}

/**
 * Runs steps of several windows as one on the CPU. The graph reads slots that lie side by side in memory: an audio is copied to a slot
 * at its first run with others, and stays there until its release. Audios of each length have their own slots.
 */
export class CpuBatch implements WindowBatch {
  readonly #decoder: Decoder;
  readonly #maxSlots: number;
  readonly #slotsByPositions = new Map<number, BatchSlots>();
  readonly #memory = new UnneededMemory();

  constructor(decoder: Decoder, maxSlots: number) {
    this.#decoder = decoder;
    this.#maxSlots = maxSlots;
  }

  /** No more than those of `maxSlots` whole windows. */
  get reserved(): number {
    return [...this.#slotsByPositions.values()].reduce((sum, slots) => sum + slots.reserved, 0);
  }

  locate({ own, audio: { slot } }: Streams): { cache: StreamCache; first: number; count: number } {
    if (own) return { cache: own, first: 0, count: own.streams };
    return { cache: slot!.slots.cache, first: slot!.index, count: 1 };
  }

  canShare({ tokens, answered }: StepRequest): boolean {
    return tokens.length === 1 && tokens[0]!.length === 1 && answered === undefined;
  }

  keep(streams: Streams, parents: readonly number[]): void {
    // A single stream keeps its slot.
    if (this.locate(streams).count === 1 && parents.length === 1) return;
    (streams.own ?? streams.audio.slot!.slots.detach(streams)).keep(parents);
  }

  release(audio: EncodedAudio): void {
    const { slot, cross } = audio;
    audio.move({});
    audio.slot = undefined;
    if (slot) slot.slots.release(slot);
    else this.#memory.free(() => freeBuffers(dataOf(cross)));
  }

  run(requests: readonly StepRequest[]): Promise<Answer[][][]> {
    const batch = requests.length > 1 ? this.#assignSlots(requests) : [];
    return this.#memory.during(async () => {
      const batched = batch.length > 1 ? await this.#runBatch(batch) : new Map();
      const steps: Answer[][][] = [];
      for (const request of requests) {
        steps.push(batched.get(request) ?? (await runAlone(this.#decoder, request, this.locate(request.streams))));
      }
      return steps;
    });
  }

  async #runBatch(requests: readonly StepRequest[]): Promise<Map<StepRequest, Answer[][]>> {
    const bySlot = new Map(requests.map((request) => [request.streams.audio.slot!.index, request]));
    const first = Math.min(...bySlot.keys());
    const count = Math.max(...bySlot.keys()) + 1 - first;
    const fed = Array.from({ length: count }, (_, index) => {
      const request = bySlot.get(first + index);
      if (!request) return undefined;
      return { tokens: request.tokens[0]!, summed: request.summed, attention: request.streams.attention };
    });
    const { audio } = requests[0]!.streams;
    const { slots } = audio.slot!;
    const steps = await this.#decoder.run(slots.crossOf(audio, first, count), { cache: slots.cache, first, fed });
    return new Map([...bySlot].map(([slot, request]) => [request, [steps[slot - first]!]]));
  }

  /** Gives slots to as many requests as possible, and closes gaps between slots. Returns the requests with slots. */
  #assignSlots(requests: readonly StepRequest[]): StepRequest[] {
    const slots = this.#slotsFor(requests[0]!.streams.audio.positions);
    const audios = new Set<EncodedAudio>();
    const assigned = requests.filter(({ streams }) => {
      const { audio } = streams;
      if (audios.has(audio)) return false;
      audio.slot ??= slots.take(audio);
      if (!audio.slot) return false;
      audios.add(audio);
      slots.attach(streams, audio.slot);
      return true;
    });
    slots.closeGaps();
    if (this.reserved > this.#maxSlots * this.#decoder.configuration.audioPositions) {
      for (const each of this.#slotsByPositions.values()) each.shrink();
    }
    return assigned;
  }

  #slotsFor(positions: number): BatchSlots {
    let slots = this.#slotsByPositions.get(positions);
    if (!slots) {
      const free = (numbers: readonly TensorData[]) => this.#memory.free(() => freeBuffers(numbers));
      slots = new BatchSlots({ decoder: this.#decoder, positions, maxSlots: this.#maxSlots, free });
      this.#slotsByPositions.set(positions, slots);
    }
    return slots;
  }
}
