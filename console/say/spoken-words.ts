/** A word as the service times it, in seconds from the start of the speech. */
export interface TimedWord {
  word: string;
  start_time: number;
  end_time: number;
}

/** A word of the speech and where it stands in the text. */
export interface PlacedWord {
  /** Seconds. */
  start: number;
  end: number;
  /** Characters of the text, the end not included. */
  from: number;
  to: number;
}

/** How far ahead a word is looked for: control tokens and what is not spoken stand between words. */
const REACH = 2000;

/** Finds the words, as they come, in the text that they were made from. One that is not there is left out. */
export class WordPlacer {
  readonly #text: string;
  #cursor = 0;

  constructor(text: string) {
    this.#text = text;
  }

  place(words: readonly TimedWord[]): PlacedWord[] {
    return words.flatMap(({ word, start_time: start, end_time: end }) => {
      if (word === '') return [];
      const ahead = this.#text.slice(this.#cursor, this.#cursor + REACH + word.length).indexOf(word);
      if (ahead < 0) return [];
      const from = this.#cursor + ahead;
      this.#cursor = from + word.length;
      return [{ start, end, from, to: this.#cursor }];
    });
  }
}

/** Index of the word that holds a place of the text, or of the next one after it; -1 after the last. */
export function wordOfPlace(words: readonly PlacedWord[], place: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.to <= place) low = middle + 1;
    else high = middle;
  }
  return low < words.length ? low : -1;
}
