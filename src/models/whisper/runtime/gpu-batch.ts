import { type Feeds, freeOnDevice } from '../../../ort/session.ts';
import {
  type EncodedAudio,
  runAlone,
  type StepRequest,
  type Streams,
  UnneededMemory,
  type WindowBatch,
} from './batch.ts';
import type { Answer, Decoder } from './decoder.ts';
import { GpuKeyValueCache } from './gpu-key-value-cache.ts';
import type { GpuRows } from './gpu-rows.ts';
import type { StreamCache } from './key-value-cache.ts';

/** Windows with as many streams each over audios of the same length, in one tensor of each kind. */
interface Group {
  key: string;
  /** Streams of each window. */
  width: number;
  /** Undefined for a window that has left; the next join closes the gap. */
  windows: (Streams | undefined)[];
  /** Cross-attention inputs of the decoder, a row for each window. */
  cross: Feeds;
  /** Whether the group owns `cross`: not if they are those of its only audio. */
  ownsCross: boolean;
  /** A row for each stream of each window. */
  cache: GpuKeyValueCache;
}

/** Maximum new tokens of a stream for a batched run: those of a start without earlier text. */
const MAX_SHARED_TOKENS = 8;

/**
 * Runs steps of several windows as one on a GPU. When a window joins the others, their keys and values are copied side
 * by side; rows of windows that have left are still computed, which costs next to nothing. An audio keeps its own
 * tensors for steps that run alone. Of the decoders over one audio only the newest can run.
 */
export class GpuBatch implements WindowBatch {
  readonly #decoder: Decoder;
  readonly #rows: Pick<GpuRows, 'join'>;
  readonly #maxStreams: number;
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<Streams, Group>();
  readonly #memory = new UnneededMemory();

  /** @param maxStreams of one group */
  constructor(decoder: Decoder, rows: Pick<GpuRows, 'join'>, maxStreams: number) {
    this.#decoder = decoder;
    this.#rows = rows;
    this.#maxStreams = maxStreams;
  }

  get reserved(): number {
    let positions = 0;
    for (const { windows, key } of this.#groups.values()) positions += Number.parseInt(key, 10) * windows.length;
    return positions;
  }

  /** Does nothing: an audio is copied when it joins the others. */
  add(): void {}

  canShare({ tokens }: StepRequest): boolean {
    return tokens[0]!.length <= MAX_SHARED_TOKENS && 2 * tokens.length <= this.#maxStreams;
  }

  locate(streams: Streams): { cache: StreamCache; first: number; count: number } {
    if (streams.own) return { cache: streams.own, first: 0, count: streams.own.streams };
    const { cache, width, windows } = this.#find(streams);
    return { cache, first: width * windows.indexOf(streams), count: width };
  }

  keep(streams: Streams, parents: readonly number[]): void {
    const { cache, first, count } = this.locate(streams);
    if (streams.own || parents.length !== count) this.#detach(streams).keep(parents);
    else (cache as GpuKeyValueCache).keepWithin(first, parents);
  }

  release(audio: EncodedAudio): void {
    const { streams } = audio;
    const cross = audio.release();
    audio.streams = undefined;
    if (streams) this.#retire(streams);
    this.#memory.free(() => freeOnDevice(cross));
  }

  run(requests: readonly StepRequest[]): Promise<Answer[][][]> {
    return this.#memory.during(async () => {
      for (const { streams } of requests) this.#meet(streams);
      const together = await this.#runGroup(await this.#joinGroup(requests));
      const steps: Answer[][][] = [];
      for (const request of requests) steps.push(together.get(request) ?? (await this.#runAlone(request)));
      return steps;
    });
  }

  /** Runs the step of a window that is in no group. */
  async #runAlone(request: StepRequest): Promise<Answer[][]> {
    if (hasLeft(request)) return [];
    return runAlone(this.#decoder, request, { cache: this.#detach(request.streams), first: 0 });
  }

  /** Ends the decoder before this one over the same audio. */
  #meet(streams: Streams): void {
    const { audio } = streams;
    if (audio.streams && audio.streams !== streams) this.#retire(audio.streams);
    audio.streams = streams;
  }

  #retire(streams: Streams): void {
    const { own } = streams;
    if (own instanceof GpuKeyValueCache) this.#memory.free(() => own.free());
    else this.#leave(streams);
  }

  #find(streams: Streams): Group {
    const group = this.#groupOf.get(streams);
    if (!group) throw new Error('Another decoder has begun over the same audio');
    return group;
  }

  /** Moves the sequences of a window to their own cache. */
  #detach(streams: Streams): StreamCache {
    if (streams.own) return streams.own;
    const { first, count } = this.locate(streams);
    streams.own = this.#find(streams).cache.only(first, count);
    this.#leave(streams);
    return streams.own;
  }

  /** Removes a window, which leaves a gap; frees the group after the last one. */
  #leave(streams: Streams): void {
    const group = this.#groupOf.get(streams);
    if (!group) return;
    this.#groupOf.delete(streams);
    group.windows[group.windows.indexOf(streams)] = undefined;
    if (group.windows.some((window) => window !== undefined)) return;
    this.#groups.delete(group.key);
    this.#memory.free(() => freeGroup(group));
  }

  /** Runs steps of windows of one group. */
  async #runGroup(requests: readonly StepRequest[]): Promise<Map<StepRequest, Answer[][]>> {
    if (requests.length === 0) return new Map();
    const [first] = requests as [StepRequest];
    const { windows, cross, cache, width } = this.#find(first.streams);
    const byStreams = new Map(requests.map((request) => [request.streams, request]));
    const order = windows.map((window) => window && byStreams.get(window));
    const fed = order.flatMap((request) =>
      Array.from({ length: width }, (_, stream) => {
        if (!request) return undefined;
        const { tokens, summed, streams } = request;
        return { tokens: tokens[stream]!, summed, attention: streams.attention };
      }),
    );
    const answers = await this.#decoder.run(cross, { cache, first: 0, fed }, first);
    const answersOf = (window: number) => answers.slice(width * window, width * (window + 1)) as Answer[][];
    return new Map(order.flatMap((request, window) => (request ? [[request, answersOf(window)]] : [])));
  }

  /**
   * Brings as many windows as possible into one group; returns the requests of those in it. Between the runs that copy
   * rows, clients may disconnect and their windows leave.
   */
  async #joinGroup(requests: readonly StepRequest[]): Promise<StepRequest[]> {
    const [first] = requests as [StepRequest];
    // A step that runs alone does not join a group, but its window may stay in one.
    if (requests.length === 1) return first.streams.own === undefined && this.canShare(first) ? [first] : [];
    const width = first.tokens.length;
    const key = `${first.streams.audio.positions}/${width}`;
    for (const { streams } of requests) {
      const group = this.#groups.get(key);
      const { own, audio } = streams;
      if (!(own instanceof GpuKeyValueCache) || audio.isReleased) continue;
      if (!group) {
        const { cross } = audio;
        this.#enter({ key, width, windows: [], cross, ownsCross: false, cache: own }, streams);
      } else if (width * (group.windows.filter((window) => window !== undefined).length + 1) <= this.#maxStreams) {
        await this.#joinWindow(group, streams, own);
      }
    }
    return requests.filter((request) => request.streams.own === undefined && !hasLeft(request));
  }

  #enter(group: Group, streams: Streams): void {
    this.#groups.set(group.key, group);
    this.#groupOf.set(streams, group);
    group.windows.push(streams);
    streams.own = undefined;
  }

  /** Copies the rows of all windows and of a new one, and closes the gaps. */
  async #joinWindow(group: Group, streams: Streams, own: GpuKeyValueCache): Promise<void> {
    const { cache, cross, width } = group;
    const staying = group.windows.flatMap((window, index) => (window ? [index] : []));
    const cached = Object.values(cache.past)[0]!.dims[0]!;
    const last = group.windows.length;
    this.#enter(group, streams);
    const rows = staying.flatMap((window) => Array.from({ length: width }, (_, stream) => width * window + stream));
    const added = Array.from({ length: width }, (_, stream) => stream);
    const outputs = await this.#rows.join(
      { ...cross, ...cache.past },
      { ...streams.audio.cross, ...own.past },
      {
        cross: [...staying, last],
        past: [...rows.map((row) => cache.parent(row)), ...added.map((stream) => cached + own.parent(stream))],
      },
    );
    const isPast = ([name]: [string, unknown]) => name.startsWith('past_');
    const entries = Object.entries(outputs);
    // Windows may have left meanwhile.
    group.windows = [...staying, last].map((window) => group.windows[window]);
    const lengths = [...rows.map((row) => cache.length(row)), ...added.map((stream) => own.length(stream))];
    cache.replace(Object.fromEntries(entries.filter(isPast)), lengths);
    own.free();
    if (group.ownsCross) freeOnDevice(cross);
    group.cross = Object.fromEntries(entries.filter((entry) => !isPast(entry)));
    group.ownsCross = true;
  }
}

/** Whether its window has been released since the run began. */
const hasLeft = ({ streams }: StepRequest) => streams.audio.isReleased;

function freeGroup({ cache, cross, ownsCross }: Group): void {
  cache.free();
  if (ownsCross) freeOnDevice(cross);
}
