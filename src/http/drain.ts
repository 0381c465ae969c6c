import { HearsayError } from '../errors.ts';
import { InFlight } from '../scheduling/in-flight.ts';

/** The way out: once begun, new work is refused while the work inside may finish. */
export class Drain {
  #begun = false;
  readonly #inFlight = new InFlight();

  get begun(): boolean {
    return this.#begun;
  }

  /** From now on /ready answers `draining` and new work is refused. */
  begin(): void {
    this.#begun = true;
  }

  /**
   * Counts one piece of work in; call the answer, once, when it is over.
   * @throws HearsayError `draining` after `begin()`
   */
  enter(): () => void {
    if (this.#begun) throw new HearsayError('draining', 'The server is shutting down.');
    this.#inFlight.enter();
    return () => this.#inFlight.leave();
  }

  /** Resolves when no work is inside. */
  empty(): Promise<void> {
    return this.#inFlight.idle();
  }
}
