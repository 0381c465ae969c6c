/** Speech that a session may send at once: a push-to-talk utterance, or what was said during a network interruption. */
const BURST_SECONDS = 30;
/** Seconds of speech per second after that. */
const RATE = 2;

/**
 * Limits how fast the speech of one session is read, by a token bucket. Live speech has priority over recordings, so a
 * client that sends hours of it at once would delay all others. Silence is cheap and does not count.
 */
export class SpeechPace {
  /** Fill of the bucket in seconds of speech, at time `#at`. */
  #taken = 0;
  #at = 0;

  /**
   * Counts speech that was read.
   * @param now milliseconds on any clock that only goes forward
   * @returns milliseconds to wait before more is read
   */
  take(seconds: number, now: number): number {
    this.#taken = Math.max(0, this.#taken - (RATE * (now - this.#at)) / 1000) + seconds;
    this.#at = now;
    return Math.max(0, (1000 * (this.#taken - BURST_SECONDS)) / RATE);
  }
}
