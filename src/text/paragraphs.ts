/** Silence between paragraphs at speed 1, in addition to that between sentences. */
export const PARAGRAPH_SECONDS = 0.4;

/** Finds the sentences that start a paragraph: those after another paragraph, without a pause in between. */
export class Paragraphs {
  /** Since the last pause. */
  #isHeard = false;
  #isOver = false;

  /** A paragraph ends here. */
  end(): void {
    this.#isOver = true;
  }

  /** A pause replaces the one between paragraphs. */
  pause(): void {
    this.#isHeard = false;
    this.#isOver = false;
  }

  /** @returns whether the next sentence starts a paragraph */
  sentence(): boolean {
    const starts = this.#isHeard && this.#isOver;
    this.#isHeard = true;
    this.#isOver = false;
    return starts;
  }
}
