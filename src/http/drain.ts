import { HearsayError } from '../errors.ts';
import { InFlight } from '../scheduling/in-flight.ts';

/** Graceful shutdown: once started, it refuses new work and waits for the work in flight. */
export class Drain {
  #isDraining = false;
  readonly #inFlight = new InFlight();

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on /ready answers `draining` and new work is refused. */
  start(): void {
    this.#isDraining = true;
  }

  /**
   * Counts one piece of work; call the returned function once when it is done.
   * @throws HearsayError `draining` after `start()`
   */
  enter(): () => void {
    if (this.#isDraining) throw new HearsayError('draining', 'The server is shutting down.');
    this.#inFlight.enter();
    return () => this.#inFlight.leave();
  }

  /** Resolves when no work is in flight. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }
}
