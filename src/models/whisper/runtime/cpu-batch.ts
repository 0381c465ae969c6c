import { freeBuffers, type TensorData } from '../../../ort/session.ts';
import {
  type EncodedAudio,
  runAlone,
  type StepRequest,
  type Streams,
  UnneededMemory,
  type WindowBatch,
} from './batch.ts';
import { BatchSlots, dataOf } from './batch-slots.ts';
import type { Answer, Decoder } from './decoder.ts';
import type { StreamCache } from './key-value-cache.ts';

/**
 * Runs steps of several windows as one on the CPU. The graph reads contiguous slots: an audio is copied to a slot at
 * its first batched run, and stays there until its release. Audios of each length have their own slots.
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

  /** Limited to those of `maxSlots` whole windows. */
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
    const { slot } = audio;
    const cross = audio.release();
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
