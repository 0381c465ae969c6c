/** Speech that a session may have transcribed at once: what was said while a button was held, or the network away. */
const BURST_SECONDS = 30;
/** Seconds of speech per second, beyond that. */
const RATE = 2;

/**
 * Bounds how fast the speech of one session is taken, by a token bucket: live speech goes before recordings, so a client that
 * sends hours of it at once would hold up all others. Silence is cheap and does not count.
 */
export class SpeechPace {
  /** Seconds taken that the rate had not made up for, at a time. */
  #taken = 0;
  #at = 0;

  /**
   * Counts speech that is taken.
   * @param now milliseconds on any clock that only goes forward
   * @returns milliseconds after which more may be taken
   */
  take(seconds: number, now: number): number {
    this.#taken = Math.max(0, this.#taken - (RATE * (now - this.#at)) / 1000) + seconds;
    this.#at = now;
    return Math.max(0, (1000 * (this.#taken - BURST_SECONDS)) / RATE);
  }
}
