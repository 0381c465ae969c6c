import { HearsayError } from '../errors.ts';

/** The way out: once begun, new work is refused while the work inside may finish. */
export class Drain {
  #begun = false;
  #inside = 0;
  #waiters: (() => void)[] = [];

  get begun(): boolean {
    return this.#begun;
  }

  /** From now on /ready answers `draining` and new work is refused. */
  begin(): void {
    this.#begun = true;
  }

  /** Counts one piece of work in; call the answer, once, when it is over. Throws `draining` after `begin()`. */
  enter(): () => void {
    if (this.#begun) throw new HearsayError('draining', 'The server is shutting down.');
    this.#inside++;
    return () => {
      this.#inside--;
      if (this.#inside > 0) return;
      for (const resolve of this.#waiters.splice(0)) resolve();
    };
  }

  /** Resolves when no work is inside. */
  async empty(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }
}
