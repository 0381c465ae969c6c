import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';
import { EngineDied, type EngineProcess } from './process.ts';
import {
  EngineLauncher,
  type EngineLease,
  type EngineLog,
  type Launch,
  loadError,
  RestartingEngine,
} from './restarting-engine.ts';

export type ModelState = 'uninitialized' | 'warming' | 'ready' | 'failed';

export interface SupervisorOptions<Job, Event, Info> {
  launch: Launch<Job, Event, Info>;
  /** Milliseconds between a failed warm-up and `onFailedForGood`, so that probes see why. */
  failureWindowMs: number;
  /** Called at the end of the failure window, unless an activation has succeeded. */
  onFailedForGood(): void;
  log: EngineLog;
}

export interface UseOptions {
  /** Whether the request may be retried after its engine died; false once bytes were sent. Default: true. */
  mayRetry?: () => boolean;
  /** Ends the wait for an engine. Work in progress must watch it itself. */
  signal?: AbortSignal;
}

/**
 * Serves one selected model at a time, whatever the model is: loads it at start or at first use, retries requests whose
 * engine died, and replaces the model without a gap.
 */
export class EngineSupervisor<Job, Event, Info> {
  readonly #options: SupervisorOptions<Job, Event, Info>;
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #retry: IsolatedRetry<Job, Event, Info>;
  #current: RestartingEngine<Job, Event, Info> | undefined;
  #isWarm = false;
  #error: string | undefined;
  #failureTimer: NodeJS.Timeout | undefined;
  /** Settles with the last activation or unload; each waits for the previous one. */
  #lastChange: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions<Job, Event, Info>) {
    this.#options = options;
    this.#launcher = new EngineLauncher(options.launch);
    this.#retry = new IsolatedRetry(this.#launcher, options.log);
  }

  get state(): ModelState {
    if (this.#current?.hasLoaded) return 'ready';
    if (this.#error !== undefined) return 'failed';
    return this.#isWarm ? 'warming' : 'uninitialized';
  }

  /** Name of the selected model. */
  get active(): string {
    return this.#current?.name ?? '';
  }

  /** Name of the model loaded last, unloaded since or not; empty before the first. */
  get loaded(): string {
    return this.#current?.hasLoaded ? this.#current.name : '';
  }

  /** Whether an engine runs; if not, the next request loads the model. */
  get resident(): boolean {
    return this.#current?.isAlive === true;
  }

  /** What the model loaded last says about itself. */
  get info(): Info | undefined {
    return this.#current?.info;
  }

  /** Why the state is `failed`. */
  get error(): string | undefined {
    return this.state === 'failed' ? this.#error : undefined;
  }

  /**
   * Selects the first model; `warm` loads it in the background, otherwise the first request does. If it cannot be
   * loaded, `fallback` is selected and loaded instead, with a warning.
   */
  start(name: string, { warm, fallback }: { warm: boolean; fallback?: string }): void {
    const engine = this.#createEngine(name, fallback);
    this.#current = engine;
    if (!warm) return;
    this.#isWarm = true;
    engine.load().catch((error) => this.#onWarmUpFailed(error));
  }

  /**
   * Does `work` with the engine. If the engine dies on it, retries it once from its start in an engine of its own.
   * @throws HearsayError `model_warming`, `model_failed` (also if a load for this request fails), `engine_failed` after
   *   the second death or a first one without retry, `draining` after `close`; the reason of `signal`; whatever `work`
   *   throws
   */
  async use<T>(
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    { mayRetry, signal }: UseOptions = {},
  ): Promise<T> {
    const { name, engine, release } = await this.#acquire(signal);
    try {
      return await work(engine);
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      signal?.throwIfAborted();
      if (mayRetry?.() === false) {
        throw new HearsayError('engine_failed', 'The engine died on this request.', { cause: error });
      }
      this.#options.log.warn({ err: error }, 'The engine died on a request: retrying it in an engine of its own.');
      return await this.#retry.run(name, work, signal);
    } finally {
      release();
    }
  }

  /**
   * Replaces the model; resolves when the new one serves, at once if it already does. Calls run one at a time, in
   * order. Meanwhile the old engine serves, and afterwards it finishes its requests.
   * @throws HearsayError `model_load_failed`, leaving everything as before; `draining` after `close`
   */
  activate(name: string): Promise<void> {
    return this.#inOrder(async () => {
      const old = this.#current;
      try {
        // Another load of the same model would repeat the work.
        if (old?.name === name && old.loading) {
          await old.loading;
          if (old.name !== name) throw new Error(`${old.name} was loaded instead`);
          return;
        }
        if (old?.name === name && old.isAlive) return;
        const engine = await this.#launcher.launch(name);
        this.#current = this.#createEngine(name);
        this.#current.adopt(engine);
      } catch (error) {
        throw loadError('model_load_failed', error);
      }
      old?.stop();
    });
  }

  /** Ends the engine process once its requests are done; the next request loads the model again. */
  unload(): Promise<void> {
    return this.#inOrder(async () => {
      if (this.state === 'ready') await this.#current?.unload();
    });
  }

  /** Refuses new requests and kills every process, busy or not; resolves when all have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#failureTimer);
    const closed = this.#launcher.close();
    this.#current?.stop();
    await closed;
  }

  #createEngine(name: string, fallback?: string): RestartingEngine<Job, Event, Info> {
    return new RestartingEngine({ name, fallback, launcher: this.#launcher, log: this.#options.log });
  }

  async #acquire(signal?: AbortSignal): Promise<EngineLease<Job, Event, Info>> {
    for (;;) {
      signal?.throwIfAborted();
      this.#launcher.assertOpen();
      if (this.state === 'warming') throw new HearsayError('model_warming', 'The model is still loading.');
      if (this.error !== undefined) throw new HearsayError('model_failed', this.error);
      const lease = await this.#current!.acquire(signal);
      // No lease: an activation has replaced this engine.
      if (lease) return lease;
    }
  }

  #onWarmUpFailed(error: unknown): void {
    if (this.state !== 'warming' || this.#launcher.isClosed) return;
    this.#error = loadError('model_failed', error).message;
    this.#failureTimer = setTimeout(() => void this.#endFailureWindow(), this.#options.failureWindowMs);
  }

  async #endFailureWindow(): Promise<void> {
    // A pending activation may still succeed.
    for (let change: Promise<void> | undefined; change !== this.#lastChange; ) {
      change = this.#lastChange;
      await change;
    }
    if (this.state === 'failed' && !this.#launcher.isClosed) this.#options.onFailedForGood();
  }

  #inOrder(change: () => Promise<void>): Promise<void> {
    const result = this.#lastChange.then(() => {
      this.#launcher.assertOpen();
      return change();
    });
    this.#lastChange = result.catch(() => {});
    return result;
  }
}

/**
 * Retries requests whose engine died, one at a time and each in an engine of its own: a request that kills engines
 * takes no other with it.
 */
class IsolatedRetry<Job, Event, Info> {
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #log: EngineLog;
  #last: Promise<unknown> = Promise.resolve();

  constructor(launcher: EngineLauncher<Job, Event, Info>, log: EngineLog) {
    this.#launcher = launcher;
    this.#log = log;
  }

  /**
   * @param name model to launch
   * @throws HearsayError `model_failed` if the engine cannot be launched, `engine_failed` if it dies too, `draining`;
   *   the reason of `signal`; whatever `work` throws
   */
  async run<T>(
    name: string,
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const previous = this.#last;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    // An aborted retry may finish before the previous one.
    this.#last = Promise.all([previous, finished]);
    try {
      await abortable(previous, signal);
      return await this.#runAlone(name, work, signal);
    } finally {
      finish();
    }
  }

  async #runAlone<T>(
    name: string,
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const engine = await this.#launcher.launch(name, signal).catch((error) => {
      signal?.throwIfAborted();
      throw loadError('model_failed', error);
    });
    try {
      return await work(engine);
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      this.#launcher.assertOpen();
      this.#log.error({ err: error }, 'The engine died again on the same request.');
      throw new HearsayError('engine_failed', 'The engine died twice on this request.', { cause: error });
    } finally {
      engine.kill();
      await engine.exited;
    }
  }
}
