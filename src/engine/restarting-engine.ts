import { setTimeout as sleep } from 'node:timers/promises';
import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';
import { InFlight } from '../scheduling/drain.ts';
import type { EngineProcess } from './process.ts';

interface LogMethod {
  (message: string): void;
  (details: object, message: string): void;
}

/** The methods of a pino logger that supervision uses. */
export type EngineLog = Record<'info' | 'warn' | 'error', LogMethod>;

/**
 * Starts an engine with the named model, downloading it first if necessary. When `signal` aborts it must reject and
 * leave nothing running. Clients see the message of a HearsayError, never that of any other error.
 */
export type Launch<Job, Event, Info> = (name: string, signal: AbortSignal) => Promise<EngineProcess<Job, Event, Info>>;

/** Launches engines and tracks each until its exit, so that none outlives the service. */
export class EngineLauncher<Job, Event, Info> {
  readonly #start: Launch<Job, Event, Info>;
  readonly #closing = new AbortController();
  readonly #launches = new Set<Promise<unknown>>();
  readonly #engines = new Set<EngineProcess<Job, Event, Info>>();

  constructor(start: Launch<Job, Event, Info>) {
    this.#start = start;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** @throws HearsayError `draining` after `close` */
  assertOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  /** @throws HearsayError `draining` after `close`; the reason of `signal`; whatever the launch throws */
  async launch(name: string, signal?: AbortSignal): Promise<EngineProcess<Job, Event, Info>> {
    const closing = this.#closing.signal;
    const abort = signal ? AbortSignal.any([closing, signal]) : closing;
    abort.throwIfAborted();
    const launching = this.#start(name, abort).then(async (engine) => {
      if (abort.aborted) {
        engine.kill();
        await engine.exited;
        abort.throwIfAborted();
      }
      this.#engines.add(engine);
      void engine.exited.then(() => this.#engines.delete(engine));
      return engine;
    });
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
}

/** A failed load as an error with `code`: `model_failed` for a request, `model_load_failed` for an activation. */
export function loadError(code: 'model_failed' | 'model_load_failed', error: unknown): HearsayError {
  if (!(error instanceof HearsayError)) {
    return new HearsayError(code, 'The model could not be loaded.', { cause: error });
  }
  if (error.code === code || error.code === 'draining') return error;
  return new HearsayError(code, error.message, { cause: error });
}

/** An engine that lived this long was not killed by what killed the ones before it. */
const STABLE_AFTER_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5000;
/** Loads for one request: an engine may die between being ready and being used. */
const MAX_LOADS_PER_REQUEST = 3;

export interface RestartingEngineOptions<Job, Event, Info> {
  /** Name of the model. */
  name: string;
  /** Loaded in place of the model, with a warning, if the first load fails. */
  fallback?: string | undefined;
  launcher: EngineLauncher<Job, Event, Info>;
  log: EngineLog;
}

/** An engine in use by one request; `release` it once. */
export interface EngineLease<Job, Event, Info> {
  readonly name: string;
  readonly engine: EngineProcess<Job, Event, Info>;
  release(): void;
}

interface Running<Job, Event, Info> {
  readonly engine: EngineProcess<Job, Event, Info>;
  readonly inFlight: InFlight;
  readonly since: number;
}

/** One model in one engine process: loaded when needed, restarted with backoff when the process dies. */
export class RestartingEngine<Job, Event, Info> {
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #log: EngineLog;
  readonly #stopping = new AbortController();
  #name: string;
  #fallback: string | undefined;
  #info: Info | undefined;
  #hasLoaded = false;
  #running: Running<Job, Event, Info> | undefined;
  #loading: Promise<void> | undefined;
  #deaths = 0;

  constructor({ name, fallback, launcher, log }: RestartingEngineOptions<Job, Event, Info>) {
    this.#name = name;
    this.#fallback = fallback;
    this.#launcher = launcher;
    this.#log = log;
  }

  /** Name of the model; from a failed first load on, that of the fallback. */
  get name(): string {
    return this.#name;
  }

  /** What the model says about itself; undefined until it was loaded once. */
  get info(): Info | undefined {
    return this.#info;
  }

  /** Whether the model was ever loaded, unloaded since or not. */
  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  get isAlive(): boolean {
    return this.#running?.engine.isAlive === true;
  }

  /** The load in progress, if any. */
  get loading(): Promise<void> | undefined {
    return this.#loading;
  }

  /** Loads the model, after a backoff if engines died; concurrent calls share one load. */
  load(): Promise<void> {
    if (this.#loading) return this.#loading;
    const loading = this.#load();
    loading.catch(() => {});
    this.#loading = loading;
    return loading;
  }

  /** Uses an engine that was launched elsewhere. */
  adopt(engine: EngineProcess<Job, Event, Info>): void {
    const running = { engine, inFlight: new InFlight(), since: performance.now() };
    this.#running = running;
    this.#info = engine.info;
    this.#hasLoaded = true;
    this.#fallback = undefined;
    this.#log.info(`The model ${this.#name} is ready (process ${engine.pid}).`);
    void engine.exited.then(() => this.#onDeath(running));
  }

  /**
   * Leases the engine, loading it if necessary.
   * @returns undefined after `stop`
   * @throws HearsayError `model_failed` if it cannot be loaded, `draining`; the reason of `signal`
   */
  async acquire(signal?: AbortSignal): Promise<EngineLease<Job, Event, Info> | undefined> {
    for (let loads = 0; !this.#stopping.signal.aborted; loads++) {
      const running = this.#running;
      if (running?.engine.isAlive) {
        const { engine, inFlight } = running;
        inFlight.enter();
        return { name: this.#name, engine, release: () => inFlight.leave() };
      }
      // The death may be known here before `exited` has resolved.
      if (running) this.#onDeath(running);
      if (loads === MAX_LOADS_PER_REQUEST) {
        throw new HearsayError('model_failed', 'The engine dies as soon as it is ready.');
      }
      try {
        await abortable(this.load(), signal);
      } catch (error) {
        if (this.#stopping.signal.aborted) break;
        signal?.throwIfAborted();
        throw loadError('model_failed', error);
      }
    }
    signal?.throwIfAborted();
    return undefined;
  }

  /** Ends the process once its requests are done; the next `acquire` loads the model again. */
  async unload(): Promise<void> {
    await this.#loading?.catch(() => {});
    await this.#retire();
  }

  /** Gives up loading for good, and ends the process once its requests are done. */
  stop(): void {
    this.#stopping.abort();
    void this.#retire();
  }

  async #load(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const backoffMs = this.#backoffMs();
      if (backoffMs > 0) await sleep(backoffMs, undefined, { signal });
      const engine = await this.#launch(signal);
      if (signal.aborted) {
        engine.kill();
        throw signal.reason;
      }
      this.#loading = undefined;
      this.adopt(engine);
    } catch (error) {
      this.#loading = undefined;
      if (!signal.aborted && !this.#launcher.isClosed) {
        this.#log.error({ err: error }, `The model ${this.#name} could not be loaded.`);
      }
      throw error;
    }
  }

  async #launch(signal: AbortSignal): Promise<EngineProcess<Job, Event, Info>> {
    try {
      return await this.#launcher.launch(this.#name, signal);
    } catch (error) {
      const fallback = this.#fallback;
      if (signal.aborted || fallback === undefined || fallback === this.#name) throw error;
      this.#log.warn({ err: error }, `${this.#name} could not be loaded: loading ${fallback} instead.`);
      this.#name = fallback;
      return await this.#launcher.launch(fallback, signal);
    }
  }

  #onDeath(running: Running<Job, Event, Info>): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    if (this.#launcher.isClosed) return;
    const { engine, since } = running;
    if (performance.now() - since > STABLE_AFTER_MS) this.#deaths = 0;
    this.#deaths += 1;
    void engine.exited.then(() => this.#log.warn(`The engine of ${this.#name} ${engine.exitReason}; restarting it.`));
    void this.load();
  }

  /** None after the first death, then doubling. */
  #backoffMs(): number {
    return this.#deaths < 2 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#deaths - 2));
  }

  async #retire(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.inFlight.idle();
    await running?.engine.drain();
  }
}
