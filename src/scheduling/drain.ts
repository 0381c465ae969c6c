import { setMaxListeners } from 'node:events';
import { HearsayError } from '../errors.ts';

/** Counts work in flight, and resolves waiters when there is none. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}

/** Graceful shutdown: once started, it refuses new work and waits for the work in flight. */
export class Drain {
  readonly #started = new AbortController();
  readonly #inFlight = new InFlight();
  #isAnnounced = false;

  constructor() {
    // Every live session adds a listener, which Node.js would report as a leak.
    setMaxListeners(0, this.#started.signal);
  }

  get isDraining(): boolean {
    return this.#started.signal.aborted;
  }

  /** Whether load balancers should stop sending requests; those that still arrive are served until `start`. */
  get isAnnounced(): boolean {
    return this.#isAnnounced;
  }

  /** Aborts when the shutdown starts. */
  get started(): AbortSignal {
    return this.#started.signal;
  }

  /** Makes /ready answer `draining`. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** Rejects new work from now on. */
  start(): void {
    this.announce();
    this.#started.abort();
  }

  /**
   * Counts one piece of work; call the returned function once when it is done.
   * @throws HearsayError `draining` after `start()`
   */
  enter(): () => void {
    if (this.isDraining) throw new HearsayError('draining', 'The server is shutting down.');
    this.#inFlight.enter();
    return () => this.#inFlight.leave();
  }

  /**
   * Counts `work` until it has ended.
   * @throws HearsayError `draining` after `start()`; what `work` throws
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves when no work is in flight. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }
}
