import { HearsayError } from '../errors.ts';
import { unknownPhonemes } from './phoneme-alphabet.ts';
import { fromIpa } from './phoneme-input.ts';
import { halfWidth } from './transliteration.ts';

/** A letter that is not a stress, length or modifier mark. */
const SOUND = /(?![ˈˌːʰʲ])\p{L}/u;
const MAX_WORD_LENGTH = 60;
const MAX_PRONUNCIATION_LENGTH = 200;
const MAX_ENTRIES = 10_000;

interface Layer {
  words: ReadonlyMap<string, string>;
  /** Lengths of the words that begin with a character, longest first. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

/** Pronunciations that override all others, of one request or of the whole service. */
export class UserLexicon {
  /** The first layer that has a word decides. */
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /**
   * @param entries word → phonemes as `fromIpa` reads them; words have no whitespace
   * @throws HearsayError `invalid_request` if `entries` is malformed or has unknown phonemes
   */
  static from(entries: unknown): UserLexicon {
    const invalid = (message: string) => new HearsayError('invalid_request', message, { param: 'lexicon' });
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) {
      throw invalid('The lexicon must be an object of words and their pronunciations.');
    }
    const pairs = Object.entries(entries);
    if (pairs.length > MAX_ENTRIES) throw invalid(`The lexicon has more than ${MAX_ENTRIES} entries.`);
    const words = new Map<string, string>();
    for (const [written, ipa] of pairs) {
      const word = normalized(written);
      if (word === '' || word.length > MAX_WORD_LENGTH || /\s/.test(word) || !/\p{L}/u.test(word)) {
        throw invalid('Each key of the lexicon must be a single word.');
      }
      if (typeof ipa !== 'string' || ipa.length > MAX_PRONUNCIATION_LENGTH) {
        throw invalid(
          `The pronunciation of ${word} must be a string of at most ${MAX_PRONUNCIATION_LENGTH} characters.`,
        );
      }
      const phonemes = fromIpa(ipa.trim());
      const unknown = unknownPhonemes(phonemes);
      if (unknown.length > 0) throw invalid(`The pronunciation of ${word} has unknown phonemes: ${unknown.join(' ')}`);
      if (!SOUND.test(phonemes)) throw invalid(`The pronunciation of ${word} has no sound.`);
      words.set(word, phonemes);
    }
    return new UserLexicon([{ words, lengths: lengthsOf(words.keys()) }]);
  }

  /** Adds the entries of `other`, which override these. */
  with(other: UserLexicon): UserLexicon {
    return new UserLexicon([...other.#layers, ...this.#layers]);
  }

  /** Looks up a word as written, then in lower case, then without its possessive ending. */
  pronounce(written: string): string | undefined {
    const word = normalized(written);
    for (const { words } of this.#layers) {
      const phonemes = asWritten(words, word) ?? possessive(words, word);
      if (phonemes !== undefined) return phonemes;
    }
    return undefined;
  }

  /** Index after the longest word that begins at an index of a text, with or without spaces around it. */
  longestAt(text: string, index: number): number | undefined {
    const first = normalized(text[index] ?? '');
    let longest: number | undefined;
    for (const { words, lengths } of this.#layers) {
      for (const initial of new Set([first, first.toLowerCase()])) {
        const length = lengths.get(initial)?.find((length) => {
          const word = normalized(text.slice(index, index + length));
          return word.length === length && asWritten(words, word) !== undefined;
        });
        if (length !== undefined) longest = Math.max(longest ?? 0, index + length);
      }
    }
    return longest;
  }
}

function lengthsOf(words: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const lengths = new Map<string, Set<number>>();
  for (const word of words) lengths.set(word[0]!, (lengths.get(word[0]!) ?? new Set()).add(word.length));
  return new Map([...lengths].map(([initial, each]) => [initial, [...each].sort((a, b) => b - a)]));
}

function asWritten(words: ReadonlyMap<string, string>, word: string): string | undefined {
  return words.get(word) ?? words.get(word.toLowerCase());
}

function possessive(words: ReadonlyMap<string, string>, word: string): string | undefined {
  if (!/'s$/i.test(word)) return undefined;
  const owner = asWritten(words, word.slice(0, -2));
  return owner && owner + possessiveSound(owner);
}

/** Phonemes of the ending `'s` after others: voiced, voiceless or with a vowel, by their last sound. */
export function possessiveSound(phonemes: string): string {
  const last = phonemes.replace(/[ːˈˌ\s]+$/u, '').slice(-1);
  if (/[szʃʒʧʤ]/u.test(last)) return 'ᵻz';
  return /[ptkfθ]/u.test(last) ? 's' : 'z';
}

function normalized(word: string): string {
  return halfWidth(word.trim().normalize('NFC')).replaceAll('’', "'");
}
