import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HearsayError } from '../../../errors.ts';
import { type Accent, PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { editDistance } from './edit-distance.ts';
import { INFLECTIONS } from './misaki-inflection.ts';
import type { Tag } from './part-of-speech.ts';
import { atLeastSecondary, emphasized } from './stress.ts';

/** One pronunciation, or one per part of speech. `None` is the form before a pause; null means spelled. */
type Entry = string | Readonly<Record<string, string | null>>;
type Entries = Readonly<Record<string, Entry>>;

/** The context of a word, as far as its pronunciation depends on it. */
export interface WordContext {
  /** Its part of speech; called only if it matters. */
  tag: () => Tag;
  /** Whether the next sound is a vowel; undefined before a pause and at the end. */
  nextVowel: boolean | undefined;
  /** Whether the next word is `to`. */
  nextTo: boolean;
}

type Stress = 'secondary' | 'emphasis' | undefined;

const SYMBOLS: Readonly<Record<string, string>> = { '%': 'percent', '&': 'and', '+': 'plus', '@': 'at' };
/** Longer words in capitals are not spelled. */
export const MAX_INITIALS = 8;
const LETTERS = /^[A-Za-z]+$/;

/**
 * The lexicons of misaki (https://github.com/hexgrad/misaki) for one accent: gold, which is checked, and the larger
 * silver. Missing plurals, possessives, past forms and -ing forms are derived from their stems. Kokoro's training data
 * was phonemized with these words and rules.
 */
export class MisakiLexicon {
  readonly #accent: Accent;
  readonly #gold: Entries;
  readonly #silver: Entries;

  constructor(accent: Accent, gold: Entries, silver: Entries = {}) {
    this.#accent = accent;
    this.#gold = gold;
    this.#silver = silver;
  }

  /**
   * Reads `us_gold.json` and `us_silver.json`, or those of `gb`.
   * @throws HearsayError model_load_failed if a file cannot be read or is not a lexicon
   */
  static async load(directory: string, accent: Accent): Promise<MisakiLexicon> {
    const [gold, silver] = await Promise.all(
      ['gold', 'silver'].map((name) => readEntries(join(directory, `${accent}_${name}.json`))),
    );
    // Its British Z is American.
    const zed = accent === 'gb' ? gold!.zed : undefined;
    return new MisakiLexicon(accent, zed === undefined ? gold! : { ...gold, Z: zed }, silver!);
  }

  /**
   * @param written with its apostrophes and inner hyphens; capitals add stress
   * @returns undefined if the lexicons have neither the word nor its stem
   */
  pronounce(written: string, context: WordContext): string | undefined {
    const stress = written === written.toLowerCase() ? undefined : isCapitals(written) ? 'emphasis' : 'secondary';
    const phonemes = this.#special(written, stress, context) ?? this.#word(written, stress, context);
    return phonemes?.replaceAll('ɾ', 'T').replaceAll('ʔ', 't');
  }

  /** Whether the lexicons themselves have the word, in lower case or capitalized. */
  has(word: string): boolean {
    return find(this.#gold, word) !== undefined || find(this.#silver, word) !== undefined;
  }

  /**
   * The listed form of a word that is closest to a pronunciation from elsewhere; that pronunciation itself if the lexicon
   * has a single, different form; undefined for unlisted words.
   */
  closest(word: string, phonemes: string): string | undefined {
    const entry = find(this.#gold, word);
    if (entry === undefined) return undefined;
    const forms = typeof entry === 'string' ? [entry] : Object.values(entry).filter((form) => form !== null);
    const [best] = forms
      .map((form) => form.replaceAll('ɾ', 'T').replaceAll('ʔ', 't'))
      .map((form) => ({ form, distance: editDistance([...form], [...phonemes]) }))
      .sort((a, b) => a.distance - b.distance);
    return best === undefined || (forms.length === 1 && best.distance > 0) ? phonemes : best.form;
  }

  /** The names of letters as one word, the primary stress on the last. */
  spell(letters: string): string | undefined {
    let names = '';
    for (const letter of letters.replace(/[^\p{L}]/gu, '')) {
      const name = this.#gold[letter.toUpperCase()];
      if (typeof name !== 'string') return undefined;
      names += name;
    }
    names = names.replaceAll(SECONDARY_STRESS, '').replaceAll(PRIMARY_STRESS, SECONDARY_STRESS);
    const last = names.lastIndexOf(SECONDARY_STRESS);
    return last < 0 ? names : names.slice(0, last) + PRIMARY_STRESS + names.slice(last + 1);
  }

  /** Words whose pronunciation depends on more than their entry. */
  #special(word: string, stress: Stress, { tag, nextVowel, nextTo }: WordContext): string | undefined {
    const lower = word.toLowerCase();
    // A capital within the word makes it a different one.
    const isOrdinary = word === lower || word.slice(1) === lower.slice(1);
    const isName = () => tag().startsWith('NN');
    if (/^\p{L}{1,2}(?:\.\p{L}{0,2})+$/u.test(word) && /\.\p{L}/u.test(word)) return this.spell(word);
    switch (lower) {
      case 'a':
        return tag() === 'DT' ? 'ɐ' : 'ˈA';
      case 'am':
        if (isName()) return this.spell(word);
        return nextVowel === undefined || word !== 'am' ? this.#form(this.#gold.am, undefined) : 'ɐm';
      case 'an':
        return word === 'AN' && isName() ? this.spell(word) : 'ɐn';
      case 'i':
        return word === 'I' && tag() === 'PRP' ? 'ˌI' : undefined;
      case 'by':
        return tag().startsWith('RB') ? 'bˈI' : undefined;
      case 'to':
        if (!isOrdinary && isName()) return undefined;
        if (nextVowel === undefined) return this.#form(this.#gold.to, undefined);
        return nextVowel ? 'tʊ' : 'tə';
      case 'in':
        if (!isOrdinary && tag() === 'NNP') return undefined;
        return nextVowel === undefined || tag() !== 'IN' ? 'ˈɪn' : 'ɪn';
      case 'the':
        if (!isOrdinary && tag() !== 'DT') return undefined;
        return nextVowel ? 'ði' : 'ðə';
      case 'vs':
      case 'vs.':
        return this.#lookup('versus', stress, { tag, nextVowel, nextTo });
      case 'used':
        return this.#form(this.#gold.used, nextTo && /^(?:VBD|JJ)$/.test(tag()) ? 'VBD' : undefined);
    }
    return undefined;
  }

  #word(written: string, stress: Stress, context: WordContext): string | undefined {
    const lower = written.toLowerCase();
    const unlisted = written !== lower && written.length > 1 && !this.has(written);
    const oneCase = isCapitals(written) || written.slice(1) === lower.slice(1);
    let word = written;
    if (
      unlisted &&
      oneCase &&
      (written.length > 7 || context.tag() !== 'NNP') &&
      (this.has(lower) || this.#inflected(lower, stress, context) !== undefined)
    )
      word = lower;
    if (this.#isKnown(word)) return this.#lookup(word, stress, context);
    if (word.endsWith("s'") && this.#isKnown(`${word.slice(0, -2)}'s`)) {
      return this.#lookup(`${word.slice(0, -2)}'s`, stress, context);
    }
    if (word.endsWith("'") && this.#isKnown(word.slice(0, -1))) return this.#lookup(word.slice(0, -1), stress, context);
    return this.#inflected(word, stress, context);
  }

  /** Short words in capitals are known too: they are spelled. */
  #isKnown(word: string): boolean {
    if (this.has(word) || Object.hasOwn(SYMBOLS, word)) return true;
    if (!LETTERS.test(word)) return false;
    return word.length <= MAX_INITIALS && word.slice(1) === word.slice(1).toUpperCase();
  }

  #lookup(written: string, stress: Stress, context: WordContext): string | undefined {
    const inCapitals = isCapitals(written) && find(this.#gold, written) === undefined;
    const word = Object.hasOwn(SYMBOLS, written) ? SYMBOLS[written]! : inCapitals ? written.toLowerCase() : written;
    const isName = inCapitals && context.tag() === 'NNP';
    const entry = find(this.#gold, word) ?? (isName ? undefined : find(this.#silver, word));
    let phonemes: string | undefined;
    if (typeof entry === 'object') {
      const beforePause = context.nextVowel === undefined && entry.None !== undefined;
      const key = beforePause ? 'None' : Object.hasOwn(entry, 'None') ? undefined : sense(entry, context.tag());
      phonemes = this.#form(entry, key);
    } else phonemes = entry;
    if (phonemes === undefined || (isName && !phonemes.includes(PRIMARY_STRESS))) {
      const names = this.spell(word);
      if (names !== undefined || phonemes === undefined) return names;
    }
    if (stress === undefined) return phonemes;
    return stress === 'secondary' ? atLeastSecondary(phonemes) : emphasized(phonemes);
  }

  /** The form of an entry for a key; the usual one if there is none. */
  #form(entry: Entry | undefined, key: string | undefined): string | undefined {
    if (entry === undefined || typeof entry === 'string') return entry;
    const form = key !== undefined && Object.hasOwn(entry, key) ? entry[key] : entry.DEFAULT;
    return form ?? undefined;
  }

  #inflected(word: string, stress: Stress, context: WordContext): string | undefined {
    for (const { stemOf, add, stressesStem } of INFLECTIONS) {
      const stem = stemOf(word, (candidate) => this.#isKnown(candidate));
      const stemStress = stressesStem ? (stress ?? 'secondary') : stress;
      const phonemes = stem === undefined ? undefined : this.#lookup(stem, stemStress, context);
      const inflected = phonemes ? add(phonemes, this.#accent) : undefined;
      if (inflected !== undefined) return inflected;
    }
    return undefined;
  }
}

/** The entry of a word as written, else with its first letter in the other case. */
function find(entries: Entries, word: string): Entry | undefined {
  if (Object.hasOwn(entries, word)) return entries[word];
  const lower = word.toLowerCase();
  if (word.length < 2) return undefined;
  const capitalized = lower[0]!.toUpperCase() + lower.slice(1);
  const other = word === lower ? capitalized : word === capitalized ? lower : undefined;
  return other !== undefined && Object.hasOwn(entries, other) ? entries[other] : undefined;
}

function sense(entry: Readonly<Record<string, string | null>>, tag: Tag): string {
  if (Object.hasOwn(entry, tag)) return tag;
  if (tag.startsWith('VB')) return 'VERB';
  if (tag.startsWith('NN')) {
    // The tagger takes these adjectives for nouns: an elaborate plan.
    const isAdjective = !Object.hasOwn(entry, 'NOUN') && Object.hasOwn(entry, 'ADJ') && entry.DEFAULT?.endsWith('At');
    return isAdjective ? 'ADJ' : 'NOUN';
  }
  if (tag.startsWith('RB')) return 'ADV';
  return tag.startsWith('JJ') ? 'ADJ' : tag;
}

function isCapitals(word: string): boolean {
  return word === word.toUpperCase();
}

async function readEntries(path: string): Promise<Entries> {
  let entries: unknown;
  try {
    entries = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new HearsayError('model_load_failed', `The lexicon ${basename(path)} cannot be read.`, { cause: error });
  }
  if (!isObject(entries) || Object.values(entries).some((entry) => !isEntry(entry))) {
    throw new HearsayError('model_load_failed', `${basename(path)} is not a pronunciation lexicon.`);
  }
  return entries as Entries;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEntry(entry: unknown): boolean {
  if (typeof entry === 'string') return true;
  if (!isObject(entry) || !('DEFAULT' in entry)) return false;
  return Object.values(entry).every((form) => form === null || typeof form === 'string');
}
