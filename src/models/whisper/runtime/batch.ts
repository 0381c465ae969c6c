import { type Feeds, freeBuffers, type TensorData, tensorLike } from '../../../ort/session.ts';
import type { Decoder, StreamStep } from './decoder.ts';
import type { KeyValueCache } from './key-value-cache.ts';
import type { Asker } from './step-scheduler.ts';

/** One encoded window: keys and values of every decoder layer's cross-attention. */
export class EncodedAudio {
  readonly asker: Asker;
  /** Its place among the audios that are decoded together, once it has one. */
  seat: Seat | undefined;
  #cross: Feeds;

  /** @param cross the encoder's outputs of one audio */
  constructor(cross: Feeds, asker: Asker) {
    this.asker = asker;
    this.#cross = cross;
  }

  /** The decoder's inputs of the same names. */
  get cross(): Feeds {
    return this.#cross;
  }

  /** @param cross the same, where they lie from now on */
  moved(cross: Feeds): void {
    this.#cross = cross;
  }
}

/** Sequences over one audio. They have a cache of their own, or else the place of their audio in the batch's. */
export interface Streams {
  readonly audio: EncodedAudio;
  own: KeyValueCache | undefined;
  /** Whether attention is handed out. */
  readonly attention: boolean;
}

/** What each stream is to be fed. */
export interface StepRequest {
  streams: Streams;
  tokens: readonly (readonly number[])[];
  /** Whether the logits of text tokens are wanted summed up, and not each. */
  summed: boolean;
  /** At the start of a transcript: which of several tokens is to have its logits handed out besides the last one. */
  earlier?: number;
}

interface Seat {
  index: number;
  /** Undefined where it has left. */
  audio: EncodedAudio | undefined;
  /** Whose tokens lie in the cache: of several decoders over one audio, the last one that came. */
  sitter: Streams | undefined;
}

/**
 * Runs steps of several windows as one. What the graph reads lies side by side: an audio whose turn comes together with
 * another's for the first time is copied to a seat, and read from there until it leaves.
 */
export class Batch {
  readonly #decoder: Decoder;
  readonly #most: number;
  #seats: Seat[] = [];
  /** By the names of the decoder's inputs, all seats' one after the other. */
  #cross = new Map<string, TensorData>();
  /** A stream for each seat. */
  #cache: KeyValueCache | undefined;
  /** Whether a run may be reading what it was given. */
  #isRunning = false;
  /** To be freed when it has. */
  #unneeded: TensorData[] = [];

  /** @param most seats */
  constructor(decoder: Decoder, most: number) {
    this.#decoder = decoder;
    this.#most = most;
  }

  /** The cache and the stream of it that hold one sequence, or the first of several. */
  place(streams: Streams): { cache: KeyValueCache; first: number } {
    return streams.own ? { cache: streams.own, first: 0 } : { cache: this.#cache!, first: streams.audio.seat!.index };
  }

  /** Gives a sequence a cache of its own. */
  standUp(streams: Streams): KeyValueCache {
    if (streams.own) return streams.own;
    const { cache, first } = this.place(streams);
    streams.own = this.#decoder.cache(1);
    streams.own.copy(0, cache, first);
    cache.clear(first);
    streams.audio.seat!.sitter = undefined;
    return streams.own;
  }

  /** Lets an audio go; nothing can be decoded over it any more. */
  release(audio: EncodedAudio): void {
    const { seat, cross } = audio;
    audio.moved({});
    audio.seat = undefined;
    if (!seat) {
      this.#free(dataOf(cross));
      return;
    }
    seat.audio = undefined;
    seat.sitter = undefined;
    if (this.#seats.every((other) => other.audio === undefined)) {
      this.#seats = [];
      this.#free([...this.#cross.values()]);
      this.#cross = new Map();
      this.#cache = undefined;
    } else {
      this.#cache!.clear(seat.index);
    }
  }

  /**
   * Runs steps, as one where that can be.
   * @param requests each by itself, or several of one stream and one token each
   */
  async run(requests: readonly StepRequest[]): Promise<StreamStep[][]> {
    const seated = requests.length > 1 ? this.#seat(requests) : [];
    this.#isRunning = true;
    try {
      const together = seated.length > 1 ? await this.#runTogether(seated) : new Map();
      const steps: StreamStep[][] = [];
      for (const request of requests) steps.push(together.get(request) ?? (await this.#runAlone(request)));
      return steps;
    } finally {
      this.#isRunning = false;
      this.#free(this.#unneeded.splice(0));
    }
  }

  /** Whoever leaves, leaves at any time. */
  #free(numbers: readonly TensorData[]): void {
    if (this.#isRunning) this.#unneeded.push(...numbers);
    else freeBuffers(numbers);
  }

  async #runAlone({ streams, tokens, summed, earlier }: StepRequest): Promise<StreamStep[]> {
    const { attention } = streams;
    const fed = tokens.map((tokens) => ({ tokens, summed, attention }));
    const steps = await this.#decoder.run(streams.audio.cross, { ...this.place(streams), fed }, earlier);
    return steps as StreamStep[];
  }

  async #runTogether(requests: readonly StepRequest[]): Promise<Map<StepRequest, StreamStep[]>> {
    const bySeat = new Map(requests.map((request) => [request.streams.audio.seat!.index, request]));
    const first = Math.min(...bySeat.keys());
    const count = Math.max(...bySeat.keys()) + 1 - first;
    const fed = Array.from({ length: count }, (_, index) => {
      const request = bySeat.get(first + index);
      if (!request) return undefined;
      return { tokens: request.tokens[0]!, summed: request.summed, attention: request.streams.attention };
    });
    const cross = this.#crossOf(requests[0]!.streams.audio, first, count);
    const steps = await this.#decoder.run(cross, { cache: this.#cache!, first, fed });
    return new Map([...bySeat].map(([seat, request]) => [request, [steps[seat - first]!]]));
  }

  /** Seats those that there is room for, and closes the gaps that others left. */
  #seat(requests: readonly StepRequest[]): StepRequest[] {
    const audios = new Set<EncodedAudio>();
    const seated = requests.filter(({ streams }) => {
      const { audio } = streams;
      if (audios.has(audio)) return false;
      audio.seat ??= this.#freeSeat(audio);
      if (!audio.seat) return false;
      audios.add(audio);
      this.#sit(streams, audio.seat);
      return true;
    });
    this.#closeGaps();
    return seated;
  }

  #freeSeat(audio: EncodedAudio): Seat | undefined {
    let seat = this.#seats.find((other) => other.audio === undefined);
    if (!seat) {
      if (this.#seats.length === this.#most) return undefined;
      seat = { index: this.#seats.length, audio: undefined, sitter: undefined };
      this.#seats.push(seat);
    }
    this.#cache ??= this.#decoder.cache(this.#most);
    seat.audio = audio;
    for (const [name, { data }] of Object.entries(audio.cross)) {
      const numbers = data as TensorData;
      let all = this.#cross.get(name);
      if (!all) {
        // Memory is taken where it is written to, seat by seat.
        all = new (numbers.constructor as new (length: number) => TensorData)(this.#most * numbers.length);
        this.#cross.set(name, all);
      }
      all.set(numbers, seat.index * numbers.length);
    }
    const { cross } = audio;
    audio.moved(this.#crossOf(audio, seat.index, 1));
    this.#free(dataOf(cross));
    return seat;
  }

  #sit(streams: Streams, seat: Seat): void {
    if (!streams.own) return;
    if (seat.sitter) this.standUp(seat.sitter);
    this.#cache!.copy(seat.index, streams.own, 0);
    streams.own = undefined;
    seat.sitter = streams;
  }

  #closeGaps(): void {
    for (;;) {
      const gap = this.#seats.find(({ audio }) => audio === undefined);
      if (!gap) return;
      const last = this.#seats.pop()!;
      const { audio } = last;
      if (!audio) continue;
      for (const [name, all] of this.#cross) {
        const size = (audio.cross[name]!.data as TensorData).length;
        all.copyWithin(gap.index * size, last.index * size, (last.index + 1) * size);
      }
      this.#cache!.copy(gap.index, this.#cache!, last.index);
      this.#cache!.clear(last.index);
      this.#seats[gap.index] = last;
      last.index = gap.index;
      audio.moved(this.#crossOf(audio, last.index, 1));
    }
  }

  /** @param audio one of them, for names and shapes */
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
