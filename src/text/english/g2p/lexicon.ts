import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Accent } from '../../phoneme-alphabet.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { BRITISH, CORRECTIONS, LETTER_NAMES } from './dictionary-overrides.ts';
import { LetterToSound } from './letter-to-sound.ts';
import { fromKnownParts, withS } from './morphology.ts';

/** Number of words; their phones take about 1 kB each. */
const CACHE_SIZE = 20_000;
/** Longer words are neither looked up nor split. */
const MAX_WORD_LENGTH = 60;

/** Phones of single words out of context: from the dictionary, else from known parts, else from the letters. */
export class Lexicon {
  readonly #dictionary: PronouncingDictionary;
  readonly #cache: Record<Accent, Map<string, readonly Phone[]>> = { us: new Map(), gb: new Map() };
  #letterToSound: LetterToSound | undefined;

  constructor(dictionary: PronouncingDictionary) {
    this.#dictionary = dictionary;
  }

  /**
   * Phones of a word by itself.
   * @param word letters a to z and apostrophes in lower case
   */
  phones(word: string, accent: Accent): readonly Phone[] {
    const cache = this.#cache[accent];
    const cached = cache.get(word);
    if (cached) return cached;
    const phones = this.known(word, accent) ?? this.#guess(word, accent);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(word, phones);
    return phones;
  }

  /** Like `phones`, but undefined for words that neither the dictionary nor its words as parts explain. */
  known(word: string, accent: Accent): readonly Phone[] | undefined {
    if (word.length > MAX_WORD_LENGTH) return undefined;
    const british = (part: string) => listed(BRITISH, part);
    const corrected = (part: string) => listed(CORRECTIONS, part);
    return (
      (accent === 'gb' ? (british(word) ?? fromKnownParts(word, british, 1)) : undefined) ??
      corrected(word) ??
      fromKnownParts(word, corrected, 1) ??
      this.#entry(word) ??
      fromKnownParts(word, (part) => this.#entry(part))
    );
  }

  /** Whether the dictionary itself has the word. */
  has(word: string): boolean {
    return Object.hasOwn(CORRECTIONS, word) || this.#dictionary.has(word);
  }

  /** Phones of each letter's name. */
  letterNames(letters: string, accent: Accent): Phone[][] {
    return [...letters].flatMap((letter) => {
      const name = (accent === 'gb' ? listed(BRITISH, letter) : undefined) ?? listed(LETTER_NAMES, letter);
      return name ? [name] : [];
    });
  }

  #entry(word: string): readonly Phone[] | undefined {
    const corrected = listed(CORRECTIONS, word);
    if (corrected) return corrected;
    // The dictionary's single letters are not parts of words.
    if (word.length < 2) return undefined;
    const [first] = this.#dictionary.lookup(word);
    return first === undefined ? undefined : parsePhones(first.split(' '));
  }

  #guess(word: string, accent: Accent): readonly Phone[] {
    if (word.endsWith("'s")) return withS(this.phones(word.slice(0, -2), accent));
    const letters = word.replace(/[^a-z]/g, '');
    if (letters.length <= 6 && !/[aeiouy]/.test(letters)) return this.letterNames(letters, accent).flat();
    this.#letterToSound ??= new LetterToSound();
    return this.#letterToSound.pronounce(letters);
  }
}

function listed(entries: Record<string, string>, word: string): Phone[] | undefined {
  return Object.hasOwn(entries, word) ? parsePhones(entries[word]!.split(' ')) : undefined;
}

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
