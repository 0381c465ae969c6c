import { setTimeout as sleep } from 'node:timers/promises';
import type { DecodeOptions } from '../../audio/decode.ts';
import { invalidAudio } from '../../audio/errors.ts';
import { EngineDied, type EngineProcess } from '../../engine/process.ts';
import { HearsayError } from '../../errors.ts';
import { processMemory } from '../../machine/process-memory.ts';
import { FairQueue, type Queued } from '../../scheduling/fair-queue.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';

/** One file, as sent to a decoder process. */
export type DecodeJob = Pick<DecodeOptions, 'maxSeconds' | 'part' | 'track'> & { path: string };

/** Mono samples at 16 kHz; for digital silence only their number. */
export type DecodedAudio = Float32Array | number;

export type DecoderProcess = EngineProcess<DecodeJob, DecodedAudio, undefined>;

/** Streams a recording as mono float32 at 16 kHz, see `decodeAudio`. */
export type Decode = (path: string, options: DecodeOptions) => AsyncIterable<Float32Array>;

/** Six seconds of audio: decoding further ahead would slow down the search for the first speech. */
const CHUNKS_AHEAD = 12;
/** Time without new audio after which a file counts as undecodable. */
const MAX_STALL_MS = 60_000;
/** Further decoding time for each second of audio: a hundred times what codecs need. */
const MAX_MS_PER_SECOND = 250;
/** Milliseconds for a cancelled decode to end before its process is killed: native code may not return for minutes. */
const MAX_SETTLE_MS = 2000;

const MEBIBYTE = 1024 * 1024;
/** Maximum memory of a decoder. Usually it takes 20 to 45 MiB, and 150 MiB with the index of a film of four hours. */
const MAX_BYTES = 384 * MEBIBYTE;
/** Maximum memory of all decoders, but not less than what many ordinary files take. */
const MAX_TOTAL_BYTES = 1024 * MEBIBYTE;
const USUAL_BYTES = 128 * MEBIBYTE;
/** A larger process is not reused. */
const MAX_IDLE_BYTES = 64 * MEBIBYTE;
const MEMORY_INTERVAL_MS = 100;

/** Idle processes that are kept for the next files. */
const KEPT = 2;
/** Maximum idle processes; those beyond `KEPT` end after a while. Under load they would be started again and again. */
const MAX_IDLE = 8;
const SPARE_MS = 30_000;
/** Milliseconds after which a file counts as long, and another decoder is started for the next request. */
const LONG_FILE_MS = 1000;
const LAUNCH_BACKOFF_MS = 1000;

/** A process while it decodes one file. */
interface Lease {
  readonly process: DecoderProcess;
  readonly since: number;
  /** Why its process or its job was ended. */
  refusal?: HearsayError;
}

interface Waiting extends Queued {
  take: (process: DecoderProcess) => void;
  fail: (error: unknown) => void;
}

/**
 * Decodes each file in a separate process (docs/decisions/0021-decoder-process.md), so that a hostile file affects
 * only that process. Processes are reused, and at least one is kept ready.
 */
export class Decoders {
  readonly #launch: () => Promise<DecoderProcess>;
  readonly #idle: DecoderProcess[] = [];
  readonly #busy = new Set<Lease>();
  readonly #queue = new FairQueue<Waiting>();
  #isLaunching = false;
  #spare: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;

  private constructor(launch: () => Promise<DecoderProcess>) {
    this.#launch = launch;
  }

  /** Resolves when the first decoder is ready. */
  static async start(launch: () => Promise<DecoderProcess>): Promise<Decoders> {
    const decoders = new Decoders(launch);
    decoders.#idle.push(await launch());
    return decoders;
  }

  /** Process ids of the decoders, idle ones included. */
  get pids(): number[] {
    return [...this.#idle, ...[...this.#busy].map(({ process }) => process)].map(({ pid }) => pid);
  }

  /**
   * Like `decodeAudio`, in another process. If that dies, decodes again from the start in a new one, once.
   * @throws HearsayError `invalid_audio`, `audio_too_long`, `engine_failed` if no decoder can be started; the reason of
   *   `signal`
   */
  async *decode(path: string, { maxSeconds, part, track, signal }: DecodeOptions): AsyncGenerator<Float32Array> {
    let delivered = 0;
    for (let isRetry = false; ; isRetry = true) {
      const lease = this.#lease(isRetry ? await this.#fresh(signal) : await this.#next(signal));
      try {
        let position = 0;
        for await (const chunk of chunksOf(lease, { path, maxSeconds, part, track }, signal)) {
          position += chunk.length;
          if (position <= delivered) continue;
          delivered = position;
          yield chunk;
        }
        return;
      } catch (error) {
        signal?.throwIfAborted();
        if (lease.refusal) throw lease.refusal;
        if (!(error instanceof EngineDied)) throw error;
        report(`A decoder died: ${error.message}`);
        if (isRetry) throw invalidAudio('The file could not be decoded.', error);
      } finally {
        void this.#release(lease);
      }
    }
  }

  #lease(process: DecoderProcess): Lease {
    const lease = { process, since: performance.now() };
    this.#busy.add(lease);
    this.#watch ??= setInterval(() => this.#checkMemory(), MEMORY_INTERVAL_MS).unref();
    return lease;
  }

  #next(signal?: AbortSignal): DecoderProcess | Promise<DecoderProcess> {
    signal?.throwIfAborted();
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) if (process.isAlive) return process;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#queue.remove(waiting);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener('abort', abort);
      const waiting: Waiting = {
        owner: {},
        take: (process) => {
          settle();
          resolve(process);
        },
        fail: (error) => {
          settle();
          reject(cannotStart(error));
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(waiting);
      void this.#launchOne();
    });
  }

  /** Starts a new process for a retry, since the cause of one decoder's death may have killed or stopped the others. */
  async #fresh(signal?: AbortSignal): Promise<DecoderProcess> {
    const process = await this.#launch().catch((error) => {
      throw cannotStart(error);
    });
    if (!signal?.aborted) return process;
    this.#offer(process);
    throw signal.reason;
  }

  /** Waits until the process has ended its job, or ends it, and gives it to the next request. */
  async #release(lease: Lease): Promise<void> {
    const { process } = lease;
    const timer = setTimeout(() => {
      report('A decoder did not stop: ending its process.');
      process.kill();
    }, MAX_SETTLE_MS);
    await process.idle();
    clearTimeout(timer);
    this.#busy.delete(lease);
    if (this.#busy.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    if (process.isAlive && processMemory(process.pid).anonymous <= MAX_IDLE_BYTES) this.#offer(process);
    else process.kill();
    if (this.#idle.length === 0) void this.#launchOne();
  }

  #offer(process: DecoderProcess): void {
    const waiting = this.#queue.next();
    if (waiting) waiting.take(process);
    else if (this.#idle.length < MAX_IDLE) this.#idle.push(process);
    else process.kill();
    if (this.#idle.length > KEPT) this.#spare ??= setTimeout(() => this.#endSpare(), SPARE_MS).unref();
  }

  /** Ends the processes that were not used last. */
  #endSpare(): void {
    this.#spare = undefined;
    for (const process of this.#idle.splice(0, this.#idle.length - KEPT)) process.kill();
  }

  /** Starts one process at a time: decoders that finish their file in the meantime also serve waiting requests. */
  async #launchOne(): Promise<void> {
    if (this.#isLaunching) return;
    this.#isLaunching = true;
    try {
      this.#offer(await this.#launch());
    } catch (error) {
      report(`A decoder could not be started: ${error}`);
      this.#queue.next()?.fail(error);
      await sleep(LAUNCH_BACKOFF_MS);
    }
    this.#isLaunching = false;
    if (this.#queue.heads.length > 0) void this.#launchOne();
  }

  #checkMemory(): void {
    const sizes = [...this.#busy].map((lease) => ({ lease, bytes: processMemory(lease.process.pid).anonymous }));
    sizes.sort((a, b) => b.bytes - a.bytes);
    let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    const maxTotal = Math.max(MAX_TOTAL_BYTES, USUAL_BYTES * sizes.length);
    for (const { lease, bytes } of sizes) {
      if (bytes <= MAX_BYTES && total <= maxTotal) break;
      total -= bytes;
      report(`A decoder took ${Math.round(bytes / MEBIBYTE)} MiB: ending its process.`);
      lease.refusal = invalidAudio('The file takes too much memory to decode.');
      lease.process.kill();
    }
    const isLong = ({ since }: Lease) => performance.now() - since > LONG_FILE_MS;
    if (this.#idle.length === 0 && [...this.#busy].some(isLong)) void this.#launchOne();
  }
}

/** Runs the job of a lease; ends it if it takes too long. */
async function* chunksOf(lease: Lease, job: DecodeJob, signal?: AbortSignal): AsyncGenerator<Float32Array> {
  const stalled = new AbortController();
  const ending = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const events = lease.process.run(job, ending, CHUNKS_AHEAD);
  const stall = () => {
    lease.refusal = invalidAudio('The file takes too long to decode.');
    stalled.abort();
  };
  let seconds = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const started = performance.now();
      const leftMs = MAX_STALL_MS + MAX_MS_PER_SECOND * seconds - waitedMs;
      const timer = setTimeout(stall, Math.min(MAX_STALL_MS, leftMs));
      const { done, value } = await events.next().finally(() => clearTimeout(timer));
      waitedMs += performance.now() - started;
      if (done) return;
      const chunk = typeof value === 'number' ? new Float32Array(value) : value;
      seconds += chunk.length / SAMPLE_RATE;
      yield chunk;
    }
  } finally {
    await events.return();
  }
}

function cannotStart(cause: unknown): HearsayError {
  return new HearsayError('engine_failed', 'No decoder could be started.', { cause });
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
