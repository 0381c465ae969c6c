/** A word with its times from the service, in seconds from the start of the speech. */
export interface TimedWord {
  word: string;
  start_time: number;
  end_time: number;
  /** Index of its line, of a dialogue. */
  line?: number;
}

/** A timed word and its range in the text. */
export interface PlacedWord {
  /** Seconds. */
  start: number;
  end: number;
  /** Range in the text; `to` is exclusive. */
  from: number;
  to: number;
  /** The word, if it is written otherwise in the text: an entity of SSML, for example. */
  word?: string;
}

/** Characters to search for a word: control tokens and silent text come between words. */
const SEARCH_WINDOW = 2000;

/** Finds the spoken words in the text, one after the other. A word that is not there has an empty range. */
export class WordPlacer {
  readonly #text: string;
  readonly #lines: readonly { at: number; input: string }[];
  #cursor = 0;

  /** @param lines of a dialogue: where each is in the text */
  constructor(text: string, lines: readonly { at: number; input: string }[] = []) {
    this.#text = text;
    this.#lines = lines;
  }

  place(words: readonly TimedWord[]): PlacedWord[] {
    return words.flatMap(({ word, start_time: start, end_time: end, line: index }) => {
      if (word === '') return [];
      const line = index === undefined ? undefined : this.#lines[index];
      // Names between the lines are not spoken.
      if (line) this.#cursor = Math.max(this.#cursor, line.at);
      const last = line ? line.at + line.input.length : Number.POSITIVE_INFINITY;
      const window = Math.min(this.#cursor + SEARCH_WINDOW + word.length, last);
      const ahead = this.#text.slice(this.#cursor, window).indexOf(word);
      if (ahead < 0) return [{ start, end, from: this.#cursor, to: this.#cursor, word }];
      const from = this.#cursor + ahead;
      this.#cursor = from + word.length;
      return [{ start, end, from, to: this.#cursor }];
    });
  }
}

/** The text of an SSML document with spaces instead of its tags, so that all offsets stay. */
export function withoutTags(ssml: string): string {
  const markup = /<!--[\s\S]*?-->|<!\[CDATA\[|\]\]>|<(?:[^<>"']|"[^"]*"|'[^']*')*>/g;
  return ssml.replace(markup, (tag) => ' '.repeat(tag.length));
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
