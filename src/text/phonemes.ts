import { american } from './american.ts';
import type { Phone } from './arpabet.ts';
import { british } from './british.ts';
import { functionWord } from './function-words.ts';
import { homograph, isHomograph } from './homographs.ts';
import { Lexicon } from './lexicon.ts';
import type { Context } from './part-of-speech.ts';
import { type Accent, isPunctuation, isVowel, PRIMARY_STRESS, SECONDARY_STRESS } from './phoneme-alphabet.ts';
import { PronouncingDictionary } from './pronouncing-dictionary.ts';
import { withS } from './word-forms.ts';

export { type Accent, isPhonemeString, unknownPhonemes } from './phoneme-alphabet.ts';

/** How many renderings are remembered, for each accent. */
const REMEMBERED = 20_000;
/** Capitals that are read letter by letter although their letters make a word. */
const SPELLED = new Set('us it ai uk eu un pc tv id er or pm am la dc pr hr os ip ad ac cd dvd ceo ii iv'.split(' '));
/** More capitals in a row are no initials. */
const LONGEST_INITIALS = 8;
const INITIALS = /^\P{L}*(?:\p{L}\.){2,}$/u;
/** Words that begin with an apostrophe. */
const CLIPPED = /(?<!\p{L})['’](?:n(?=['’]|$)|em|tis|twas|til|bout|cause|round)(?!\p{L})/iu;
const PAUSE = /[;:,.!?—…)\]]/;

/** Reads English: words to phonemes in Kokoro's alphabet. */
export class English {
  static #shared: Promise<English> | undefined;
  readonly #lexicon: Lexicon;
  readonly #rendered: Record<Accent, Map<string, string>> = { us: new Map(), gb: new Map() };

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Reads the pronouncing dictionary, once for all callers. */
  static load(): Promise<English> {
    English.#shared ??= PronouncingDictionary.load().then((dictionary) => new English(new Lexicon(dictionary)));
    return English.#shared;
  }

  /**
   * Phonemes of each word of one sentence, in context.
   * @param words spoken words: letters, apostrophes, hyphens; punctuation around them informs the context
   * @returns one entry a word, empty where nothing of it is said
   */
  pronounce(words: readonly string[], accent: Accent): string[] {
    const written = words.map((word) => core(word));
    const lower = written.map(fold);
    const pauses = words.map((word, index) => hasPause(word, written[index]!, index === words.length - 1));
    const context: Context = { words: lower, written, pauses };
    // A text in capitals throughout means nothing by them.
    const shouting = written.length > 1 && !written.some((word) => /\p{Ll}/u.test(word));
    const spoken: string[] = new Array(words.length).fill('');
    let nextVowel: boolean | undefined;
    for (let index = words.length - 1; index >= 0; index--) {
      if (pauses[index]) nextVowel = undefined;
      const phonemes = this.#word(context, index, nextVowel, shouting, accent);
      spoken[index] = phonemes;
      const first = [...phonemes].find((character) => character !== PRIMARY_STRESS && character !== SECONDARY_STRESS);
      if (first !== undefined) nextVowel = isVowel(first);
      // An opening quotation mark or bracket is no pause, but a dash before a word is.
      if (/^[—…(]/.test(words[index]!)) nextVowel = undefined;
    }
    return spoken;
  }

  /** As `pronounce`, but only of the words that are said in two ways; undefined for all others. */
  homographs(words: readonly string[], accent: Accent): (string | undefined)[] {
    const isOne = words.map((word) => isHomograph(fold(core(word))));
    if (!isOne.includes(true)) return words.map(() => undefined);
    return this.pronounce(words, accent).map((phonemes, index) => (isOne[index] ? phonemes : undefined));
  }

  /**
   * A whole text as one string in Kokoro's alphabet: words separated by blanks, punctuation kept where the model knows it.
   * Characters that are neither letters nor such marks are left out: text is normalized before it comes here.
   */
  phonemize(spoken: string, accent: Accent): string {
    let quoted = false;
    const tokens = spaced(spoken)
      .match(/[^\s—]+|—/g)
      ?.map((token) =>
        token.replace(/"/g, () => {
          quoted = !quoted;
          return quoted ? '“' : '”';
        }),
      );
    if (!tokens) return '';
    let text = '';
    for (let start = 0; start < tokens.length; ) {
      let end = start;
      while (end < tokens.length && (INITIALS.test(tokens[end]!) || !/[.!?…][”’'")\]]*$/.test(tokens[end]!))) end += 1;
      const sentence = tokens.slice(start, end + 1);
      this.pronounce(sentence, accent).forEach((phonemes, index) => {
        const token = sentence[index]!;
        const word = core(token);
        const at = word ? token.indexOf(word) : token.length;
        const last = start + index === tokens.length - 1;
        const closing = INITIALS.test(token) && !last ? '' : marks(token.slice(at + word.length));
        const piece = marks(token.slice(0, at)) + phonemes + closing;
        if (piece) text += (text === '' ? '' : ' ') + piece;
      });
      start = end + 1;
    }
    return text;
  }

  #word(context: Context, at: number, nextVowel: boolean | undefined, shouting: boolean, accent: Accent): string {
    const written = context.written[at]!;
    const word = context.words[at]!;
    if (word === '') return '';
    const initials = this.#initials(written, word, shouting);
    if (initials) return this.#spell(initials.letters, accent, initials.ending);
    if (isLetterName(written, at)) return this.#spell(word, accent);
    const place = {
      nextVowel,
      previous: context.pauses[at - 1] ? undefined : context.words[at - 1],
      next: context.words[at + 1],
    };
    const weak = functionWord(word, place, accent);
    if (weak !== undefined) return capitalized(weak, word, written, shouting);
    if (word.includes('-')) return this.#compound(context, at, shouting, accent);
    const sense = homograph(context, at, (stem) => this.#lexicon.phones(stem, accent));
    if (sense) return this.#render(sense, word, accent, true);
    const humps = this.#lexicon.has(word) ? [] : (written.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu) ?? []);
    if (humps.length > 1 && !written.includes("'")) {
      const parts = humps.map((hump) => this.#word(single(hump), 0, true, false, accent));
      return balanced(parts, humps);
    }
    return this.#render(this.#lexicon.phones(word, accent), word, accent);
  }

  /** The letters of a word that is read letter by letter, and whether an s ends it; nothing for other words. */
  #initials(written: string, word: string, shouting: boolean): { letters: string; ending: boolean } | undefined {
    if (/^(?:\p{L}\.)+\p{L}?\.?$/u.test(written)) return { letters: word, ending: false };
    const [, capitals, ending] = /^(\p{Lu}{2,})('s|s)?$/u.exec(written) ?? [];
    const letters = capitals === undefined ? word : fold(capitals);
    const sayable = /[aeiouy]/.test(letters) && (letters.length > 3 || shouting || capitals === undefined);
    const spelled = capitals !== undefined && !shouting && (SPELLED.has(letters) || this.#isInitialism(letters));
    const consonants = !sayable && letters.length <= LONGEST_INITIALS && !this.#lexicon.known(letters, 'us');
    return spelled || consonants ? { letters, ending: ending !== undefined } : undefined;
  }

  /** Whether the dictionary's own phones for the word are the names of its letters: FBI. */
  #isInitialism(letters: string): boolean {
    const symbols = (phones: readonly Phone[]) => phones.map(({ symbol }) => symbol).join(' ');
    return (
      this.#lexicon.has(letters) &&
      symbols(this.#lexicon.phones(letters, 'us')) === symbols(this.#lexicon.letterNames(letters, 'us').flat())
    );
  }

  /** Names of letters in one word, the stress on the last. */
  #spell(letters: string, accent: Accent, ending = false): string {
    const names = this.#lexicon
      .letterNames(letters, accent)
      .map((name, index, all) => this.#render(ending && index === all.length - 1 ? withS(name) : name, '', accent));
    return names
      .map((name, index) => (index < names.length - 1 ? name.replace(PRIMARY_STRESS, SECONDARY_STRESS) : name))
      .join('');
  }

  /** A word with hyphens: its parts in one, the stress on the heavier one. */
  #compound(context: Context, at: number, shouting: boolean, accent: Accent): string {
    const parts = context.written[at]!.split(/-+/).filter(Boolean);
    // Within a compound a small word keeps its weak form: state-of-the-art.
    const inside = { words: parts.map(fold), written: parts, pauses: parts.map(() => false) };
    return balanced(
      parts.map((_, index) => this.#word(inside, index, true, shouting, accent)),
      parts,
    );
  }

  /** @param fresh whether these phones are not the word's usual ones */
  #render(phones: readonly Phone[], word: string, accent: Accent, fresh = word === ''): string {
    const remembered = fresh ? undefined : this.#rendered[accent].get(word);
    if (remembered !== undefined) return remembered;
    // The spelling of hundreds of letters tells nothing about one of them, and aligning it takes time.
    const spelling = word.length > 60 || /[^a-z']/.test(word) ? '' : word;
    const phonemes = (accent === 'us' ? american : british)(phones, spelling);
    if (fresh) return phonemes;
    if (this.#rendered[accent].size >= REMEMBERED) this.#rendered[accent].clear();
    this.#rendered[accent].set(word, phonemes);
    return phonemes;
  }
}

/** One word a token: what stands between two words without a blank parts them. */
function spaced(text: string): string {
  // Looking ahead before looking back keeps a long run of marks from being walked through at each of them.
  return text
    .replace(/\.{3,}/g, '…')
    .replace(/[«»]/g, '"')
    .replace(/(?<=\s)[-–](?=\s)|--+|[–―]/g, '—')
    .replace(/(?<=[\p{L}\p{M}])[^\p{L}\p{M}\s'’.,;:!?…()—-]+(?=[\p{L}\p{M}])/gu, ' ')
    .replace(/(?=\p{L})(?<=[\p{L}\p{M}][,;:!?…)]+)|(?<=\p{L})(?=\()|(?<=\p{L}{2}\.)(?=\p{L}{2})/gu, ' ');
}

/** Whether punctuation after the word makes a pause; the last dot of initials does so at the end only. */
function hasPause(token: string, word: string, last: boolean): boolean {
  return (last || !INITIALS.test(token)) && PAUSE.test(token.slice(token.lastIndexOf(word) + word.length));
}

function single(written: string): Context {
  return { words: [fold(written)], written: [written], pauses: [false] };
}

/** The word within its punctuation; dots within initials stay. */
function core(token: string): string {
  const [clipped] = CLIPPED.exec(token) ?? [];
  if (clipped) return clipped;
  const [word = ''] = /[\p{L}\p{M}](?:[\p{L}\p{M}'’.-]*[\p{L}\p{M}])?['’]?/u.exec(token) ?? [];
  const text = word.replaceAll('’', "'");
  return /s'$/.test(text) || /in'$/.test(text) ? word : word.replace(/['’]$/, '');
}

/** Small letters a to z, apostrophes and hyphens; accents fall. */
function fold(written: string): string {
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

function isLetterName(written: string, at: number): boolean {
  if (!/^\p{L}$/u.test(written)) return false;
  return /^[^aiAI]$/.test(written) || (written === 'A' && at > 0);
}

/** A capital lends a weak word a secondary stress, emphasis in capitals the primary one. */
function capitalized(phonemes: string, word: string, written: string, shouting: boolean): string {
  if (shouting || written === written.toLowerCase() || /^(?:a|an|the|to|in|i)$/.test(word)) return phonemes;
  const emphatic = written.length > 1 && written === written.toUpperCase();
  if (emphatic) return stressed(phonemes.replaceAll(SECONDARY_STRESS, PRIMARY_STRESS), PRIMARY_STRESS);
  return stressed(phonemes, SECONDARY_STRESS);
}

function stressed(phonemes: string, mark: string): string {
  if (phonemes.includes(PRIMARY_STRESS) || phonemes.includes(SECONDARY_STRESS)) return phonemes;
  const at = [...phonemes].findIndex(isVowel);
  return at < 0 ? phonemes : phonemes.slice(0, at) + mark + phonemes.slice(at);
}

/** Joins the parts of a compound; where each has a primary stress, the lightest half of them yields. */
function balanced(parts: readonly string[], written: readonly string[]): string {
  const weight = (phonemes: string) =>
    [...phonemes].reduce((sum, character) => sum + ('AIOQWYʤʧ'.includes(character) ? 2 : 1), 0);
  const weights = parts.map((phonemes, index) => ({
    index,
    weight: weight(phonemes),
    strong: phonemes.includes(PRIMARY_STRESS),
  }));
  const yielding = new Set<number>();
  if (parts.length === 2 && written[0]!.length === 1) yielding.add(1);
  else if (weights.filter(({ strong }) => strong).length > (parts.length + 1) / 2) {
    weights.sort((a, b) => Number(a.strong) - Number(b.strong) || a.weight - b.weight);
    for (const { index } of weights.slice(0, Math.floor(parts.length / 2))) yielding.add(index);
  }
  return parts
    .map((phonemes, index) =>
      yielding.has(index)
        ? phonemes.replaceAll(SECONDARY_STRESS, '').replaceAll(PRIMARY_STRESS, SECONDARY_STRESS)
        : phonemes,
    )
    .join('');
}

function marks(text: string): string {
  return [...text].filter(isPunctuation).join('');
}
