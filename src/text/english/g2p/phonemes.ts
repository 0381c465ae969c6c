import { type Accent, isPunctuation } from '../../phoneme-alphabet.ts';
import { englishPhonemes } from '../../phoneme-input.ts';
import type { SpokenToken } from '../../types.ts';
import type { UserLexicon } from '../../user-lexicon.ts';
import { startsWithVowel } from './function-words.ts';
import { isHomograph } from './homographs.ts';
import { Lexicon, PronouncingDictionary } from './lexicon.ts';
import { MisakiLexicon } from './misaki-lexicon.ts';
import type { Context } from './word-classes.ts';
import { foldLetters, type SayUnknown, WordPronouncer } from './word-pronouncer.ts';

export type { Accent } from '../../phoneme-alphabet.ts';
export type { SayUnknown } from './word-pronouncer.ts';

const INITIALS = /^\P{L}*(?:\p{L}\.){2,}$/u;
/** Words that begin with an apostrophe. */
const CLIPPED =
  /(?<!\p{L})['’](?:n(?=['’]|$)|em|tis|twas|twere|twill|twould|til|bout|cause|round|gainst|mongst|neath|pon|tween|un)(?!\p{L})/iu;
const PAUSE = /[;:,.!?—…]/;

export interface EnglishOptions {
  /** Directory with misaki's lexicons; the pronouncing dictionary alone if absent. */
  lexicons?: string | undefined;
  /** Pronounces words that lexicons and rules do not know; letter-to-sound rules if absent. */
  sayUnknown?: SayUnknown;
}

/** English words to phonemes in Kokoro's alphabet. */
export class English {
  static #shared: Promise<English> | undefined;
  readonly #words: WordPronouncer;

  constructor(lexicon: Lexicon, misaki: Partial<Record<Accent, MisakiLexicon>> = {}, sayUnknown?: SayUnknown) {
    this.#words = new WordPronouncer(lexicon, misaki, sayUnknown);
  }

  /**
   * Reads the pronouncing dictionary and, if their directory is given, misaki's lexicons. Without options all callers
   * share one instance.
   * @throws HearsayError model_load_failed if a lexicon cannot be read
   */
  static async load({ lexicons, sayUnknown }: EnglishOptions = {}): Promise<English> {
    if (lexicons === undefined) {
      if (sayUnknown) return new English(new Lexicon(await PronouncingDictionary.load()), {}, sayUnknown);
      English.#shared ??= PronouncingDictionary.load().then((dictionary) => new English(new Lexicon(dictionary)));
      return English.#shared;
    }
    const [dictionary, us, gb] = await Promise.all([
      PronouncingDictionary.load(),
      MisakiLexicon.load(lexicons, 'us'),
      MisakiLexicon.load(lexicons, 'gb'),
    ]);
    return new English(new Lexicon(dictionary), { us, gb }, sayUnknown);
  }

  /**
   * Phonemes of each word of one sentence, in context.
   * @param words spoken words: letters, apostrophes, hyphens, and the punctuation around them
   * @returns one entry per word, empty if it has no sound
   */
  pronounce(words: readonly string[], accent: Accent, entries?: UserLexicon): string[] {
    const spoken = words.map((text) => ({ text, token: 0, joined: false }));
    return this.#pronounce(spoken, accent, entries);
  }

  /** Like `pronounce`, but only for homographs; undefined for all other words. */
  homographs(words: readonly string[], accent: Accent): (string | undefined)[] {
    const isOne = words.map((word) => isHomograph(foldLetters(withoutPunctuation(word))));
    if (!isOne.includes(true)) return words.map(() => undefined);
    return this.pronounce(words, accent).map((phonemes, index) => (isOne[index] ? phonemes : undefined));
  }

  /**
   * The tokens of a normalized sentence, one string each with the space before it: joined they are the sentence in
   * Kokoro's alphabet, with the punctuation that the model knows. A token of other characters only gives an empty string.
   * @param entries pronunciations that override all others
   */
  phonemes(tokens: readonly SpokenToken[], accent: Accent, entries?: UserLexicon): string[] {
    const phonemes: string[] = new Array(tokens.length).fill('');
    const words = spokenWords(tokens, entries);
    this.#sentence(words, accent, entries).forEach((text, index) => {
      phonemes[words[index]!.token] += text;
    });
    const first = phonemes.findIndex((text) => text !== '');
    if (first >= 0) phonemes[first] = phonemes[first]!.trimStart();
    return phonemes;
  }

  /** Each word with its punctuation and the space before it; empty if nothing is left of it. */
  #sentence(words: readonly SpokenWord[], accent: Accent, entries: UserLexicon | undefined): string[] {
    const phonemes = this.#pronounce(words, accent, entries);
    return words.map(({ text, ipa, joined }, index) => {
      const word = ipa === undefined ? withoutPunctuation(text) : text;
      const start = word ? text.indexOf(word) : text.length;
      const isLast = index === words.length - 1;
      const closing = INITIALS.test(text) && !isLast ? '' : punctuationOf(text.slice(start + word.length));
      const punctuated = punctuationOf(text.slice(0, start)) + phonemes[index] + closing;
      return punctuated && !joined ? ` ${punctuated}` : punctuated;
    });
  }

  #pronounce(words: readonly SpokenWord[], accent: Accent, entries: UserLexicon | undefined): string[] {
    const phonemes: string[] = words.map(({ ipa }) => ipa ?? '');
    const bare = words.map(({ text, ipa }) => (ipa === undefined ? withoutPunctuation(text) : text));
    // Punctuation between words is not a word, but it makes pauses.
    const indices = words.map((_, index) => index).filter((index) => bare[index] !== '');
    const pauses = indices.map((index, position) => pauseFollows(words, bare, index, indices[position + 1]));
    const written = indices.map((index) => bare[index]!);
    const context: Context = { words: written.map(foldLetters), written, pauses };
    const allCaps = written.length > 1 && !written.some((word) => /\p{Ll}/u.test(word));
    let nextVowel: boolean | undefined;
    for (let index = indices.length - 1; index >= 0; index--) {
      const target = indices[index]!;
      if (pauses[index]) nextVowel = undefined;
      if (words[target]!.ipa === undefined) {
        const listed = entries?.pronounce(written[index]!.replaceAll('’', "'"));
        phonemes[target] =
          (listed && englishPhonemes(listed)) ?? this.#words.pronounce({ context, index, nextVowel, allCaps, accent });
      }
      nextVowel = startsWithVowel(phonemes[target]!) ?? nextVowel;
    }
    return phonemes;
  }
}

/**
 * Whether punctuation between a word and the next makes a pause. The last dot of initials does so only at the end.
 * @param bare the words without punctuation
 * @param next index of the next word with letters
 */
function pauseFollows(
  words: readonly SpokenWord[],
  bare: readonly string[],
  index: number,
  next = words.length,
): boolean {
  const punctuation = words.slice(index + 1, next).some(({ text }) => PAUSE.test(text));
  const nextText = words[next]?.text ?? '';
  const opening = nextText.slice(0, nextText.indexOf(bare[next] ?? ''));
  if (punctuation || PAUSE.test(opening)) return true;
  const { text } = words[index]!;
  const isLast = next === words.length;
  const closing = text.slice(text.lastIndexOf(bare[index]!) + bare[index]!.length);
  return (isLast || !INITIALS.test(text)) && PAUSE.test(closing);
}

/** The word within its punctuation; dots within initials stay. */
function withoutPunctuation(text: string): string {
  const [clipped] = CLIPPED.exec(text) ?? [];
  if (clipped) return clipped;
  const [word = ''] = /[\p{L}\p{M}](?:[\p{L}\p{M}'’.-]*[\p{L}\p{M}])?['’]?/u.exec(text) ?? [];
  const straight = word.replaceAll('’', "'");
  return /s'$/.test(straight) || /in'$/.test(straight) ? word : word.replace(/['’]$/, '');
}

function punctuationOf(text: string): string {
  return [...text].filter(isPunctuation).join('');
}

/** A word to pronounce with the punctuation around it, or punctuation by itself. */
export interface SpokenWord {
  text: string;
  /** A given pronunciation, which overrides the text's own. */
  ipa?: string;
  /** Index of its token. */
  token: number;
  /** Whether no space precedes it. */
  joined: boolean;
}

/** The letter's name, in both accents. */
const LETTER_A = 'ˈA';
const CLOSING = /^[;:,.!?…”)]+$/;
/** Words with an initial apostrophe, which normalization takes for a quotation mark. */
const CLIPPED_START =
  /^[^\p{L}]*['’‘](em|tis|twas|twere|twill|twould|til|bout|cause|round|gainst|mongst|neath|pon|tween|un)(?!\p{L})/iu;
const MARKS = /^[\s"“”'‘’()[\].,;:!?…—-]+|[\s"“”'‘’()[\].,;:!?…—-]+$/gu;
const EDGES = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * The words of normalized tokens. Normalization separates the letters of acronyms and drops the hyphens of compounds;
 * this restores them, because stress depends on them.
 */
export function spokenWords(tokens: readonly SpokenToken[], entries?: UserLexicon): SpokenWord[] {
  const words: SpokenWord[] = [];
  // In mixed case, a word in capitals is emphasized.
  const mixedCase = tokens.some(({ written }) => /\p{Ll}/u.test(written));
  for (const [token, { written, spoken, ipa }] of tokens.entries()) {
    const listed = entries && ipa === undefined ? listedWords(written, spoken, entries) : undefined;
    if (ipa !== undefined) words.push({ text: spoken, ipa, token, joined: false });
    else if (listed) words.push(...listed.map((word) => ({ ...word, token })));
    else {
      for (const word of splitWords(asWritten(written, spoken, mixedCase))) {
        // The letter of A4 and A/B: normalization writes the article in lower case.
        words.push({ ...word, token, ...(word.text === 'A' && written !== spoken && { ipa: LETTER_A }) });
      }
    }
  }
  let isQuoted = false;
  let previous: SpokenWord | undefined;
  for (const word of words) {
    word.text = word.text.replace(/"/g, () => {
      isQuoted = !isQuoted;
      return isQuoted ? '“' : '”';
    });
    const afterDash = previous?.joined === true && previous.text === '—' && previous.token !== word.token;
    if (afterDash || (CLOSING.test(word.text) && previous !== undefined)) word.joined = true;
    previous = word;
  }
  return words;
}

/** Splits text into words, at whitespace and at punctuation between letters. */
function splitWords(text: string): { text: string; joined: boolean }[] {
  // Looking ahead before looking back keeps long runs of punctuation linear.
  const spaced = text
    .replace(/\.{3,}/g, '…')
    .replace(/[«»]/g, '"')
    .replace(/(?<=\s)[-–](?=\s)|--+|[–―]/g, '—')
    .replace(/(?<=[\p{L}\p{M}])[^\p{L}\p{M}\s'’.,;:!?…()—-]+(?=[\p{L}\p{M}])/gu, ' ')
    .replace(/(?=\p{L})(?<=[\p{L}\p{M}][,;:!?…)]+)|(?<=\p{L})(?=\()|(?<=\p{L}{2}\.)(?=\p{L}{2})/gu, ' ');
  let end = -1;
  return [...spaced.matchAll(/[^\s—]+|—/g)].map(({ 0: word, index }) => {
    const joined = index === end;
    end = index + word.length;
    return { text: word, joined };
  });
}

/** The user's entry for a token as written, without the punctuation around it. */
export function listedAsWritten(written: string, entries: UserLexicon): { text: string; ipa: string } | undefined {
  const text = written.replace(MARKS, '');
  const ipa = text && entries.pronounce(text);
  return ipa ? { text, ipa: englishPhonemes(ipa) } : undefined;
}

/** The word of a token with a user's entry, and the punctuation around it. */
function listedWords(written: string, spoken: string, entries: UserLexicon): Omit<SpokenWord, 'token'>[] | undefined {
  const listed = listedAsWritten(written, entries);
  if (!listed) return undefined;
  const { text, ipa } = listed;
  const [opening] = /^[^\p{L}\p{N}]*/u.exec(spoken)!;
  const closing = opening === spoken ? '' : /[^\p{L}\p{N}]*$/u.exec(spoken)![0];
  return [
    { text: opening, joined: false },
    { text, ipa, joined: opening !== '' },
    { text: closing, joined: true },
  ].filter((word) => word.text !== '');
}

function asWritten(written: string, spoken: string, mixedCase: boolean): string {
  if (/\d/.test(written)) return initials(spoken.replace(/(?<=\p{L})-(?=\p{L})/gu, ' '));
  const word = written.replace(EDGES, '');
  const spokenWord = spoken.replace(EDGES, '');
  if (spokenWord !== word && /^[\p{L}\p{M}'’-]+$/u.test(word)) {
    const isSame = flat(word) === flat(spokenWord);
    const isCompound = /[\s-]/.test(spokenWord) && (word.includes('-') || /\p{Ll}\p{Lu}/u.test(word));
    const isSpelled = /(?<!\p{L})\p{L} \p{L}(?!\p{L})/u.test(spokenWord);
    const isEmphatic = mixedCase && word.length > 2 && word === word.toUpperCase() && spokenWord === word.toLowerCase();
    if (isSame && ((isCompound && !isSpelled) || isEmphatic)) return spoken.replace(spokenWord, () => word);
  }
  const [, clipped] = CLIPPED_START.exec(written) ?? [];
  if (clipped !== undefined)
    return spoken.replace(new RegExp(`(?<![\\p{L}'’])${clipped}(?!\\p{L})`, 'u'), `'${clipped}`);
  return initials(spoken);
}

/** Lower case without whitespace and hyphens. */
function flat(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '').replaceAll('’', "'");
}

/** `F B I's` → `F.B.I's` */
function initials(spoken: string): string {
  return spoken.replace(/(?<!\p{L})(?:\p{Lu} )+\p{Lu}(?!\p{L})/gu, (letters) => letters.replaceAll(' ', '.'));
}
