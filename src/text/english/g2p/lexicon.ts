import type { Accent } from '../../phoneme-alphabet.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { BRITISH, CORRECTIONS, LETTER_NAMES } from './dictionary-overrides.ts';
import { LetterToSound } from './letter-to-sound.ts';
import { fromParts, withS } from './morphology.ts';
import type { PronouncingDictionary } from './pronouncing-dictionary.ts';

/** How many words are remembered; their phones cost about 1 kB each. */
const REMEMBERED = 20_000;
/** Nothing longer is looked up or taken apart. */
const LONGEST = 60;

/** Phones of single words, out of context: from the dictionary, else from known parts, else from the letters. */
export class Lexicon {
  readonly #dictionary: PronouncingDictionary;
  readonly #remembered: Record<Accent, Map<string, readonly Phone[]>> = { us: new Map(), gb: new Map() };
  #letterToSound: LetterToSound | undefined;

  constructor(dictionary: PronouncingDictionary) {
    this.#dictionary = dictionary;
  }

  /**
   * Phones of a word as it is said alone.
   * @param word letters a to z and apostrophes in lower case
   */
  phones(word: string, accent: Accent): readonly Phone[] {
    const words = this.#remembered[accent];
    const remembered = words.get(word);
    if (remembered) return remembered;
    const found = this.known(word, accent) ?? this.#guess(word, accent);
    if (words.size >= REMEMBERED) words.clear();
    words.set(word, found);
    return found;
  }

  /** The same for words that the dictionary holds, or whose parts it holds; nothing for others. */
  known(word: string, accent: Accent): readonly Phone[] | undefined {
    if (word.length > LONGEST) return undefined;
    const british = (part: string) => listed(BRITISH, part);
    const corrected = (part: string) => listed(CORRECTIONS, part);
    return (
      (accent === 'gb' ? (british(word) ?? fromParts(word, british, 1)) : undefined) ??
      corrected(word) ??
      fromParts(word, corrected, 1) ??
      this.#entry(word) ??
      fromParts(word, (part) => this.#entry(part))
    );
  }

  /** Whether the dictionary itself holds the word. */
  has(word: string): boolean {
    return Object.hasOwn(CORRECTIONS, word) || this.#dictionary.has(word);
  }

  /** The name of each letter. */
  letterNames(letters: string, accent: Accent): Phone[][] {
    return [...letters].flatMap((letter) => {
      const name = (accent === 'gb' ? listed(BRITISH, letter) : undefined) ?? listed(LETTER_NAMES, letter);
      return name ? [name] : [];
    });
  }

  #entry(word: string): readonly Phone[] | undefined {
    const corrected = listed(CORRECTIONS, word);
    if (corrected) return corrected;
    // A single letter is a word of its own, never a part.
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
