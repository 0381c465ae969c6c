import { setTimeout as sleep } from 'node:timers/promises';
import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';
import { Occupancy } from '../scheduling/in-flight.ts';
import { EngineDied, type EngineProcess } from './process.ts';

export type ModelState = 'uninitialized' | 'warming' | 'ready' | 'failed';

type LogMethod = {
  (message: string): void;
  (details: object, message: string): void;
};

export interface SupervisorOptions<Job, Event, Info> {
  /**
   * Starts an engine with the named model, which may mean a download first. When `signal` aborts it must reject, with
   * nothing left running. A HearsayError's message is shown to clients, that of any other error is not.
   */
  launch(name: string, signal: AbortSignal): Promise<EngineProcess<Job, Event, Info>>;
  /** Milliseconds between a failed warm-up and `onFailedForGood`, so that probes see why. */
  failureWindowMs: number;
  /** Called once the failure window is over and no activation has saved the process. */
  onFailedForGood(): void;
  log: { info: LogMethod; warn: LogMethod; error: LogMethod };
  /**
   * For a GPU, which has no room for two: an engine is drained and ended before another one starts, requests wait
   * meanwhile, and when the new model fails to load the old one is loaded again.
   */
  endOldFirst?: boolean;
}

export interface UseOptions {
  /** Whether the request can be tried again after its engine died; false once bytes were sent. Default: it can. */
  mayRetry?: () => boolean;
  /** Ends the waiting for an engine. Work already under way has to watch it itself. */
  signal?: AbortSignal;
}

/** An engine that has lived this long was not killed by what killed the ones before it. */
const STABLE_AFTER_MS = 60_000;
const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 5000;
/** Engines that may die between being ready and being used before a request gives up. */
const LOADS_PER_REQUEST = 3;

/** The engine that serves, or one that has served and still has requests inside. */
interface Residence<Job, Event, Info> {
  readonly name: string;
  readonly engine: EngineProcess<Job, Event, Info>;
  /** Requests inside; those that it died on stay until their second try is over. */
  readonly requests: Occupancy;
  readonly since: number;
}

interface Loading {
  readonly abort: AbortController;
  /** Resolves when the engine serves. Its rejection is always handled. */
  readonly done: Promise<void>;
}

/**
 * One model kept loaded in an engine process: loaded at start or at first use, started again when its process dies,
 * replaced without a gap by an activation. Knows neither the model nor who asks for it.
 */
export class EngineSupervisor<Job, Event, Info> {
  readonly #options: SupervisorOptions<Job, Event, Info>;
  #state: ModelState = 'uninitialized';
  #active = '';
  #loaded = '';
  #fallback: string | undefined;
  #info: Info | undefined;
  #error: string | undefined;

  #current: Residence<Job, Event, Info> | undefined;
  #loading: Loading | undefined;
  /** Set while an activation has ended the old engine and the new one does not serve yet. */
  #switching: Promise<void> | undefined;
  /** The end of the last activation or unloading: each waits for the one before. */
  #turn: Promise<void> = Promise.resolve();
  /** The end of the last second try: they run one at a time. */
  #lone: Promise<unknown> = Promise.resolve();
  #deaths = 0;
  #failureTimer: NodeJS.Timeout | undefined;

  readonly #requests = new Occupancy();
  readonly #retiring = new Set<Promise<void>>();
  readonly #launches = new Map<Promise<unknown>, AbortController>();
  readonly #engines = new Set<EngineProcess<Job, Event, Info>>();
  #closing = false;
  #ending = false;

  constructor(options: SupervisorOptions<Job, Event, Info>) {
    this.#options = options;
  }

  get state(): ModelState {
    return this.#state;
  }

  /** Name of the model selected. */
  get active(): string {
    return this.#active;
  }

  /** Name of the model loaded last, unloaded since or not; empty while there was none. */
  get loaded(): string {
    return this.#loaded;
  }

  /** Whether an engine runs; without one, after an unloading, the next request starts it. */
  get resident(): boolean {
    return this.#current?.engine.alive === true;
  }

  /** What the model loaded last says of itself. */
  get info(): Info | undefined {
    return this.#info;
  }

  /** Why the state is `failed`. */
  get error(): string | undefined {
    return this.#error;
  }

  /**
   * Selects the first model; `warm` loads it in the background, else the first request does. When it cannot be loaded,
   * `fallback` is selected and loaded in its place, with a warning.
   */
  start(name: string, { warm, fallback }: { warm: boolean; fallback?: string }): void {
    this.#active = name;
    this.#fallback = fallback;
    if (!warm) return;
    this.#state = 'warming';
    this.#load();
  }

  /**
   * Does `work` with the engine. When the engine dies on it, it is done once more from its start, alone in a process
   * of its own, so that one request that kills engines takes no other with it.
   * @throws HearsayError `model_warming`, `model_failed` (also when a load that the request needed failed),
   *   `engine_failed` after the second death or a first one that may not be retried, `draining` while closing; the
   *   reason of `signal`; whatever `work` throws.
   */
  async use<T>(
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    { mayRetry, signal }: UseOptions = {},
  ): Promise<T> {
    this.#refuseWhenClosing();
    this.#requests.enter();
    try {
      const residence = await this.#enter(signal);
      try {
        return await work(residence.engine);
      } catch (error) {
        if (!(error instanceof EngineDied)) throw error;
        signal?.throwIfAborted();
        if (mayRetry?.() === false) {
          throw new HearsayError('engine_failed', 'The engine died while this request was in it.', { cause: error });
        }
        this.#options.log.warn({ err: error }, 'A request was inside a dying engine: trying it once more, alone.');
        return await this.#workAlone(residence.name, work, signal);
      } finally {
        residence.requests.leave();
      }
    } finally {
      this.#requests.leave();
    }
  }

  /**
   * Replaces the model; resolves when the new one serves. One at a time, in order of the calls. What is loaded already
   * is left as it is.
   * @throws HearsayError `model_load_failed`, with everything as it was before; `draining` while closing.
   */
  activate(name: string): Promise<void> {
    return this.#inTurn(() => this.#activate(name));
  }

  /**
   * Ends the engine process once its requests are done; the state stays and the next request loads the model again.
   * Nothing happens unless the state is `ready`.
   */
  unload(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state !== 'ready') return;
      await this.#loading?.done.catch(() => {});
      await this.#vacate();
    });
  }

  /**
   * Refuses new requests, waits for those that run, or until `signal` aborts, and kills every process; resolves when
   * all of them have ended.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#failureTimer);
    await abortable(this.#requests.empty(), signal).catch(() => {});
    this.#ending = true;
    this.#loading?.abort.abort();
    while (this.#launches.size + this.#engines.size > 0) {
      for (const abort of this.#launches.values()) abort.abort(draining());
      for (const engine of this.#engines) engine.kill();
      await Promise.allSettled([...this.#launches.keys(), ...[...this.#engines].map((engine) => engine.exited)]);
    }
  }

  /** The engine that serves, with the request counted in; loads it where it has to. */
  async #enter(signal?: AbortSignal): Promise<Residence<Job, Event, Info>> {
    for (let loads = 0; ; ) {
      signal?.throwIfAborted();
      if (this.#ending) throw draining();
      if (this.#state === 'warming') throw new HearsayError('model_warming', 'The model is still loading.');
      if (this.#state === 'failed') throw new HearsayError('model_failed', this.#error!);
      if (this.#switching) {
        await abortable(this.#switching, signal);
        continue;
      }
      const residence = this.#current;
      if (residence?.engine.alive) {
        residence.requests.enter();
        return residence;
      }
      if (residence) this.#onDeath(residence);
      if (loads++ === LOADS_PER_REQUEST) throw new HearsayError('model_failed', 'The engine dies as soon as it is up.');
      const loading = this.#load();
      try {
        await abortable(loading.done, signal);
      } catch (error) {
        // An activation has taken the place of this load.
        if (loading.abort.signal.aborted) continue;
        signal?.throwIfAborted();
        throw failedToLoad('model_failed', error);
      }
    }
  }

  /** The second try of a request whose engine died on it. */
  async #workAlone<T>(
    name: string,
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const before = this.#lone;
    let leave = () => {};
    const mine = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#lone = Promise.all([before, mine]);
    try {
      await abortable(before, signal);
      const engine = await this.#launch(name, signal).catch((error) => {
        signal?.throwIfAborted();
        throw failedToLoad('model_failed', error);
      });
      try {
        return await work(engine);
      } catch (error) {
        if (!(error instanceof EngineDied)) throw error;
        if (this.#ending) throw draining();
        this.#options.log.error({ err: error }, 'The engine died a second time on the same request.');
        throw new HearsayError('engine_failed', 'The engine died twice on this request.', { cause: error });
      } finally {
        engine.kill();
        await engine.exited;
      }
    } finally {
      leave();
    }
  }

  async #activate(name: string): Promise<void> {
    // The load under way is of this very model: a second one would do the same work again.
    if (this.#loading && this.#active === name) {
      try {
        await this.#loading.done;
      } catch (error) {
        throw failedToLoad('model_load_failed', error);
      }
      if (this.#loaded !== name) throw new HearsayError('model_load_failed', 'The model could not be loaded.');
      return;
    }
    if (this.#current?.name === name && this.#current.engine.alive) return;
    if (this.#options.endOldFirst) return this.#replaceAfterEnd(name);

    const engine = await this.#launch(name).catch((error) => {
      throw failedToLoad('model_load_failed', error);
    });
    this.#loading?.abort.abort();
    this.#loading = undefined;
    const old = this.#current;
    this.#deaths = 0;
    this.#install(name, engine);
    if (old) void this.#retire(old);
  }

  async #replaceAfterEnd(name: string): Promise<void> {
    let switched = () => {};
    this.#switching = new Promise((resolve) => {
      switched = () => {
        this.#switching = undefined;
        resolve();
      };
    });
    const loading = this.#loading;
    const wasResident = loading !== undefined || this.#current !== undefined;
    try {
      loading?.abort.abort();
      this.#loading = undefined;
      await loading?.done.catch(() => {});
      await this.#vacate();
      await Promise.all(this.#retiring);
      const engine = await this.#launch(name);
      this.#deaths = 0;
      this.#install(name, engine);
    } catch (error) {
      if (wasResident && !this.#closing) await this.#load().done.catch(() => {});
      throw failedToLoad('model_load_failed', error);
    } finally {
      switched();
    }
  }

  /** Loads the selected model in the background; the same load for all who ask while it runs. */
  #load(): Loading {
    if (this.#loading) return this.#loading;
    const abort = new AbortController();
    const loading: Loading = { abort, done: this.#performLoad(abort.signal) };
    loading.done.catch(() => {});
    this.#loading = loading;
    return loading;
  }

  async #performLoad(signal: AbortSignal): Promise<void> {
    const { log, endOldFirst } = this.#options;
    try {
      const backOffMs = this.#backOffMs();
      if (backOffMs > 0) await sleep(backOffMs, undefined, { signal });
      if (endOldFirst) await Promise.all(this.#retiring);
      const engine = await this.#launch(this.#active, signal).catch((error) => {
        const fallback = this.#fallback;
        if (signal.aborted || fallback === undefined || fallback === this.#active) throw error;
        log.warn({ err: error }, `${this.#active} could not be loaded: loading ${fallback} in its place.`);
        this.#active = fallback;
        return this.#launch(fallback, signal);
      });
      if (signal.aborted) {
        engine.kill();
        throw signal.reason;
      }
      this.#loading = undefined;
      this.#install(this.#active, engine);
    } catch (error) {
      if (!signal.aborted) {
        this.#loading = undefined;
        if (!this.#ending) this.#onLoadFailed(error);
      }
      throw error;
    }
  }

  #onLoadFailed(error: unknown): void {
    this.#options.log.error({ err: error }, `The model ${this.#active} could not be loaded.`);
    if (this.#state !== 'warming') return;
    this.#state = 'failed';
    this.#error = failedToLoad('model_failed', error).message;
    if (this.#closing) return;
    this.#failureTimer = setTimeout(() => void this.#endFailureWindow(), this.#options.failureWindowMs);
  }

  async #endFailureWindow(): Promise<void> {
    // An activation that is under way decides.
    for (let seen: Promise<void> | undefined; seen !== this.#turn; ) {
      seen = this.#turn;
      await seen;
    }
    if (this.#state === 'failed' && !this.#closing) this.#options.onFailedForGood();
  }

  #install(name: string, engine: EngineProcess<Job, Event, Info>): void {
    const residence = { name, engine, requests: new Occupancy(), since: performance.now() };
    this.#current = residence;
    this.#state = 'ready';
    this.#active = name;
    this.#loaded = name;
    this.#info = engine.info;
    this.#error = undefined;
    this.#fallback = undefined;
    clearTimeout(this.#failureTimer);
    this.#options.log.info(`The model ${name} is ready (process ${engine.pid}).`);
    void engine.exited.then(() => this.#onDeath(residence));
  }

  #onDeath(residence: Residence<Job, Event, Info>): void {
    if (this.#current !== residence) return;
    this.#current = undefined;
    void this.#retire(residence);
    const { name, engine, since } = residence;
    if (performance.now() - since > STABLE_AFTER_MS) this.#deaths = 0;
    this.#deaths += 1;
    void engine.exited.then(() => {
      if (!this.#ending) this.#options.log.warn(`The engine of ${name} ${engine.death}; starting it again.`);
    });
    if (!this.#closing) this.#load();
  }

  /** At once after the first death, then later and later. */
  #backOffMs(): number {
    return this.#deaths < 2 ? 0 : Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (this.#deaths - 2));
  }

  /** Ends the engine that serves; resolves when it has ended. */
  async #vacate(): Promise<void> {
    const residence = this.#current;
    this.#current = undefined;
    if (residence) await this.#retire(residence);
  }

  #retire({ requests, engine }: Residence<Job, Event, Info>): Promise<void> {
    const retired = requests.empty().then(() => engine.drain());
    this.#retiring.add(retired);
    void retired.then(() => this.#retiring.delete(retired));
    return retired;
  }

  /** Launches an engine that `close` knows of from the first moment to its exit. */
  async #launch(name: string, signal?: AbortSignal): Promise<EngineProcess<Job, Event, Info>> {
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    if (this.#ending) controller.abort(draining());
    if (signal?.aborted) abort();
    controller.signal.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    const launching = this.#options.launch(name, controller.signal).then(async (engine) => {
      if (controller.signal.aborted) {
        engine.kill();
        await engine.exited;
        controller.signal.throwIfAborted();
      }
      this.#engines.add(engine);
      void engine.exited.then(() => this.#engines.delete(engine));
      return engine;
    });
    this.#launches.set(launching, controller);
    try {
      return await launching;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#launches.delete(launching);
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(() => {
      this.#refuseWhenClosing();
      return work();
    });
    this.#turn = result.catch(() => {});
    return result;
  }

  #refuseWhenClosing(): void {
    if (this.#closing) throw draining();
  }
}

function draining(): HearsayError {
  return new HearsayError('draining', 'The service is shutting down.');
}

/** The failed load as the request at hand has to report it. */
function failedToLoad(code: 'model_failed' | 'model_load_failed', error: unknown): HearsayError {
  if (!(error instanceof HearsayError))
    return new HearsayError(code, 'The model could not be loaded.', { cause: error });
  if (error.code === code || error.code === 'draining') return error;
  return new HearsayError(code, error.message, { cause: error });
}
