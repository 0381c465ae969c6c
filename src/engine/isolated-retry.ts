import { HearsayError } from '../errors.ts';
import { abortable } from '../scheduling/abortable.ts';
import { type EngineLauncher, loadError } from './launcher.ts';
import type { EngineLog } from './log.ts';
import { EngineDied, type EngineProcess } from './process.ts';

/**
 * Retries requests whose engine died, one at a time and each in an engine of its own: a request that kills engines
 * takes no other with it.
 */
export class IsolatedRetry<Job, Event, Info> {
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
