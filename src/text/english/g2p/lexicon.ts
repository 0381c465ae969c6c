import type { Accent } from '../../phoneme-alphabet.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { BRITISH, CORRECTIONS, LETTER_NAMES } from './dictionary-overrides.ts';
import { LetterToSound } from './letter-to-sound.ts';
import { fromKnownParts, withS } from './morphology.ts';
import type { PronouncingDictionary } from './pronouncing-dictionary.ts';

/** In words; their phones take about 1 kB each. */
const CACHE_SIZE = 20_000;
/** Longer words are neither looked up nor taken apart. */
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
    // The dictionary's single letters are no parts of words.
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
