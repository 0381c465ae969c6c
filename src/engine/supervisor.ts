import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';
import type { ModelState } from '../scheduling/model-state.ts';
import { DeviceHandover } from './device-handover.ts';
import { IsolatedRetry } from './isolated-retry.ts';
import { EngineLauncher, type EngineLog, type Launch, loadError } from './launcher.ts';
import { ModelChanges } from './model-changes.ts';
import { EngineDied, type EngineProcess } from './process.ts';
import { type EngineLease, RestartingEngine } from './restarting-engine.ts';

/** Maximum loads for one request: an engine may die after it is ready and before it is used. */
const MAX_LOADS_PER_REQUEST = 3;

export interface SupervisorOptions<Job, Event, Info> {
  launch: Launch<Job, Event, Info>;
  /**
   * Milliseconds between the state `failed` and `onFailedForGood`, so that probes can read the reason. A model that
   * was loaded before is first reloaded for the same time.
   */
  failureWindowMs: number;
  /** Whether the device of a loaded model has no room for a second one, as with GPUs. Default: it has room. */
  oneModelAtATime?: (info: Info | undefined) => boolean;
  /** Called at the end of the failure window, unless an activation has succeeded. */
  onFailedForGood(): void;
  log: EngineLog;
}

export interface UseOptions {
  /** Whether the request may be retried after its engine died; false once bytes were sent. Default: true. */
  mayRetry?: () => boolean;
  /** Whether an engine has died on this request before: then it runs in an isolated one at once. Default: false. */
  isSuspect?: boolean;
  /** Aborts the wait for an engine. `work` must observe it itself. */
  signal?: AbortSignal;
}

/**
 * Runs one selected model at a time: loads it at start or at first use, retries requests whose engine died, and
 * replaces the model without downtime.
 */
export class EngineSupervisor<Job, Event, Info> {
  readonly #options: SupervisorOptions<Job, Event, Info>;
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #retry: IsolatedRetry<Job, Event, Info>;
  #current: RestartingEngine<Job, Event, Info> | undefined;
  #isWarm = false;
  #error: string | undefined;
  #failureTimer: NodeJS.Timeout | undefined;
  #deaths = 0;
  readonly #changes = new ModelChanges();
  readonly #handover = new DeviceHandover<Job, Event, Info>();

  constructor(options: SupervisorOptions<Job, Event, Info>) {
    this.#options = options;
    this.#launcher = new EngineLauncher(options.launch, options.log);
    this.#retry = new IsolatedRetry(this.#launcher, options.log);
  }

  get state(): ModelState {
    if (this.#error !== undefined) return 'failed';
    if (this.#current?.outage !== undefined) return 'restarting';
    if (this.#current?.hasLoaded) return 'ready';
    return this.#isWarm ? 'warming' : 'uninitialized';
  }

  /** Name of the selected model. */
  get active(): string {
    return this.#current?.name ?? '';
  }

  /** Name of the loaded model, unloaded since or not; empty if there is none. */
  get loaded(): string {
    return this.state === 'ready' ? this.active : '';
  }

  /** Whether an engine runs; if not, the next request loads the model. */
  get resident(): boolean {
    return this.#current?.isAlive === true;
  }

  /** Engines that died since the start, and were replaced. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Process id of the serving engine; undefined while there is none. */
  get pid(): number | undefined {
    return this.#current?.pid;
  }

  /** What the model loaded last says about itself. */
  get info(): Info | undefined {
    return this.#current?.info;
  }

  /** Why the state is `failed` or `restarting`. */
  get error(): string | undefined {
    return this.#error ?? this.#current?.outage;
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
    this.#warmUp(engine);
  }

  /**
   * Runs `work` with the engine. If the engine dies meanwhile, runs it once more in an isolated engine.
   * @throws HearsayError `model_warming` while the model is loaded for the first time or if loading it again fails,
   *   `model_unavailable` if a load for this request alone fails, `model_failed` in the state `failed`, `engine_failed`
   *   after the second death or a first one without retry, `draining` after `close`; the reason of `signal`; whatever
   *   `work` throws
   */
  async use<T>(
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    { mayRetry, isSuspect = false, signal }: UseOptions = {},
  ): Promise<T> {
    const { name, engine, release } = await this.#acquire(signal);
    try {
      return isSuspect ? await this.#retry.run(name, work, signal) : await work(engine);
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      signal?.throwIfAborted();
      if (mayRetry?.() === false) {
        throw new HearsayError('engine_failed', 'The engine died on this request.', { cause: error });
      }
      this.#options.log.warn({ err: error }, 'The engine died on a request: retrying it in an isolated one.');
      return await this.#retry.run(name, work, signal);
    } finally {
      release();
    }
  }

  /**
   * Replaces the model; resolves when the new one serves, at once if it already does. Calls run one at a time, in
   * order. Meanwhile the old engine serves, and afterwards it finishes its requests. With `oneModelAtATime` it does so
   * before the new one is loaded, and other requests wait.
   * @param beforeSwitch called when the model is loaded; if it fails, the old model stays
   * @throws HearsayError `model_load_failed` or `activation_cancelled`, leaving everything as before; `draining` after
   *   `close`; whatever `beforeSwitch` throws
   */
  activate(name: string, beforeSwitch: () => Promise<void> = async () => {}): Promise<void> {
    return this.#changes.activate(name, async ({ signal, commit }) => {
      this.#launcher.assertOpen();
      const old = this.#current;
      const replace = async (makeRoom?: () => Promise<void>) => {
        const engine = await this.#launchUnlessLoaded(name, signal, makeRoom).catch((error) => {
          signal.throwIfAborted();
          throw loadError('model_load_failed', error);
        });
        try {
          commit();
          await beforeSwitch();
          this.#launcher.assertOpen();
        } catch (error) {
          engine?.kill();
          await engine?.exited;
          throw error;
        }
        if (!engine) return;
        clearTimeout(this.#failureTimer);
        this.#error = undefined;
        this.#current = this.#createEngine(name);
        this.#current.adopt(engine);
        old?.stop();
      };
      if (!old || !this.#options.oneModelAtATime?.(old.info)) return replace();
      return this.#handover.run(old, replace, { signal, restore: () => this.#warmUp(old) });
    });
  }

  /**
   * Cancels all activations of a model that have not been committed, whoever requested them: aborts downloads and
   * loads, and keeps the selected model. Does not cancel the load of the selected model itself.
   * @returns whether there were any; resolves when they have stopped
   */
  async cancel(name: string): Promise<boolean> {
    const isCancelled = await this.#changes.cancel(name);
    if (isCancelled) this.#options.log.info(`The activation of ${name} was cancelled.`);
    return isCancelled;
  }

  /**
   * Runs `remove`, which removes the files of a model, between activations.
   * @throws HearsayError `model_in_use` if the model is selected by then; `draining` after `close`; what `remove` throws
   */
  remove<T>(name: string, remove: () => Promise<T>): Promise<T> {
    return this.#changes.run(async () => {
      this.#launcher.assertOpen();
      if (name === this.active) {
        throw new HearsayError('model_in_use', `${name} is the selected model: activate another one first.`);
      }
      return remove();
    });
  }

  /** Ends the engine process once its requests are done; the next request loads the model again. */
  unload(): Promise<void> {
    return this.#changes.run(async () => {
      this.#launcher.assertOpen();
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

  /** Loads a model; if that fails for the first time, no other load is tried. */
  #warmUp(engine: RestartingEngine<Job, Event, Info>): void {
    engine.load().catch((error) => {
      if (this.#isWarm && !engine.hasLoaded && !this.#handover.pending) this.#fail(engine, error);
    });
  }

  #createEngine(name: string, fallback?: string): RestartingEngine<Job, Event, Info> {
    const { failureWindowMs, log } = this.#options;
    const engine: RestartingEngine<Job, Event, Info> = new RestartingEngine({
      name,
      fallback,
      launcher: this.#launcher,
      failureWindowMs,
      onDeath: () => {
        this.#deaths += 1;
      },
      onLost: (error) => this.#fail(engine, error),
      log,
    });
    return engine;
  }

  /** @returns undefined if the selected model is this one and is loaded, maybe only now */
  async #launchUnlessLoaded(
    name: string,
    signal: AbortSignal,
    makeRoom?: () => Promise<void>,
  ): Promise<EngineProcess<Job, Event, Info> | undefined> {
    const current = this.#current;
    // Another load of the same model would repeat the work.
    if (current?.name === name && current.loading) {
      await abortable(current.loading, signal);
      if (current.name !== name) throw new Error(`${current.name} was loaded instead`);
      return undefined;
    }
    if (current?.name === name && current.isAlive) return undefined;
    return this.#launcher.launch(name, signal, makeRoom);
  }

  /** Waits for an engine of the selected model, loading it if necessary; errors as for `use`. */
  async #acquire(signal?: AbortSignal): Promise<EngineLease<Job, Event, Info>> {
    let loads = 0;
    for (;;) {
      signal?.throwIfAborted();
      this.#launcher.assertOpen();
      if (this.state === 'warming') throw new HearsayError('model_warming', 'The model is still loading.');
      if (this.#error !== undefined) throw new HearsayError('model_failed', this.#error);
      if (this.#handover.pending) {
        await abortable(this.#handover.pending, signal);
        continue;
      }
      const current = this.#current!;
      const lease = current.lease();
      if (lease) return lease;
      if (loads++ === MAX_LOADS_PER_REQUEST) {
        throw new HearsayError('model_warming', 'The engine dies as soon as it is ready.');
      }
      try {
        await abortable(current.load(), signal);
      } catch (error) {
        signal?.throwIfAborted();
        // An activation has replaced it, or is about to.
        if (current.isStopped || this.#handover.pending) continue;
        if (current.isLost) throw loadError('model_failed', error);
        throw loadError(current.hasLoaded ? 'model_warming' : 'model_unavailable', error);
      }
    }
  }

  /** Gives up on the selected model; only an activation can still prevent `onFailedForGood`. */
  #fail(engine: RestartingEngine<Job, Event, Info>, error: unknown): void {
    if (this.#current !== engine || this.#launcher.isClosed) return;
    this.#error = loadError('model_failed', error).message;
    this.#failureTimer = setTimeout(() => void this.#endFailureWindow(), this.#options.failureWindowMs);
  }

  async #endFailureWindow(): Promise<void> {
    // A pending activation may still succeed.
    await this.#changes.idle();
    if (this.state === 'failed' && !this.#launcher.isClosed) this.#options.onFailedForGood();
  }
}
