import { FairQueue, type Queued } from '../../scheduling/fair-queue.ts';

/** A request waits no longer than this per half second of audio: others may search for long and find no speech. */
const MAX_WAIT_MS = 1000;

interface Waiting extends Queued {
  resume: () => void;
}

/**
 * Shares the thread that decodes and finds speech: while a request has no window for the model, those that have some wait.
 * So a new request does not wait for others that look ahead.
 */
export class LookAheadGate {
  readonly #starved = new Set<unknown>();
  readonly #queue = new FairQueue<Waiting>();

  /** @param isStarved whether the request has no window for the model; false once it has ended */
  set(request: object, isStarved: boolean): void {
    if (isStarved) this.#starved.add(request);
    else this.#starved.delete(request);
    const isFree = (waiting: Waiting) => this.#isFree(waiting.owner);
    for (let waiting = this.#queue.next(isFree); waiting; waiting = this.#queue.next(isFree)) waiting.resume();
  }

  /** Resolves when the request may look at more of its recording. */
  async wait(request: object): Promise<void> {
    if (this.#isFree(request)) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#queue.remove(waiting);
        resolve();
      };
      const timer = setTimeout(resume, MAX_WAIT_MS);
      const waiting = { owner: request, resume };
      this.#queue.push(waiting);
    });
  }

  #isFree(request: unknown): boolean {
    return this.#starved.size === 0 || this.#starved.has(request);
  }
}
