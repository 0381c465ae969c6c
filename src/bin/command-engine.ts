import { EngineDied, type EngineProcess } from '../engine/process.ts';
import { HearsayError } from '../errors.ts';

/** The engine of a command, launched when it is first used, and again after it died. */
export class CommandEngine<Job, Event, Info> {
  readonly #launch: () => Promise<EngineProcess<Job, Event, Info>>;
  #current: EngineProcess<Job, Event, Info> | undefined;

  constructor(launch: () => Promise<EngineProcess<Job, Event, Info>>) {
    this.#launch = launch;
  }

  /** @throws what `launch` throws */
  async start(): Promise<EngineProcess<Job, Event, Info>> {
    if (!this.#current?.isAlive) this.#current = await this.#launch();
    return this.#current;
  }

  /**
   * Runs `work` with the engine, and once more if the engine dies meanwhile.
   * @throws HearsayError `engine_failed` if it dies again; what `launch` and `work` throw
   */
  async use<Result>(work: (engine: EngineProcess<Job, Event, Info>) => Promise<Result>): Promise<Result> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        return await work(await this.start());
      } catch (error) {
        if (!(error instanceof EngineDied)) throw error;
        if (isRetry) throw new HearsayError('engine_failed', `${error.message} It was tried twice.`, { cause: error });
      }
    }
  }

  async close(): Promise<void> {
    this.#current?.kill();
    await this.#current?.exited;
  }
}
