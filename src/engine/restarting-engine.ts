import { setTimeout as sleep } from 'node:timers/promises';
import { InFlight } from '../scheduling/drain.ts';
import { backoffMs, type EngineLauncher, type EngineLog, loadError } from './launcher.ts';
import type { EngineProcess } from './process.ts';

/** Milliseconds after which an engine counts as healthy, so that its death restarts the backoff. */
const STABLE_AFTER_MS = 60_000;

export interface RestartingEngineOptions<Job, Event, Info> {
  /** Name of the model. */
  name: string;
  /** Loaded instead of the model, with a warning, if the first load fails. */
  fallback?: string | undefined;
  launcher: EngineLauncher<Job, Event, Info>;
  /** Milliseconds, from the first failure, during which reloading a model that was loaded before is retried. */
  failureWindowMs: number;
  /** Called when an engine that was ready has died. */
  onDeath: () => void;
  /** Called when the last of these loads has failed. */
  onLost: (error: unknown) => void;
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
  readonly #options: RestartingEngineOptions<Job, Event, Info>;
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #log: EngineLog;
  readonly #stopping = new AbortController();
  #interrupting = new AbortController();
  #name: string;
  #fallback: string | undefined;
  #info: Info | undefined;
  #hasLoaded = false;
  #running: Running<Job, Event, Info> | undefined;
  #loading: Promise<void> | undefined;
  /** Deaths, and failed loads of a model that was loaded before. */
  #failures = 0;
  /** The engine that died, until the next one is ready. */
  #dead: EngineProcess<Job, Event, Info> | undefined;
  /** Loads that failed since the model was last loaded. */
  #failedLoads: { since: number; last: unknown } | undefined;
  #isLost = false;

  constructor(options: RestartingEngineOptions<Job, Event, Info>) {
    const { name, fallback, launcher, log } = options;
    this.#options = options;
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

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Whether loading was given up after the failure window. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The process id; undefined while there is no engine. */
  get pid(): number | undefined {
    return this.#running?.engine.pid || undefined;
  }

  /** Why there is no engine although the model should be loaded; undefined otherwise. */
  get outage(): string | undefined {
    const running = this.#running?.engine;
    const dead = running && !running.isAlive ? running : this.#dead;
    const failure = this.#failedLoads && loadError('model_failed', this.#failedLoads.last).message;
    const sentences = [
      ...(dead ? [`The engine ${dead.exitReason ?? 'closed its channel'}.`] : []),
      ...(failure === undefined ? [] : [`Loading the model again failed: ${failure}`]),
    ];
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  /** The load in progress, if any. */
  get loading(): Promise<void> | undefined {
    return this.#loading;
  }

  /** Loads the model, after a backoff if engines died or loads failed; concurrent calls share one load. */
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
    this.#dead = undefined;
    this.#failedLoads = undefined;
    this.#log.info(`The model ${this.#name} is ready (process ${engine.pid}).`);
    void engine.exited.then(() => this.#onDeath(running));
  }

  /** The engine for one more request; undefined if it has to be loaded first. */
  lease(): EngineLease<Job, Event, Info> | undefined {
    const running = this.#running;
    if (running?.engine.isAlive) {
      const { engine, inFlight } = running;
      inFlight.enter();
      return { name: this.#name, engine, release: () => inFlight.leave() };
    }
    // `isAlive` may turn false before `exited` resolves.
    if (running) this.#onDeath(running);
    return undefined;
  }

  /** Ends the process once its requests are done; the next `load` starts another. */
  async unload(): Promise<void> {
    await this.#loading?.catch(() => {});
    await this.#retire();
  }

  /** Resolves when no request is in its engine. */
  async idle(): Promise<void> {
    await this.#running?.inFlight.idle();
  }

  /** Like `unload`, but ends a load in progress, too. */
  async vacate(): Promise<void> {
    this.#interrupting.abort(new Error('Another model takes its place'));
    this.#interrupting = new AbortController();
    await this.unload();
  }

  /** Gives up loading for good, and ends the process once its requests are done. */
  stop(): void {
    this.#stopping.abort();
    void this.#retire();
  }

  async #load(): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#interrupting.signal]);
    try {
      const waitMs = backoffMs(this.#failures);
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      const engine = await this.#launch(signal);
      if (signal.aborted) {
        engine.kill();
        throw signal.reason;
      }
      this.#loading = undefined;
      this.adopt(engine);
    } catch (error) {
      this.#loading = undefined;
      if (!signal.aborted && !this.#launcher.isClosed) this.#onLoadFailed(error);
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

  /** Reloads a model that was loaded before, until the failure window has passed. */
  #onLoadFailed(error: unknown): void {
    this.#log.error({ err: error }, `The model ${this.#name} could not be loaded.`);
    if (!this.#hasLoaded) return;
    const { failureWindowMs, onLost } = this.#options;
    const now = performance.now();
    this.#failures += 1;
    this.#failedLoads = { since: this.#failedLoads?.since ?? now, last: error };
    if (now - this.#failedLoads.since < failureWindowMs) {
      void this.load();
    } else {
      this.#isLost = true;
      onLost(error);
    }
  }

  #onDeath(running: Running<Job, Event, Info>): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    if (this.#launcher.isClosed) return;
    const { engine, since } = running;
    this.#options.onDeath();
    if (performance.now() - since > STABLE_AFTER_MS) this.#failures = 0;
    this.#failures += 1;
    this.#dead = engine;
    void engine.exited.then(() => this.#log.warn(`The engine of ${this.#name} ${engine.exitReason}; restarting it.`));
    void this.load();
  }

  async #retire(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.inFlight.idle();
    await running?.engine.drain();
  }
}
