import { type Feeds, freeOnDevice, int64s, type Session } from '../../../ort/session.ts';
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
import type { StreamCache } from './key-value-cache.ts';

/** Streams of audios of the same length, in one tensor of each kind. */
interface Rows {
  /** Undefined where one has left; the next join closes the gap. */
  streams: (Streams | undefined)[];
  /** Cross-attention inputs of the decoder. */
  cross: Feeds;
  /** Not those of an audio that no other has joined. */
  ownsCross: boolean;
  cache: GpuKeyValueCache;
}

/**
 * Runs steps of several windows as one on a GPU. Their keys and values are copied side by side when a window joins the
 * others; a row that a window has left is computed along, which costs next to nothing. An audio keeps its own tensors, for
 * what runs alone: first runs, beams and samples. Of the decoders over one audio only the newest can run.
 */
export class GpuBatch implements WindowBatch {
  readonly #decoder: Decoder;
  readonly #join: Session;
  readonly #maxRows: number;
  readonly #rowsByPositions = new Map<number, Rows>();
  readonly #memory = new UnneededMemory();

  /** @param join a session of `joinGraph` */
  constructor(decoder: Decoder, join: Session, maxRows: number) {
    this.#decoder = decoder;
    this.#join = join;
    this.#maxRows = maxRows;
  }

  get reserved(): number {
    let positions = 0;
    for (const [each, { streams }] of this.#rowsByPositions) positions += each * streams.length;
    return positions;
  }

  locate(streams: Streams): { cache: StreamCache; first: number } {
    if (streams.own) return { cache: streams.own, first: 0 };
    const { rows, row } = this.#find(streams);
    return { cache: rows.cache, first: row };
  }

  detach(streams: Streams): StreamCache {
    if (streams.own) return streams.own;
    const { rows, row } = this.#find(streams);
    streams.own = rows.cache.only(row);
    this.#leave(streams);
    return streams.own;
  }

  release(audio: EncodedAudio): void {
    const { cross, streams } = audio;
    audio.move({});
    audio.streams = undefined;
    if (streams) this.#retire(streams);
    this.#memory.free(() => freeOnDevice(cross));
  }

  run(requests: readonly StepRequest[]): Promise<Answer[][][]> {
    return this.#memory.during(async () => {
      for (const { streams } of requests) this.#meet(streams);
      const batched = new Set(await this.#joinRows(requests));
      const together = await this.#runRows([...batched]);
      const steps: Answer[][][] = [];
      for (const request of requests) steps.push(together.get(request) ?? (await this.#runAlone(request)));
      return steps;
    });
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

  #find(streams: Streams): { rows: Rows; row: number } {
    const rows = this.#rowsByPositions.get(streams.audio.positions);
    const row = rows?.streams.indexOf(streams) ?? -1;
    if (!rows || row < 0) throw new Error('Another decoder has begun over the same audio');
    return { rows, row };
  }

  /** Leaves a gap; frees the rows after the last. */
  #leave(streams: Streams): void {
    const rows = this.#rowsByPositions.get(streams.audio.positions);
    const row = rows?.streams.indexOf(streams) ?? -1;
    if (!rows || row < 0) return;
    rows.streams[row] = undefined;
    if (rows.streams.some((each) => each !== undefined)) return;
    this.#rowsByPositions.delete(streams.audio.positions);
    this.#memory.free(() => freeRows(rows));
  }

  #runAlone(request: StepRequest): Promise<Answer[][]> {
    const { streams } = request;
    return runAlone(this.#decoder, request, { cache: this.detach(streams), first: 0 });
  }

  /** Runs steps of streams that are rows already. */
  async #runRows(requests: readonly StepRequest[]): Promise<Map<StepRequest, Answer[][]>> {
    if (requests.length === 0) return new Map();
    const { rows } = this.#find(requests[0]!.streams);
    const byStreams = new Map(requests.map((request) => [request.streams, request]));
    const order = rows.streams.map((streams) => streams && byStreams.get(streams));
    const fed = order.map(
      (request) =>
        request && { tokens: request.tokens[0]!, summed: request.summed, attention: request.streams.attention },
    );
    const answers = await this.#decoder.run(rows.cross, { cache: rows.cache, first: 0, fed });
    return new Map(order.flatMap((request, row) => (request ? [[request, [answers[row]!]]] : [])));
  }

  /** Makes rows of as many streams as possible; returns the requests that are rows. */
  async #joinRows(requests: readonly StepRequest[]): Promise<StepRequest[]> {
    const [{ streams }] = requests as [StepRequest];
    // One that runs alone joins no others, but stays among them.
    if (requests.length === 1) return streams.own === undefined && isStep(requests[0]!) ? [...requests] : [];
    const { positions } = streams.audio;
    for (const { streams } of requests) {
      const rows = this.#rowsByPositions.get(positions);
      const { own, audio } = streams;
      if (!(own instanceof GpuKeyValueCache)) continue;
      if (!rows) {
        const first = { streams: [streams], cross: audio.cross, ownsCross: false, cache: own };
        this.#rowsByPositions.set(positions, first);
        streams.own = undefined;
      } else if (rows.streams.filter((each) => each !== undefined).length < this.#maxRows) {
        await this.#joinRow(rows, streams, own);
      }
    }
    return requests.filter(({ streams }) => streams.own === undefined);
  }

  /** Copies all rows and a new one, and closes the gaps. */
  async #joinRow(rows: Rows, streams: Streams, own: GpuKeyValueCache): Promise<void> {
    const { cache, cross } = rows;
    const staying = rows.streams.flatMap((each, row) => (each ? [row] : []));
    const cached = Object.values(cache.past)[0]!.dims[0]!;
    const count = rows.streams.push(streams) - 1;
    streams.own = undefined;
    const outputs = await this.#join.run({
      ...renamed({ ...cross, ...cache.past }, 'first'),
      ...renamed({ ...streams.audio.cross, ...own.past }, 'second'),
      cross_rows: int64s([...staying, count]),
      past_rows: int64s([...staying.map((row) => cache.parent(row)), cached + own.parent(0)]),
    });
    const isPast = ([name]: [string, unknown]) => name.startsWith('past_');
    const entries = Object.entries(outputs);
    // Windows may have left meanwhile.
    rows.streams = [...staying, count].map((row) => rows.streams[row]);
    const lengths = [...staying.map((row) => cache.length(row)), own.length(0)];
    cache.replace(Object.fromEntries(entries.filter(isPast)), lengths);
    own.free();
    if (rows.ownsCross) freeOnDevice(cross);
    rows.cross = Object.fromEntries(entries.filter((entry) => !isPast(entry)));
    rows.ownsCross = true;
  }
}

function freeRows({ cache, cross, ownsCross }: Rows): void {
  cache.free();
  if (ownsCross) freeOnDevice(cross);
}

/** Inputs of the graphs that copy rows. */
export function renamed(feeds: Feeds, batch: 'first' | 'second'): Feeds {
  return Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [`${name}:${batch}`, tensor]));
}

/** Whether it is one token of one stream, without anything else to answer. */
function isStep({ tokens, answered }: StepRequest): boolean {
  return tokens.length === 1 && tokens[0]!.length === 1 && answered === undefined;
}
