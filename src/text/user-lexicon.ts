import { HearsayError } from '../errors.ts';
import { unknownPhonemes } from './phoneme-alphabet.ts';
import { halfWidth } from './transliteration.ts';

/** A letter that is no mark of stress, length or colour. */
const SOUND = /(?![ˈˌːʰʲ])\p{L}/u;
const LONGEST_WORD = 60;
const LONGEST_PRONUNCIATION = 200;
const MOST_ENTRIES = 10_000;

interface Layer {
  words: ReadonlyMap<string, string>;
  /** How long the words are that begin with a character, the longest first. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

/** Pronunciations of words that go before every other: of one request, or of the whole service. */
export class UserLexicon {
  /** The first one that has a word decides. */
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
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
    return new UserLexicon([{ words, lengths: lengthsOf(words.keys()) }]);
  }

  /** One that holds the entries of both; those of `other` go before. */
  with(other: UserLexicon): UserLexicon {
    return new UserLexicon([...other.#layers, ...this.#layers]);
  }

  /** A word as it is written, else in small letters, else without its possessive ending. */
  pronounce(written: string): string | undefined {
    const word = normalized(written);
    for (const { words } of this.#layers) {
      const phonemes = asWritten(words, word) ?? possessive(words, word);
      if (phonemes !== undefined) return phonemes;
    }
    return undefined;
  }

  /** The longest word that stands at a place of a text, in whatever it is written: where it ends. */
  longestAt(text: string, at: number): number | undefined {
    const first = normalized(text[at] ?? '');
    let longest: number | undefined;
    for (const { words, lengths } of this.#layers) {
      for (const initial of new Set([first, first.toLowerCase()])) {
        const length = lengths.get(initial)?.find((length) => {
          const word = normalized(text.slice(at, at + length));
          return word.length === length && asWritten(words, word) !== undefined;
        });
        if (length !== undefined) longest = Math.max(longest ?? 0, at + length);
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

/** The ending `'s` after these phonemes: voiced, voiceless or with a vowel by the last sound. */
export function possessiveSound(phonemes: string): string {
  const last = phonemes.replace(/[ːˈˌ\s]+$/u, '').slice(-1);
  if (/[szʃʒʧʤ]/u.test(last)) return 'ᵻz';
  return /[ptkfθ]/u.test(last) ? 's' : 'z';
}

function normalized(word: string): string {
  return halfWidth(word.trim().normalize('NFC')).replaceAll('’', "'");
}
