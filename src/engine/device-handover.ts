import { abortable } from '../scheduling/abortable.ts';
import type { RestartingEngine } from './restarting-engine.ts';

/**
 * Replaces the engine on a device with room for one model: ends the old one before the next one loads, while requests
 * wait.
 */
export class DeviceHandover<Job, Event, Info> {
  #pending: Promise<void> | undefined;

  /**
   * Resolves when the next engine is loaded, or the old one is being restored; undefined if no replacement is in
   * progress.
   */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /**
   * Replaces an engine with another. If that fails, calls `restore` to load the old one again, if it was loaded.
   * @param load calls `makeRoom` when the files of the model have been downloaded
   * @param signal ends the wait for the requests in the old engine, which then stays
   */
  async run<T>(
    old: RestartingEngine<Job, Event, Info>,
    load: (makeRoom: () => Promise<void>) => Promise<T>,
    { signal, restore }: { signal: AbortSignal; restore: () => void },
  ): Promise<T> {
    const wasLoaded = old.isAlive || old.loading !== undefined;
    let resume = () => {};
    const makeRoom = async () => {
      this.#pending ??= new Promise((resolve) => {
        resume = resolve;
      });
      await abortable(old.idle(), signal);
      await old.vacate();
    };
    try {
      return await load(makeRoom);
    } catch (error) {
      if (wasLoaded && !old.isAlive && !old.loading) restore();
      throw error;
    } finally {
      this.#pending = undefined;
      resume();
    }
  }
}
