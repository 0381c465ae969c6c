import { type Accent, PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { american } from './american.ts';
import type { Phone } from './arpabet.ts';
import { borrowedWord } from './borrowed-words.ts';
import { british } from './british.ts';
import { functionWord } from './function-words.ts';
import { prefersRules } from './homograph-rules.ts';
import { homograph, usualUse } from './homographs.ts';
import type { Lexicon } from './lexicon.ts';
import { pronounceCompound } from './misaki-compounds.ts';
import { MAX_INITIALS, type MisakiLexicon, type WordContext } from './misaki-lexicon.ts';
import { withS } from './morphology.ts';
import { isPointing, type Tag, tagOf } from './part-of-speech.ts';
import { atLeastSecondary, balanced, emphasized } from './stress.ts';
import type { Context } from './word-classes.ts';

/** An English word in Kokoro's alphabet; empty if it is not pronounced. */
export type SayUnknown = (word: string, accent: Accent) => string;

/** A word to pronounce, with its context. */
export interface WordRequest {
  context: Context;
  index: number;
  /** Whether the next word begins with a vowel; undefined before a pause and at the end. */
  nextVowel: boolean | undefined;
  /** Whether the text is in capitals throughout. */
  allCaps: boolean;
  accent: Accent;
}

/** Cached words per accent. */
const CACHE_SIZE = 20_000;
/** Longer words are rendered without their spelling: aligning it takes time and does not help. */
const MAX_ALIGNED_LETTERS = 60;
/** Capitals that are spelled although their letters make a word. */
const SPELLED = new Set('us it ai uk eu un pc tv id er or pm am la dc pr hr os ip ad ac cd dvd ceo ii iv'.split(' '));
/** Words that people stretch, although doubling the letter makes a rarer word. */
const STRETCHED = new Set('so no go yo ho'.split(' '));
/** Words from normalization that misaki lists in another spelling. */
const ALIASES = new Map([
  ['missus', 'Mrs.'],
  ['missis', 'Mrs.'],
]);

/** Pronounces single words in context: from misaki's lexicons if given, else from the pronouncing dictionary. */
export class WordPronouncer {
  readonly #lexicon: Lexicon;
  readonly #misaki: Partial<Record<Accent, MisakiLexicon>>;
  readonly #sayUnknown: SayUnknown | undefined;
  readonly #rendered: Record<Accent, Map<string, string>> = { us: new Map(), gb: new Map() };

  constructor(lexicon: Lexicon, misaki: Partial<Record<Accent, MisakiLexicon>>, sayUnknown: SayUnknown | undefined) {
    this.#lexicon = lexicon;
    this.#misaki = misaki;
    this.#sayUnknown = sayUnknown;
  }

  /** Phonemes of the word at `index`; empty for an empty word. */
  pronounce(request: WordRequest): string {
    const { context, index, allCaps, accent } = request;
    const written = context.written[index]!;
    const word = context.words[index]!;
    if (word === '') return '';
    const usual = this.#unstretched(word);
    if (usual !== undefined) {
      const replaced = (words: readonly string[]) => words.with(index, usual);
      const words = { words: replaced(context.words), written: replaced(context.written) };
      return this.pronounce({ ...request, context: { ...context, ...words } });
    }
    const borrowed = sayBorrowed(written, accent, context.pauses[index] ? '' : context.words[index + 1]);
    if (borrowed) return borrowed;
    const misaki = this.#misaki[accent];
    if (misaki) return this.#fromMisaki(misaki, request);
    const initials = this.#initials(written, word, allCaps);
    if (initials) return this.#spell(initials.letters, accent, initials.endsInS);
    if (isLetterName(context, index)) return this.#spell(word, accent);
    const weak = functionWord(word, functionWordContext(request), accent);
    if (weak !== undefined) return stressByCapitals(weak, word, written, allCaps);
    if (word.includes('-')) return this.#hyphenated(request);
    const sense = homograph(context, index, (stem) => this.#lexicon.phones(stem, accent));
    if (sense) return render(sense, word, accent);
    return this.#camelCase(written, word, accent) ?? this.#plain(word, accent);
  }

  /** The word that stretched letters stand for, by the dictionary: `soooo`, `goooood`; undefined for other words. */
  #unstretched(word: string): string | undefined {
    if (!/([a-z])\1\1/.test(word) || this.#lexicon.has(word)) return undefined;
    const [double, single] = ['$1$1', '$1'].map((letters) => word.replace(/([a-z])\1{2,}/g, letters));
    if (STRETCHED.has(single!)) return single;
    return [double!, single!].find((usual) => usual.length > 1 && this.#lexicon.has(usual));
  }

  /** A word out of context. */
  #plain(word: string, accent: Accent): string {
    const isUnknown = this.#sayUnknown && !this.#lexicon.known(word, accent);
    return (isUnknown && this.#sayUnknown!(word, accent)) || this.#fromDictionary(word, accent);
  }

  #fromDictionary(word: string, accent: Accent): string {
    const cache = this.#rendered[accent];
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const phonemes = render(this.#lexicon.phones(word, accent), word, accent);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(word, phonemes);
    return phonemes;
  }

  /** A word from misaki's lexicons: whole, else by the longest parts that they have. */
  #fromMisaki(misaki: MisakiLexicon, { context, index, nextVowel, allCaps, accent }: WordRequest): string {
    const text = context.written[index]!.replaceAll('’', "'");
    const word = context.words[index]!;
    // Misaki lists 'tis but not 'Tis.
    const written = allCaps || /^'\p{Lu}\p{Ll}/u.test(text) ? text.toLowerCase() : text;
    const initials = /^(?:\p{L}\.)+\p{L}?('s|s)?\.?$/u.exec(written);
    if (initials) return this.#spell(foldLetters(written.replace(/'?s$/, '')), accent, initials[1] !== undefined);
    let tag: Tag | undefined;
    const wordContext = {
      tag: () => {
        tag ??= isLetterName(context, index) ? 'NN' : tagOf(context, index);
        if (tag === 'XX') tag = usualTag(word);
        return tag;
      },
      nextVowel,
      nextTo: !context.pauses[index] && context.words[index + 1] === 'to',
    };
    const whole =
      this.#misakiSense(misaki, context, index, accent) ?? misaki.pronounce(ALIASES.get(word) ?? written, wordContext);
    const known = whole ?? withoutAccents(misaki, written, wordContext);
    if (known !== undefined) return known;
    const isDictionaryWord = !/[-']/.test(written) && this.#lexicon.has(word);
    if (isDictionaryWord) return this.#unlisted(written, accent);
    return pronounceCompound(misaki, written, wordContext, {
      borrowed: (part) => sayBorrowed(part, accent),
      unlisted: (part) => this.#unlisted(part, accent),
    });
  }

  /**
   * A word missing from misaki's lexicons. The dictionary, made by people, is right more
   * often than rules, most of all for names.
   */
  #unlisted(written: string, accent: Accent): string {
    const word = foldLetters(written);
    const listed = this.#lexicon.has(word) ? this.#fromDictionary(word, accent) : undefined;
    if (listed !== undefined && !losesLastVowel(written, listed)) return listed;
    return this.#sayUnknown?.(written, accent) || (listed ?? this.#plain(word, accent));
  }

  /** A homograph that rules decide better than its part of speech does: read, lead, live. */
  #misakiSense(misaki: MisakiLexicon, context: Context, index: number, accent: Accent): string | undefined {
    const word = context.words[index]!;
    if (!prefersRules(word)) return undefined;
    const phones = homograph(context, index, (stem) => this.#lexicon.phones(stem, accent));
    return phones && misaki.closest(word, render(phones, word, accent));
  }

  /** The letters of a word that is spelled, and whether an s ends it; undefined for other words. */
  #initials(written: string, word: string, allCaps: boolean): { letters: string; endsInS: boolean } | undefined {
    if (/^(?:\p{L}\.)+\p{L}?\.?$/u.test(written)) return { letters: word, endsInS: false };
    const [, capitals, ending] = /^(\p{Lu}{2,})('s|s)?$/u.exec(written) ?? [];
    const letters = capitals === undefined ? word : foldLetters(capitals);
    const isSayable = /[aeiouy]/.test(letters) && (letters.length > 3 || allCaps || capitals === undefined);
    const isSpelled = capitals !== undefined && !allCaps && (SPELLED.has(letters) || this.#isInitialism(letters));
    const isUnsayable = !isSayable && letters.length <= MAX_INITIALS && !this.#lexicon.known(letters, 'us');
    return isSpelled || isUnsayable ? { letters, endsInS: ending !== undefined } : undefined;
  }

  /** Whether the dictionary's phones for the word are the names of its letters: FBI. */
  #isInitialism(letters: string): boolean {
    const symbols = (phones: readonly Phone[]) => phones.map(({ symbol }) => symbol).join(' ');
    return (
      this.#lexicon.has(letters) &&
      symbols(this.#lexicon.phones(letters, 'us')) === symbols(this.#lexicon.letterNames(letters, 'us').flat())
    );
  }

  /** Names of letters in one word, the primary stress on the last. */
  #spell(letters: string, accent: Accent, endsInS = false): string {
    return this.#lexicon
      .letterNames(letters, accent)
      .map((phones, index, all) => {
        const isLast = index === all.length - 1;
        const name = render(endsInS && isLast ? withS(phones) : phones, '', accent);
        return isLast ? name : name.replace(PRIMARY_STRESS, SECONDARY_STRESS);
      })
      .join('');
  }

  /** A word with hyphens: its parts in one word, the primary stress on the heavier one. */
  #hyphenated({ context, index, allCaps, accent }: WordRequest): string {
    const parts = context.written[index]!.split(/-+/).filter(Boolean);
    // re-entered, co-operative
    const joined = parts.length === 2 && /^(?:re|co|pre|de)$/i.test(parts[0]!) ? foldLetters(parts.join('')) : '';
    if (joined && this.#lexicon.known(joined, accent)) return this.#fromDictionary(joined, accent);
    // Function words stay weak within a compound: state-of-the-art.
    const inner = { words: parts.map(foldLetters), written: parts, pauses: parts.map(() => false) };
    const spoken = parts.map((_, part) =>
      this.pronounce({ context: inner, index: part, nextVowel: true, allCaps, accent }),
    );
    return balanced(spoken, parts).join('');
  }

  /** JavaScript, eBay: word by word; undefined for other words and for those of the dictionary. */
  #camelCase(written: string, word: string, accent: Accent): string | undefined {
    if (written.includes("'") || this.#lexicon.has(word)) return undefined;
    const parts = written.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu) ?? [];
    if (parts.length < 2) return undefined;
    const spoken = parts.map((part) => {
      const context = { words: [foldLetters(part)], written: [part], pauses: [false] };
      return this.pronounce({ context, index: 0, nextVowel: true, allCaps: false, accent });
    });
    return balanced(spoken, parts).join('');
  }
}

/** The lexicons' word without the accents of `written`. */
function withoutAccents(misaki: MisakiLexicon, written: string, context: WordContext): string | undefined {
  const bare = written.normalize('NFD').replace(/\p{M}/gu, '');
  if (bare === written || !/^[A-Za-z']+$/.test(bare)) return undefined;
  const phonemes = misaki.pronounce(bare, context);
  return phonemes !== undefined && losesLastVowel(written, phonemes) ? undefined : phonemes;
}

/** Whether phonemes of a word without its accents lose a final é, which is a syllable: `pâté` is not pate. */
function losesLastVowel(written: string, phonemes: string): boolean {
  return /[éèêë]e?s?$/iu.test(written.normalize('NFC')) && !/[Ai]z?$/.test(phonemes);
}

/** A word from our own list; undefined for other words. */
function sayBorrowed(written: string, accent: Accent, next = ''): string | undefined {
  const phones = borrowedWord(written, next);
  if (!phones || accent === 'us') return phones && american(phones, '');
  // In other languages, u is never a you, and wa not the sound of want.
  const spelling = foldLetters(written)
    .replaceAll('-', '')
    .replace(/u(?!s$)/g, 'ū')
    .replaceAll('w', 'v');
  return british(phones, spelling.length > MAX_ALIGNED_LETTERS ? '' : spelling);
}

function render(phones: readonly Phone[], word: string, accent: Accent): string {
  const spelling = word.length > MAX_ALIGNED_LETTERS || /[^a-z']/.test(word) ? '' : word;
  return (accent === 'us' ? american : british)(phones, spelling);
}

function functionWordContext({ context, index, nextVowel }: WordRequest) {
  return {
    nextVowel,
    previous: context.pauses[index - 1] ? undefined : context.words[index - 1],
    next: context.words[index + 1],
    isPointing: () => isPointing(context, index),
  };
}

/** Lower case with only the letters a to z, apostrophes and hyphens; accents are dropped. */
export function foldLetters(written: string): string {
  return written
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll('þ', 'th')
    .replaceAll('ð', 'th')
    .normalize('NFD')
    .replace(/[^a-z'-]/g, '');
}

function isLetterName({ written }: Context, index: number): boolean {
  const word = written[index]!;
  if (!/^\p{L}$/u.test(word)) return false;
  return /^[^aiAI]$/.test(word) || (word === 'A' && (index > 0 || written.length === 1));
}

/** A capitalized function word gets secondary stress, one in capitals primary stress. */
function stressByCapitals(phonemes: string, word: string, written: string, allCaps: boolean): string {
  if (allCaps || written === written.toLowerCase() || /^(?:a|an|the|to|in|i)$/.test(word)) return phonemes;
  const isEmphatic = written.length > 1 && written === written.toUpperCase();
  return isEmphatic ? emphasized(phonemes) : atLeastSecondary(phonemes);
}

/** The tag of a word whose neighbours do not decide it. */
function usualTag(word: string): Tag {
  const use = usualUse(word);
  return use === undefined ? 'XX' : use === 'noun' ? 'NN' : 'VB';
}
