import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const NEWLINE = 10;
// A value may end in a comment: `# foreign french`.
const ENTRY = /^ {2}"?([^"\s:]+)"?: "([^"#]*[^"# ])/;

/**
 * The CMU Pronouncing Dictionary, kept as the bytes of its file: sorted lines, searched by bisection. The object that its
 * package exports takes ten times the memory and 300 ms to load.
 */
export class PronouncingDictionary {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the dictionary of the installed package. */
  static async load(): Promise<PronouncingDictionary> {
    return new PronouncingDictionary(await readFile(fileURLToPath(import.meta.resolve('cmu-pronouncing-dictionary'))));
  }

  /**
   * The pronunciations of a word, the most usual first, as ARPAbet symbols separated by spaces; none if unknown.
   * @param word in lower case
   */
  lookup(word: string): string[] {
    const pronunciations: string[] = [];
    let line = this.#firstLineFrom(word);
    for (let entry = this.#entry(line); entry && base(entry.word) === word; entry = this.#entry(line)) {
      pronunciations.push(entry.phones);
      line = this.#nextLine(line);
    }
    return pronunciations;
  }

  has(word: string): boolean {
    const entry = this.#entry(this.#firstLineFrom(word));
    return entry !== undefined && base(entry.word) === word;
  }

  /** All entries in the dictionary's order; variants are named `word(2)`. */
  *entries(): Generator<{ word: string; phones: string }> {
    for (let line = 0; line < this.#bytes.length; line = this.#nextLine(line)) {
      const entry = this.#entry(line);
      if (entry) yield entry;
    }
  }

  /** Index of the first line whose word is not before `word`. */
  #firstLineFrom(word: string): number {
    let low = 0;
    let high = this.#bytes.length;
    while (low < high) {
      const middle = this.#bytes.lastIndexOf(NEWLINE, Math.floor((low + high) / 2) - 1) + 1;
      const line = middle < low ? low : middle;
      const entry = this.#entry(line);
      // The first two lines and the last are the package's code.
      const isBefore = entry ? base(entry.word) < word : line < this.#bytes.length / 2;
      if (isBefore) low = this.#nextLine(line);
      else high = line;
    }
    return low;
  }

  #nextLine(line: number): number {
    const end = this.#bytes.indexOf(NEWLINE, line);
    return end < 0 ? this.#bytes.length : end + 1;
  }

  #entry(line: number): { word: string; phones: string } | undefined {
    const [, word, phones] = ENTRY.exec(this.#bytes.toString('latin1', line, this.#nextLine(line))) ?? [];
    return word === undefined || phones === undefined ? undefined : { word, phones };
  }
}

function base(word: string): string {
  return word.replace(/\(\d+\)$/, '');
}
