import type { CaptionWord, MarkTime, SpokenChunk, TokenTime } from '../../contracts/synthesis.ts';
import type { SpokenToken, TokenMark } from '../../text/types.ts';

/** The captions of one sentence, as its chunks are spoken in order. */
export class Captions {
  readonly #tokens: readonly SpokenToken[];
  /** The token in whose caption each token is shown. */
  readonly #owners: readonly number[];
  readonly #marks: readonly TokenMark[];
  /** Marks that have been reached. */
  #reached = 0;
  readonly #sampleRate: number;
  /** Seconds of the chunks so far. */
  #spoken = 0;
  /** The last token, which may continue in the next chunk. */
  #last: TokenTime | undefined;
  /** The last token with a caption. */
  #captioned = -1;

  /** @param marks in order of their tokens */
  constructor(tokens: readonly SpokenToken[], sampleRate: number, marks: readonly TokenMark[] = []) {
    this.#tokens = tokens;
    let owner = 0;
    this.#owners = tokens.map(({ caption }, index) => {
      if (caption !== '') owner = index;
      return owner;
    });
    this.#marks = marks;
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
      const { written, caption } = this.#tokens[token]!;
      words.push({ word: caption ?? written, start_time, end_time });
    };
    for (const { token: heard, start, end } of times) {
      const token = this.#owners[heard]!;
      if (token <= this.#captioned) continue;
      if (this.#last?.token !== token) close();
      this.#last = { token, start: this.#last?.start ?? this.#spoken + start, end: this.#spoken + end };
    }
    if (next === undefined || this.#last?.token !== this.#owners[next]) close();
    this.#spoken += samples.length / this.#sampleRate;
    return words;
  }

  /**
   * The marks that a chunk reaches, with times from its start. Call it once for each chunk.
   * @param isLast whether the chunk ends the sentence
   */
  marksOf({ samples, times }: SpokenChunk, isLast: boolean): MarkTime[] {
    const reached: MarkTime[] = [];
    const reach = (token: number, time: number) => {
      for (let mark = this.#marks[this.#reached]; mark && mark.token <= token; mark = this.#marks[++this.#reached]) {
        reached.push({ name: mark.name, time });
      }
    };
    for (const { token, start } of times) reach(token, start);
    if (isLast) reach(this.#tokens.length, samples.length / this.#sampleRate);
    return reached;
  }
}
