/** Saves a moment after the last change, or at once if the page is left. */
export class DelayedSave {
  readonly #save: () => void;
  readonly #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(save: () => void, delayMs: number) {
    this.#save = save;
    this.#delayMs = delayMs;
    window.addEventListener('pagehide', () => this.flush());
    // A phone may end a hidden page without another event.
    document.addEventListener('visibilitychange', () => document.hidden && this.flush());
  }

  schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#delayMs);
  }

  /** Saves now if a save is due. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.#save();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
