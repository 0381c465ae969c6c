import type { Word } from '../../contracts/transcription.ts';
import type { PlacedWord } from './agreement.ts';

/** The text of an utterance as it was given out, with its words. */
export class GivenText {
  #text = '';
  readonly #places: PlacedWord[] = [];

  /** @param seconds of the utterance before the speech that times count from */
  append(text: string, words: readonly PlacedWord[], seconds: number): void {
    for (const { at, start, end, probability } of words) {
      this.#places.push({ at: this.#text.length + at, start: seconds + start, end: seconds + end, probability });
    }
    this.#text += text;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** The words, which together are the text. Times of different guesses may cross: here they follow each other. */
  get words(): Word[] {
    let last = 0;
    return this.#places.map(({ at, probability, ...times }, index) => {
      const start = Math.max(last, times.start);
      const end = Math.max(start, times.end);
      last = start;
      return { word: this.#text.slice(at, this.#places[index + 1]?.at).trim(), start, end, probability };
    });
  }
}
