/** A word with its times from the service, in seconds from the start of the speech. */
export interface TimedWord {
  word: string;
  start_time: number;
  end_time: number;
}

/** A timed word and its range in the text. */
export interface PlacedWord {
  /** Seconds. */
  start: number;
  end: number;
  /** Range in the text; `to` is exclusive. */
  from: number;
  to: number;
}

/** Characters to search for a word: control tokens and silent text come between words. */
const SEARCH_WINDOW = 2000;

/** Finds the spoken words in the text, one after the other. Leaves out words that it does not find. */
export class WordPlacer {
  readonly #text: string;
  #cursor = 0;

  constructor(text: string) {
    this.#text = text;
  }

  place(words: readonly TimedWord[]): PlacedWord[] {
    return words.flatMap(({ word, start_time: start, end_time: end }) => {
      if (word === '') return [];
      const ahead = this.#text.slice(this.#cursor, this.#cursor + SEARCH_WINDOW + word.length).indexOf(word);
      if (ahead < 0) return [];
      const from = this.#cursor + ahead;
      this.#cursor = from + word.length;
      return [{ start, end, from, to: this.#cursor }];
    });
  }
}

/** Index of the word at an offset of the text, or of the next word; -1 after the last. */
export function wordAtOffset(words: readonly PlacedWord[], offset: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.to <= offset) low = middle + 1;
    else high = middle;
  }
  return low < words.length ? low : -1;
}
