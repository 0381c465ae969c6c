import { abortable } from '../scheduling/abortable.ts';
import type { RestartingEngine } from './restarting-engine.ts';

/** A device with room for one model: the old engine ends before the next one loads, and requests wait meanwhile. */
export class DeviceHandover<Job, Event, Info> {
  #pending: Promise<void> | undefined;

  /** Resolves when the next engine is loaded, or the old one is to be loaded again; undefined if none is replaced. */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /**
   * Loads an engine in place of another. If that fails, the old one is loaded again by `restore`, unless it was not loaded.
   * @param load calls `makeRoom` when the files of the model are there
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
