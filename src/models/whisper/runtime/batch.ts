import type { Feeds } from '../../../ort/session.ts';
import type { BatchSlot } from './batch-slots.ts';
import type { Answer, Decoder, RunOptions } from './decoder.ts';
import type { StreamCache } from './key-value-cache.ts';
import type { ScheduledWindow } from './step-scheduler.ts';

/** One encoded window: keys and values of every decoder layer's cross-attention. */
export class EncodedAudio {
  readonly window: ScheduledWindow;
  /** Encoder positions. */
  readonly positions: number;
  /** Set from the first batched run on. */
  slot: BatchSlot | undefined;
  /** The sequences that ran over it last on a GPU. */
  streams: Streams | undefined;
  #cross: Feeds;
  #isReleased = false;

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

  /** Whether its keys and values were given up because its window ended or its client left. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Replaces the keys and values. @param cross the same values in other memory */
  move(cross: Feeds): void {
    this.#cross = cross;
  }

  /** Gives up the keys and values, for the caller to free. */
  release(): Feeds {
    const cross = this.#cross;
    this.#cross = {};
    this.#isReleased = true;
    return cross;
  }
}

/** Sequences over one audio, with their own KV cache or their audio's slot of the batch's cache. */
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
  /** Takes note of an audio that was just encoded, while no run is in progress. */
  add(audio: EncodedAudio): void;
  /** Finds the cache of some streams, the index of their first one in it, and their number. */
  locate(streams: Streams): { cache: StreamCache; first: number; count: number };
  /** Whether a step can run together with others of the same `runKey`. */
  canShare(request: StepRequest): boolean;
  /** Makes sequence `parents[i]` sequence `i`, and drops the others. */
  keep(streams: Streams, parents: readonly number[]): void;
  /** Frees the memory and the slot of an audio, which cannot be decoded any more. */
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

/** Frees memory, but not while a run may be reading it. */
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
