import { byId, passFocus } from '../shared/dom.ts';

/** The buttons that speak and stop, and the line that shows the status. */
export class Actions {
  readonly #speak = byId('speak', HTMLButtonElement);
  readonly #stop = byId('stop', HTMLButtonElement);
  readonly #progress = byId('progress', HTMLElement);
  #inFlight: AbortController | undefined;

  constructor() {
    this.#stop.addEventListener('click', () => this.stop());
    window.addEventListener('beforeunload', (event) => {
      // Speeches are kept when they are complete.
      if (this.#inFlight) event.preventDefault();
    });
  }

  get isBusy(): boolean {
    return this.#inFlight !== undefined;
  }

  /** What the button to speak says. */
  set label(label: string) {
    if (this.#speak.textContent !== label) this.#speak.textContent = label;
  }

  stop(): void {
    this.#inFlight?.abort();
  }

  /** Shows the progress. Screen readers repeat text that is set again. */
  tell(text: string): void {
    if (this.#progress.textContent !== text) this.#progress.textContent = text;
  }

  /**
   * Runs work that the user can stop; work that runs already is stopped first.
   * @param work its `tell` shows the progress, unless other work has taken its place
   */
  async run(work: (signal: AbortSignal, tell: (text: string) => void) => Promise<void>): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#inFlight = controller;
    this.#show();
    try {
      await work(controller.signal, (text) => {
        if (this.#inFlight === controller) this.tell(text);
      });
    } finally {
      if (this.#inFlight === controller) this.#inFlight = undefined;
      this.#show();
    }
  }

  #show(): void {
    if (!this.isBusy) passFocus(this.#stop, this.#speak);
    this.#stop.disabled = !this.isBusy;
    this.#speak.classList.toggle('busy', this.isBusy);
  }
}
