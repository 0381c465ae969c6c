import type { CaptionWord, SpokenChunk, TokenTime } from '../../contracts/synthesis.ts';
import type { SpokenToken } from '../../text/types.ts';

/** The captions of one sentence, as its chunks are spoken in order. */
export class Captions {
  readonly #tokens: readonly SpokenToken[];
  readonly #sampleRate: number;
  /** Seconds of the chunks so far. */
  #spoken = 0;
  /** The last token, which may continue in the next chunk. */
  #last: TokenTime | undefined;
  /** The last token with a caption. */
  #captioned = -1;

  constructor(tokens: readonly SpokenToken[], sampleRate: number) {
    this.#tokens = tokens;
    this.#sampleRate = sampleRate;
  }

  /**
   * The words of a chunk, with times from its start.
   * @param next the token that the next chunk begins with, if a token that spans both is to be captioned with the chunk it
   * ends in; otherwise it is captioned with the chunk it begins in
   */
  of({ samples, times }: SpokenChunk, next: number | undefined): CaptionWord[] {
    const words: CaptionWord[] = [];
    const close = () => {
      if (!this.#last) return;
      const { token, start, end } = this.#last;
      this.#last = undefined;
      this.#captioned = token;
      const [start_time, end_time] = [start - this.#spoken, end - this.#spoken];
      words.push({ word: this.#tokens[token]!.written, start_time, end_time });
    };
    for (const { token, start, end } of times) {
      if (token <= this.#captioned) continue;
      if (this.#last?.token !== token) close();
      this.#last = { token, start: this.#last?.start ?? this.#spoken + start, end: this.#spoken + end };
    }
    if (this.#last?.token !== next) close();
    this.#spoken += samples.length / this.#sampleRate;
    return words;
  }
}
