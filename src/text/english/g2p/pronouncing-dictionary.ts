import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const NEWLINE = 10;
// A value may end in a remark: `# foreign french`.
const ENTRY = /^ {2}"?([^"\s:]+)"?: "([^"#]*[^"# ])/;

/**
 * The CMU Pronouncing Dictionary, kept as the bytes of its file: lines in order of their words, found by bisection. As
 * an object, as its package offers it, it would take ten times the memory and 300 ms to load.
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
   * The pronunciations of a word, the most usual one first, as ARPAbet symbols separated by blanks; none if unknown.
   * @param word in lower case
   */
  lookup(word: string): string[] {
    const found: string[] = [];
    let at = this.#firstLineFrom(word);
    for (let entry = this.#entry(at); entry && base(entry.word) === word; entry = this.#entry(at)) {
      found.push(entry.phones);
      at = this.#nextLine(at);
    }
    return found;
  }

  has(word: string): boolean {
    const entry = this.#entry(this.#firstLineFrom(word));
    return entry !== undefined && base(entry.word) === word;
  }

  /** Every entry in the order of the dictionary; a variant's word reads `word(2)`. */
  *entries(): Generator<{ word: string; phones: string }> {
    for (let at = 0; at < this.#bytes.length; at = this.#nextLine(at)) {
      const entry = this.#entry(at);
      if (entry) yield entry;
    }
  }

  /** Start of the first entry's line whose word does not come before `word`. */
  #firstLineFrom(word: string): number {
    let low = 0;
    let high = this.#bytes.length;
    while (low < high) {
      const middle = this.#bytes.lastIndexOf(NEWLINE, Math.floor((low + high) / 2) - 1) + 1;
      const line = middle < low ? low : middle;
      const entry = this.#entry(line);
      // Lines without an entry are the package's own code: its first two and its last.
      const before = entry ? base(entry.word) < word : line < this.#bytes.length / 2;
      if (before) low = this.#nextLine(line);
      else high = line;
    }
    return low;
  }

  #nextLine(at: number): number {
    const end = this.#bytes.indexOf(NEWLINE, at);
    return end < 0 ? this.#bytes.length : end + 1;
  }

  #entry(at: number): { word: string; phones: string } | undefined {
    const [, word, phones] = ENTRY.exec(this.#bytes.toString('latin1', at, this.#nextLine(at))) ?? [];
    return word === undefined || phones === undefined ? undefined : { word, phones };
  }
}

function base(word: string): string {
  return word.replace(/\(\d+\)$/, '');
}
