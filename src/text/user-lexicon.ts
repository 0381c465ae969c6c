import { HearsayError } from '../errors.ts';
import { unknownPhonemes } from './phoneme-alphabet.ts';

/** A letter that is no mark of stress, length or colour. */
const SOUND = /(?![ˈˌːʰʲ])\p{L}/u;
const LONGEST_WORD = 60;
const LONGEST_PRONUNCIATION = 200;
const MOST_ENTRIES = 10_000;

/** Pronunciations of words that go before every other: of one request, or of the whole service. */
export class UserLexicon {
  /** The first one that has a word decides. */
  readonly #layers: readonly ReadonlyMap<string, string>[];

  private constructor(layers: readonly ReadonlyMap<string, string>[]) {
    this.#layers = layers;
  }

  /**
   * @param entries word → phonemes in Kokoro's alphabet; a word holds no blank
   * @param param name of the request field, for the error
   * @throws HearsayError invalid_request where it is no such object, or a pronunciation has characters that Kokoro lacks
   */
  static from(entries: unknown, param = 'lexicon'): UserLexicon {
    const refuse = (message: string) => new HearsayError('invalid_request', message, { param });
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) {
      throw refuse('The lexicon is an object of words and their pronunciations.');
    }
    const listed = Object.entries(entries);
    if (listed.length > MOST_ENTRIES) throw refuse(`The lexicon has more than ${MOST_ENTRIES} entries.`);
    const words = new Map<string, string>();
    for (const [written, phonemes] of listed) {
      const word = normalized(written);
      if (word === '' || word.length > LONGEST_WORD || /\s/.test(word) || !/\p{L}/u.test(word)) {
        throw refuse('A word of the lexicon is no single word.');
      }
      if (typeof phonemes !== 'string' || phonemes.length > LONGEST_PRONUNCIATION) {
        throw refuse(`The pronunciation of ${word} is no string of at most ${LONGEST_PRONUNCIATION} characters.`);
      }
      const unknown = unknownPhonemes(phonemes);
      if (unknown.length > 0) throw refuse(`The pronunciation of ${word} has unknown phonemes: ${unknown.join(' ')}`);
      if (!SOUND.test(phonemes)) throw refuse(`The pronunciation of ${word} has no sound.`);
      words.set(word, phonemes.trim());
    }
    return new UserLexicon([words]);
  }

  /** One that holds the entries of both; those of `other` go before. */
  with(other: UserLexicon): UserLexicon {
    return new UserLexicon([...other.#layers, ...this.#layers]);
  }

  /** A word as it is written, else in small letters, else without its possessive ending. */
  pronounce(written: string): string | undefined {
    const word = normalized(written);
    for (const entries of this.#layers) {
      const phonemes = entries.get(word) ?? entries.get(word.toLowerCase()) ?? possessive(entries, word);
      if (phonemes !== undefined) return phonemes;
    }
    return undefined;
  }
}

function possessive(entries: ReadonlyMap<string, string>, word: string): string | undefined {
  if (!/'s$/i.test(word)) return undefined;
  const name = word.slice(0, -2);
  const owner = entries.get(name) ?? entries.get(name.toLowerCase());
  return owner && owner + possessiveSound(owner);
}

/** The ending `'s` after these phonemes: voiced, voiceless or with a vowel by the last sound. */
export function possessiveSound(phonemes: string): string {
  const last = phonemes.replace(/[ːˈˌ\s]+$/u, '').slice(-1);
  if (/[szʃʒʧʤ]/u.test(last)) return 'ᵻz';
  return /[ptkfθ]/u.test(last) ? 's' : 'z';
}

function normalized(word: string): string {
  return word.trim().normalize('NFC').replaceAll('’', "'");
}
