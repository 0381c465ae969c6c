import { HearsayError } from '../errors.ts';
import type { EngineProcess } from './process.ts';

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
