import { freeBuffers, type TensorData } from '../../../ort/session.ts';
import {
  type EncodedAudio,
  runAlone,
  type StepRequest,
  type Streams,
  UnneededMemory,
  type WindowBatch,
} from './batch.ts';
import { type BatchSlot, BatchSlots, dataOf } from './batch-slots.ts';
import type { Answer, Decoder, StreamFeed } from './decoder.ts';
import type { StreamCache } from './key-value-cache.ts';

/** Slots between two others that a run computes in vain: one takes half the time of another run. */
const MAX_GAP = 1;

/** A request and the slot that its audio had when the run began. */
interface Slotted {
  request: StepRequest;
  slot: number;
}

/**
 * Runs steps of several windows as one on the CPU. The graph reads contiguous slots: an audio is copied to a slot once
 * another of its length is in flight, and stays there until its release. Audios of each length have their own slots.
 */
export class CpuBatch implements WindowBatch {
  readonly #decoder: Decoder;
  readonly #maxSlots: number;
  readonly #slotsByPositions = new Map<number, BatchSlots>();
  readonly #memory = new UnneededMemory();
  readonly #audios = new Set<EncodedAudio>();

  constructor(decoder: Decoder, maxSlots: number) {
    this.#decoder = decoder;
    this.#maxSlots = maxSlots;
  }

  /** Limited to those of `maxSlots` whole windows. */
  get reserved(): number {
    return [...this.#slotsByPositions.values()].reduce((sum, slots) => sum + slots.reserved, 0);
  }

  /**
   * Moves audios that will probably share steps to slots. Until then the encoder's outputs take memory of their own, which
   * triggers the garbage collector.
   */
  add(audio: EncodedAudio): void {
    this.#audios.add(audio);
    const sharing = [...this.#audios].filter(({ positions }) => positions === audio.positions);
    if (sharing.length > 1) for (const each of sharing) this.#takeSlot(each);
    this.#limitReserved();
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
    this.#audios.delete(audio);
    const { slot } = audio;
    const cross = audio.release();
    audio.slot = undefined;
    if (slot) slot.slots.release(slot);
    else this.#memory.free(() => freeBuffers(dataOf(cross)));
  }

  run(requests: readonly StepRequest[]): Promise<Answer[][][]> {
    const runs = requests.length > 1 ? neighbours(this.#assignSlots(requests)) : [];
    return this.#memory.during(async () => {
      const answers = new Map<StepRequest, Answer[][]>();
      for (const run of runs)
        await this.#runTogether(
          run.filter(({ request }) => isNeeded(request)),
          answers,
        );
      for (const request of requests) {
        if (answers.has(request) || !isNeeded(request)) continue;
        answers.set(request, await runAlone(this.#decoder, request, this.locate(request.streams)));
      }
      return requests.map((request) => answers.get(request) ?? []);
    });
  }

  /** Adds the answers of at least two requests; leaves a single one. */
  async #runTogether(run: readonly Slotted[], answers: Map<StepRequest, Answer[][]>): Promise<void> {
    if (run.length < 2) return;
    const { audio } = run[0]!.request.streams;
    const { slots, index: first } = audio.slot!;
    const fed = new Array<StreamFeed | undefined>(run.at(-1)!.slot + 1 - first).fill(undefined);
    for (const { request, slot } of run) {
      const { tokens, summed, streams } = request;
      fed[slot - first] = { tokens: tokens[0]!, summed, attention: streams.attention };
    }
    const cross = slots.crossOf(audio, first, fed.length);
    const steps = await this.#decoder.run(cross, { cache: slots.cache, first, fed });
    for (const { request, slot } of run) answers.set(request, [steps[slot - first]!]);
  }

  /** Gives slots to as many requests as possible, and closes gaps between slots. Returns the requests with slots. */
  #assignSlots(requests: readonly StepRequest[]): StepRequest[] {
    const audios = new Set<EncodedAudio>();
    const assigned = requests.filter(({ streams }) => {
      const { audio } = streams;
      if (audios.has(audio)) return false;
      const slot = this.#takeSlot(audio);
      if (!slot) return false;
      audios.add(audio);
      slot.slots.attach(streams, slot);
      return true;
    });
    this.#slotsFor(requests[0]!.streams.audio.positions).closeGaps();
    this.#limitReserved();
    return assigned;
  }

  #takeSlot(audio: EncodedAudio): BatchSlot | undefined {
    audio.slot ??= this.#slotsFor(audio.positions).take(audio);
    return audio.slot;
  }

  #limitReserved(): void {
    if (this.reserved <= this.#maxSlots * this.#decoder.configuration.audioPositions) return;
    for (const slots of this.#slotsByPositions.values()) slots.shrink();
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

/** Whether its audio has not been released while another run was in progress. */
function isNeeded({ streams }: StepRequest): boolean {
  return !streams.audio.isReleased;
}

/** Requests by slot, split where a run would compute too many slots in vain. */
function neighbours(requests: readonly StepRequest[]): Slotted[][] {
  const slotted = requests.map((request) => ({ request, slot: request.streams.audio.slot!.index }));
  const runs: Slotted[][] = [];
  for (const each of slotted.sort((a, b) => a.slot - b.slot)) {
    const run = runs.at(-1);
    if (run && each.slot - run.at(-1)!.slot <= 1 + MAX_GAP) run.push(each);
    else runs.push([each]);
  }
  return runs;
}
