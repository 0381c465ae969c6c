/**
 * Who may look for speech on the one thread that does: requests that have no window for the model, and the others only
 * while there is none of those. So a newcomer does not wait for what recordings of hours look ahead.
 */
export class Precedence {
  readonly #needy = new Set<object>();
  #waiting: (() => void)[] = [];

  /** Says whether a request is without a window for the model; false, too, once it is over. */
  set(request: object, isNeedy: boolean): void {
    if (isNeedy) this.#needy.add(request);
    else this.#needy.delete(request);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when the request may go on; once `signal` has aborted, with the next `set`. */
  async turn(request: object, signal: AbortSignal): Promise<void> {
    while (this.#needy.size > 0 && !this.#needy.has(request) && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
