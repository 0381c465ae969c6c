/** How long a request stands back for each half second of audio: another may search for long, and find nothing. */
const LONGEST_WAIT_MS = 1000;

/**
 * Who may look for speech on the one thread that does: requests that have no window for the model, and the others only
 * while there is none of those. So a newcomer does not wait for what recordings of hours look ahead.
 */
export class Precedence {
  readonly #needy = new Set<object>();
  readonly #waiting = new Map<object, () => void>();

  /** Says whether a request is without a window for the model; false, too, once it is over. */
  set(request: object, isNeedy: boolean): void {
    if (isNeedy) this.#needy.add(request);
    else this.#needy.delete(request);
    for (const [waiting, goOn] of this.#waiting) if (!this.#standsBack(waiting)) goOn();
  }

  /** Resolves when the request may look at some more of its recording. */
  async turn(request: object): Promise<void> {
    if (!this.#standsBack(request)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_WAIT_MS);
      this.#waiting.set(request, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#waiting.delete(request);
  }

  #standsBack(request: object): boolean {
    return this.#needy.size > 0 && !this.#needy.has(request);
  }
}
