import { setTimeout as sleep } from 'node:timers/promises';
import { HearsayError } from '../errors.ts';
import { EngineDied, type EngineProcess } from './process.ts';

interface LogMethod {
  (message: string): void;
  (details: object, message: string): void;
}

/** The methods of a pino logger that supervision uses. */
export type EngineLog = Record<'info' | 'warn' | 'error', LogMethod>;

/**
 * Starts an engine with the named model, downloading it first if necessary. When `signal` aborts it must reject and
 * leave nothing running. Clients see the message of a HearsayError, never that of any other error.
 * @param beforeLoad to be awaited between the download and the start
 */
export type Launch<Job, Event, Info> = (
  name: string,
  signal: AbortSignal,
  beforeLoad: () => Promise<void>,
) => Promise<EngineProcess<Job, Event, Info>>;

/** Maximum loads of one launch: a load that was killed is retried. */
const MAX_LOADS = 3;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5000;

/** Milliseconds to wait after a number of failures in a row: none after the first, then doubling. */
export function backoffMs(failures: number): number {
  return failures < 2 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 2));
}

/** Launches engines and tracks each until its exit, so that none outlives the service. */
export class EngineLauncher<Job, Event, Info> {
  readonly #start: Launch<Job, Event, Info>;
  readonly #log: EngineLog;
  readonly #closing = new AbortController();
  readonly #launches = new Set<Promise<unknown>>();
  readonly #engines = new Set<EngineProcess<Job, Event, Info>>();

  constructor(start: Launch<Job, Event, Info>, log: EngineLog) {
    this.#start = start;
    this.#log = log;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** @throws HearsayError `draining` after `close` */
  assertOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  /**
   * Launches an engine; retries a load that was killed.
   * @param beforeLoad awaited between the download and each load
   * @throws HearsayError `draining` after `close`; the reason of `signal`; whatever the launch throws
   */
  async launch(
    name: string,
    signal?: AbortSignal,
    beforeLoad = async () => {},
  ): Promise<EngineProcess<Job, Event, Info>> {
    const closing = this.#closing.signal;
    const abort = signal ? AbortSignal.any([closing, signal]) : closing;
    const launching = this.#launch(name, abort, beforeLoad);
    this.#launches.add(launching);
    try {
      return await launching;
    } finally {
      this.#launches.delete(launching);
    }
  }

  /** Aborts every launch and kills every engine; resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new HearsayError('draining', 'The service is shutting down.'));
    for (const engine of this.#engines) engine.kill();
    await Promise.allSettled([...this.#launches, ...[...this.#engines].map((engine) => engine.exited)]);
  }

  async #launch(
    name: string,
    abort: AbortSignal,
    beforeLoad: () => Promise<void>,
  ): Promise<EngineProcess<Job, Event, Info>> {
    for (let loads = 1; ; loads++) {
      abort.throwIfAborted();
      try {
        return await this.#launchOnce(name, abort, beforeLoad);
      } catch (error) {
        if (abort.aborted || loads === MAX_LOADS || !wasKilled(error)) throw error;
        this.#log.warn({ err: error }, `The engine of ${name} was killed while it loaded: loading it again.`);
        await sleep(backoffMs(loads), undefined, { signal: abort }).catch(() => {});
      }
    }
  }

  async #launchOnce(
    name: string,
    abort: AbortSignal,
    beforeLoad: () => Promise<void>,
  ): Promise<EngineProcess<Job, Event, Info>> {
    const engine = await this.#start(name, abort, beforeLoad);
    if (abort.aborted) {
      engine.kill();
      await engine.exited;
      abort.throwIfAborted();
    }
    this.#engines.add(engine);
    void engine.exited.then(() => this.#engines.delete(engine));
    return engine;
  }
}

function wasKilled(error: unknown): boolean {
  return error instanceof HearsayError && error.cause instanceof EngineDied;
}

/**
 * Converts a failed load into an error with `code`: for a request `model_failed` if it is not retried, otherwise
 * `model_warming` or `model_unavailable`; for an activation `model_load_failed`.
 */
export function loadError(
  code: 'model_failed' | 'model_warming' | 'model_unavailable' | 'model_load_failed',
  error: unknown,
): HearsayError {
  if (!(error instanceof HearsayError)) {
    return new HearsayError(code, 'The model could not be loaded.', { cause: error });
  }
  if (error.code === code || error.code === 'draining') return error;
  return new HearsayError(code, error.message, { cause: error });
}
