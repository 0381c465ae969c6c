import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HearsayError } from '../../../errors.ts';
import { type Accent, PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import type { Tag } from './part-of-speech.ts';
import { atLeastSecondary, emphasized } from './stress.ts';

/** One way to say a word, or one for each part of speech; `None` is the form before a pause, null: letter by letter. */
type Entry = string | Readonly<Record<string, string | null>>;
type Entries = Readonly<Record<string, Entry>>;

/** Where a word stands, as far as its pronunciation depends on it. */
export interface WordPlace {
  /** Its part of speech; asked for only where it matters. */
  tag: () => Tag;
  /** Whether the next sound is a vowel; undefined before a pause and at the end. */
  nextVowel: boolean | undefined;
  /** Whether the next word is `to`. */
  nextTo: boolean;
}

type Stress = 'secondary' | 'emphasis' | undefined;

const SYMBOLS: Readonly<Record<string, string>> = { '%': 'percent', '&': 'and', '+': 'plus', '@': 'at' };
/** More capitals in a row are no initials. */
export const LONGEST_INITIALS = 8;
const LETTERS = /^[A-Za-z]+$/;
const FLAP_AFTER = new Set('AIOWYiuæɑəɛɪɹʊʌ');

/**
 * The lexicons that misaki ships (https://github.com/hexgrad/misaki), of one accent: a checked one and a larger, unchecked
 * one. Words that they lack are said by their stems: plurals, possessives, past forms and -ing. What Kokoro heard in its
 * training came from these words and these rules.
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
   * @throws HearsayError model_load_failed where a file cannot be read or is no lexicon
   */
  static async load(folder: string, accent: Accent): Promise<MisakiLexicon> {
    const [gold, silver] = await Promise.all(
      ['gold', 'silver'].map((name) => readEntries(join(folder, `${accent}_${name}.json`))),
    );
    return new MisakiLexicon(accent, gold!, silver!);
  }

  /**
   * A word, with its apostrophes and inner hyphens, as written: capitals add stress. Undefined where neither the lexicons
   * nor the stem have it.
   */
  pronounce(written: string, place: WordPlace): string | undefined {
    const stress = written === written.toLowerCase() ? undefined : isCapitals(written) ? 'emphasis' : 'secondary';
    const phonemes = this.#special(written, stress, place) ?? this.#word(written, stress, place);
    return phonemes?.replaceAll('ɾ', 'T').replaceAll('ʔ', 't');
  }

  /** Whether the lexicons themselves have the word, in small letters or with a capital. */
  has(word: string): boolean {
    return find(this.#gold, word) !== undefined || find(this.#silver, word) !== undefined;
  }

  /**
   * The form of a word that sounds most like a pronunciation from elsewhere; that one itself where the lexicon has only
   * one form, and another one.
   */
  closest(word: string, phonemes: string): string | undefined {
    const entry = find(this.#gold, word);
    if (entry === undefined) return undefined;
    const forms = typeof entry === 'string' ? [entry] : Object.values(entry).filter((form) => form !== null);
    const [best] = forms
      .map((form) => form.replaceAll('ɾ', 'T').replaceAll('ʔ', 't'))
      .map((form) => ({ form, distance: distance(form, phonemes) }))
      .sort((a, b) => a.distance - b.distance);
    return best === undefined || (forms.length === 1 && best.distance > 0) ? phonemes : best.form;
  }

  /** Names of the letters in one word, the primary stress on the last. */
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

  /** Words that sound otherwise than their entry where the next word asks for it. */
  #special(word: string, stress: Stress, { tag, nextVowel, nextTo }: WordPlace): string | undefined {
    const lower = word.toLowerCase();
    // A capital within the word makes it another one.
    const ordinary = word === lower || word.slice(1) === lower.slice(1);
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
        if (!ordinary && isName()) return undefined;
        if (nextVowel === undefined) return this.#form(this.#gold.to, undefined);
        return nextVowel ? 'tʊ' : 'tə';
      case 'in':
        if (!ordinary && tag() === 'NNP') return undefined;
        return nextVowel === undefined || tag() !== 'IN' ? 'ˈɪn' : 'ɪn';
      case 'the':
        if (!ordinary && tag() !== 'DT') return undefined;
        return nextVowel ? 'ði' : 'ðə';
      case 'vs':
      case 'vs.':
        return this.#lookup('versus', stress, { tag, nextVowel, nextTo });
      case 'used':
        return this.#form(this.#gold.used, nextTo && /^(?:VBD|JJ)$/.test(tag()) ? 'VBD' : undefined);
    }
    return undefined;
  }

  #word(written: string, stress: Stress, place: WordPlace): string | undefined {
    const lower = written.toLowerCase();
    const unlisted = written !== lower && written.length > 1 && !this.has(written);
    const oneCase = isCapitals(written) || written.slice(1) === lower.slice(1);
    let word = written;
    if (
      unlisted &&
      oneCase &&
      (written.length > 7 || place.tag() !== 'NNP') &&
      (this.has(lower) || this.#inflected(lower, stress, place) !== undefined)
    )
      word = lower;
    if (this.#isKnown(word)) return this.#lookup(word, stress, place);
    if (word.endsWith("s'") && this.#isKnown(`${word.slice(0, -2)}'s`)) {
      return this.#lookup(`${word.slice(0, -2)}'s`, stress, place);
    }
    if (word.endsWith("'") && this.#isKnown(word.slice(0, -1))) return this.#lookup(word.slice(0, -1), stress, place);
    return this.#inflected(word, stress, place);
  }

  /** Capitals that nothing else explains are known too: they are spelled. */
  #isKnown(word: string): boolean {
    if (this.has(word) || Object.hasOwn(SYMBOLS, word)) return true;
    if (!LETTERS.test(word)) return false;
    return word.length <= LONGEST_INITIALS && word.slice(1) === word.slice(1).toUpperCase();
  }

  #lookup(written: string, stress: Stress, place: WordPlace): string | undefined {
    const inCapitals = isCapitals(written) && find(this.#gold, written) === undefined;
    const word = Object.hasOwn(SYMBOLS, written) ? SYMBOLS[written]! : inCapitals ? written.toLowerCase() : written;
    const isName = inCapitals && place.tag() === 'NNP';
    const entry = find(this.#gold, word) ?? (isName ? undefined : find(this.#silver, word));
    let phonemes: string | undefined;
    if (typeof entry === 'object') {
      const beforePause = place.nextVowel === undefined && entry.None !== undefined;
      const key = beforePause ? 'None' : Object.hasOwn(entry, 'None') ? undefined : sense(entry, place.tag());
      phonemes = this.#form(entry, key);
    } else phonemes = entry;
    if (phonemes === undefined || (isName && !phonemes.includes(PRIMARY_STRESS))) {
      const names = this.spell(word);
      if (names !== undefined || phonemes === undefined) return names;
    }
    if (stress === undefined) return phonemes;
    return stress === 'secondary' ? atLeastSecondary(phonemes) : emphasized(phonemes);
  }

  /** The form of a word that has several; the usual one where there is none for `key`. */
  #form(entry: Entry | undefined, key: string | undefined): string | undefined {
    if (entry === undefined || typeof entry === 'string') return entry;
    const form = key !== undefined && Object.hasOwn(entry, key) ? entry[key] : entry.DEFAULT;
    return form ?? undefined;
  }

  #inflected(word: string, stress: Stress, place: WordPlace): string | undefined {
    return (
      this.#map(this.#stemOfS(word), stress, place, (stem) => this.#withS(stem)) ??
      this.#map(this.#stemOfEd(word), stress, place, (stem) => this.#withEd(stem)) ??
      this.#map(this.#stemOfIng(word), stress ?? 'secondary', place, (stem) => this.#withIng(stem))
    );
  }

  #map(
    stem: string | undefined,
    stress: Stress,
    place: WordPlace,
    change: (phonemes: string) => string | undefined,
  ): string | undefined {
    const phonemes = stem === undefined ? undefined : this.#lookup(stem, stress, place);
    return phonemes ? change(phonemes) : undefined;
  }

  #stemOfS(word: string): string | undefined {
    if (word.length < 3 || !word.endsWith('s')) return undefined;
    const known = (stem: string) => (this.#isKnown(stem) ? stem : undefined);
    const syllable = word.length > 4 && word.endsWith('es') && !word.endsWith('ies');
    return (
      (word.endsWith('ss') ? undefined : known(word.slice(0, -1))) ??
      (word.endsWith("'s") || syllable ? known(word.slice(0, -2)) : undefined) ??
      (word.length > 4 && word.endsWith('ies') ? known(`${word.slice(0, -3)}y`) : undefined)
    );
  }

  #stemOfEd(word: string): string | undefined {
    if (word.length < 4 || !word.endsWith('d')) return undefined;
    if (!word.endsWith('dd') && this.#isKnown(word.slice(0, -1))) return word.slice(0, -1);
    const full = word.length > 4 && word.endsWith('ed') && !word.endsWith('eed');
    return full && this.#isKnown(word.slice(0, -2)) ? word.slice(0, -2) : undefined;
  }

  #stemOfIng(word: string): string | undefined {
    if (word.length < 5 || !word.endsWith('ing')) return undefined;
    const stem = word.slice(0, -3);
    if (word.length > 5 && this.#isKnown(stem)) return stem;
    if (this.#isKnown(`${stem}e`)) return `${stem}e`;
    const doubled = word.length > 5 && (/([bcdgklmnprstvxz])\1$/.test(stem) || stem.endsWith('ck'));
    return doubled && this.#isKnown(stem.slice(0, -1)) ? stem.slice(0, -1) : undefined;
  }

  #withS(stem: string): string {
    const last = stem.at(-1)!;
    if ('ptkfθ'.includes(last)) return `${stem}s`;
    return 'szʃʒʧʤ'.includes(last) ? `${stem}${this.#accent === 'gb' ? 'ɪ' : 'ᵻ'}z` : `${stem}z`;
  }

  #withEd(stem: string): string {
    const last = stem.at(-1)!;
    if ('pkfθʃsʧ'.includes(last)) return `${stem}t`;
    if (last === 'd') return `${stem}${this.#accent === 'gb' ? 'ɪ' : 'ᵻ'}d`;
    if (last !== 't') return `${stem}d`;
    if (this.#accent === 'gb' || stem.length < 2) return `${stem}ɪd`;
    return this.#flapped(stem, 'ᵻd');
  }

  #withIng(stem: string): string | undefined {
    if (this.#accent === 'us') return this.#flapped(stem, 'ɪŋ');
    // An r would join the two, and the stem does not tell whether it has one.
    return /[əː]$/.test(stem) ? undefined : `${stem}ɪŋ`;
  }

  #flapped(stem: string, ending: string): string {
    return stem.endsWith('t') && FLAP_AFTER.has(stem.at(-2) ?? '') ? `${stem.slice(0, -1)}ɾ${ending}` : stem + ending;
  }
}

/** An entry under the word as it stands, or with its capital changed. */
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
    // What looks like a noun here is an adjective: an elaborate plan.
    const verb = !Object.hasOwn(entry, 'NOUN') && Object.hasOwn(entry, 'ADJ') && entry.DEFAULT?.endsWith('At');
    return verb ? 'ADJ' : 'NOUN';
  }
  if (tag.startsWith('RB')) return 'ADV';
  return tag.startsWith('JJ') ? 'ADJ' : tag;
}

/** Edit distance in characters. */
function distance(a: string, b: string): number {
  let row = [...b].map((_, index) => index + 1);
  [...a].forEach((x, i) => {
    let diagonal = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, diagonal + (x === b[j] ? 0 : 1));
      diagonal = above;
      return left;
    });
  });
  return row.at(-1) ?? a.length;
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
    throw new HearsayError('model_load_failed', `${basename(path)} is no pronunciation lexicon.`);
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
