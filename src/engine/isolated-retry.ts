import { HearsayError } from '../errors.ts';
import { AdmissionGate } from '../scheduling/admission.ts';
import { type EngineLauncher, type EngineLog, loadError } from './launcher.ts';
import { EngineDied, type EngineProcess } from './process.ts';

/**
 * Retries requests whose engine died, one at a time in a separate engine, so that a request that crashes engines
 * affects no other. One engine serves all waiting requests and ends after the last; after a crash a new one is
 * launched.
 */
export class IsolatedRetry<Job, Event, Info> {
  readonly #launcher: EngineLauncher<Job, Event, Info>;
  readonly #log: EngineLog;
  /** One slot without limits: the requests have been admitted already and only take turns here. */
  readonly #turns = new AdmissionGate({
    concurrency: 1,
    queueSize: Number.POSITIVE_INFINITY,
    queueTimeoutMs: Number.POSITIVE_INFINITY,
  });
  #isolated: { name: string; engine: EngineProcess<Job, Event, Info> } | undefined;

  constructor(launcher: EngineLauncher<Job, Event, Info>, log: EngineLog) {
    this.#launcher = launcher;
    this.#log = log;
  }

  /**
   * @param name of the model
   * @throws HearsayError `model_unavailable` if the engine cannot be launched, `engine_failed` if it dies too, `draining`;
   *   the reason of `signal`; whatever `work` throws
   */
  async run<T>(
    name: string,
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const turn = this.#turns.admit();
    try {
      await turn.slot(signal);
      return await this.#runAlone(name, work, signal);
    } finally {
      turn.release();
      if (this.#turns.active === 0) await this.#end();
    }
  }

  async #runAlone<T>(
    name: string,
    work: (engine: EngineProcess<Job, Event, Info>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const engine = await this.#engine(name, signal);
    try {
      return await work(engine);
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
      this.#launcher.assertOpen();
      this.#log.error({ err: error }, 'The engine died again on the same request.');
      throw new HearsayError('engine_failed', 'The engine died twice on this request.', { cause: error });
    } finally {
      // An aborted job may keep running for a while, and could crash the engine of the next request.
      if (engine.inFlight > 0) await this.#end();
    }
  }

  async #engine(name: string, signal?: AbortSignal): Promise<EngineProcess<Job, Event, Info>> {
    const isolated = this.#isolated;
    if (isolated?.name === name && isolated.engine.isAlive) return isolated.engine;
    await this.#end();
    const engine = await this.#launcher.launch(name, signal).catch((error) => {
      signal?.throwIfAborted();
      throw loadError('model_unavailable', error);
    });
    this.#isolated = { name, engine };
    return engine;
  }

  async #end(): Promise<void> {
    const engine = this.#isolated?.engine;
    this.#isolated = undefined;
    engine?.kill();
    await engine?.exited;
  }
}
