import { type Accent, isPunctuation, PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import type { SpokenToken } from '../../types.ts';
import type { UserLexicon } from '../../user-lexicon.ts';
import { american } from './american.ts';
import type { Phone } from './arpabet.ts';
import { british } from './british.ts';
import { functionWord } from './function-words.ts';
import { prefersRules, homograph, isHomograph } from './homographs.ts';
import { Lexicon } from './lexicon.ts';
import { sayParts, startsWithVowel } from './misaki-compounds.ts';
import { LONGEST_INITIALS, MisakiLexicon } from './misaki-lexicon.ts';
import { withS } from './morphology.ts';
import { type Context, isPointing, type Tag, tagOf } from './part-of-speech.ts';
import { PronouncingDictionary } from './pronouncing-dictionary.ts';
import { type SpokenWord, split, spokenWords } from './spoken-words.ts';
import { atLeastSecondary, balanced, emphasized } from './stress.ts';

export type { Accent } from '../../phoneme-alphabet.ts';

/** How many renderings are remembered, for each accent. */
const REMEMBERED = 20_000;
/** Capitals that are read letter by letter although their letters make a word. */
const SPELLED = new Set('us it ai uk eu un pc tv id er or pm am la dc pr hr os ip ad ac cd dvd ceo ii iv'.split(' '));
const INITIALS = /^\P{L}*(?:\p{L}\.){2,}$/u;
/** Words that begin with an apostrophe. */
const CLIPPED =
  /(?<!\p{L})['’](?:n(?=['’]|$)|em|tis|twas|twere|twill|twould|til|bout|cause|round|gainst|mongst|neath|pon|tween|un)(?!\p{L})/iu;
/** Spellings of normalization that misaki lists otherwise. */
const ALIASES = new Map([
  ['missus', 'Mrs.'],
  ['missis', 'Mrs.'],
]);
const PAUSE = /[;:,.!?—…]/;

export interface EnglishOptions {
  /** Folder with misaki's lexicons; where it is not given, the pronouncing dictionary stands in for them. */
  lexicons?: string | undefined;
  /** Says a word that lexicons and rules do not know; without it the letters are sounded out. */
  sayUnknown?: SayUnknown;
}

/** An English word in Kokoro's alphabet; empty where it says nothing. */
export type SayUnknown = (word: string, accent: Accent) => string;

/** Reads English: words to phonemes in Kokoro's alphabet. */
export class English {
  static #shared: Promise<English> | undefined;
  readonly #lexicon: Lexicon;
  readonly #misaki: Partial<Record<Accent, MisakiLexicon>>;
  readonly #sayUnknown: SayUnknown | undefined;
  readonly #rendered: Record<Accent, Map<string, string>> = { us: new Map(), gb: new Map() };

  constructor(lexicon: Lexicon, misaki: Partial<Record<Accent, MisakiLexicon>> = {}, sayUnknown?: SayUnknown) {
    this.#lexicon = lexicon;
    this.#misaki = misaki;
    this.#sayUnknown = sayUnknown;
  }

  /**
   * Reads the pronouncing dictionary, once for all callers, and the lexicons where their folder is given.
   * @throws HearsayError model_load_failed where a lexicon cannot be read
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
   * @param words spoken words: letters, apostrophes, hyphens; punctuation around them informs the context
   * @returns one entry a word, empty where nothing of it is said
   */
  pronounce(words: readonly string[], accent: Accent, entries?: UserLexicon): string[] {
    const spoken = words.map((text) => ({ text, token: 0, joined: false }));
    return this.#pronounce(spoken, accent, entries);
  }

  /** As `pronounce`, but only of the words that are said in two ways; undefined for all others. */
  homographs(words: readonly string[], accent: Accent): (string | undefined)[] {
    const isOne = words.map((word) => isHomograph(fold(core(word))));
    if (!isOne.includes(true)) return words.map(() => undefined);
    return this.pronounce(words, accent).map((phonemes, index) => (isOne[index] ? phonemes : undefined));
  }

  /**
   * The tokens of a normalized sentence, one string each with the blank before it: put together they are the sentence in
   * Kokoro's alphabet, punctuation kept where the model knows it. Characters that are neither letters nor such marks are
   * left out, and so a token may come out empty.
   * @param entries pronunciations that go before all others
   */
  phonemes(tokens: readonly SpokenToken[], accent: Accent, entries?: UserLexicon): string[] {
    const text: string[] = new Array(tokens.length).fill('');
    const words = spokenWords(tokens, entries);
    const pieces = this.#sentence(words, accent, entries, true);
    pieces.forEach((piece, index) => {
      text[words[index]!.token] += piece;
    });
    const first = text.findIndex((piece) => piece !== '');
    if (first >= 0) text[first] = text[first]!.trimStart();
    return text;
  }

  /** The same for a whole text that was normalized before. */
  phonemize(spoken: string, accent: Accent, entries?: UserLexicon): string {
    const words = spokenWords(split(spoken).map(({ text }) => ({ written: text, spoken: text })));
    split(spoken).forEach(({ joined }, index) => {
      words[index]!.joined ||= joined;
    });
    let text = '';
    for (let start = 0; start < words.length; ) {
      let end = start;
      while (end < words.length && !endsSentence(words[end]!.text)) end += 1;
      text += this.#sentence(words.slice(start, end + 1), accent, entries, end >= words.length - 1).join('');
      start = end + 1;
    }
    return text.trimStart();
  }

  /** Each word with its punctuation and the blank before it; empty where nothing is left of it. */
  #sentence(words: readonly SpokenWord[], accent: Accent, entries: UserLexicon | undefined, last: boolean): string[] {
    const phonemes = this.#pronounce(words, accent, entries);
    return words.map(({ text, ipa, joined }, index) => {
      const word = ipa === undefined ? core(text) : text;
      const at = word ? text.indexOf(word) : text.length;
      const isLast = last && index === words.length - 1;
      const closing = INITIALS.test(text) && !isLast ? '' : marks(text.slice(at + word.length));
      const piece = marks(text.slice(0, at)) + phonemes[index] + closing;
      return piece && !joined ? ` ${piece}` : piece;
    });
  }

  #pronounce(words: readonly SpokenWord[], accent: Accent, entries: UserLexicon | undefined): string[] {
    const spoken: string[] = words.map(({ ipa }) => ipa ?? '');
    const cores = words.map(({ text, ipa }) => (ipa === undefined ? core(text) : text));
    // Marks by themselves are no words, but they make pauses.
    const said = words.map((_, index) => index).filter((index) => cores[index] !== '');
    const pauses = said.map((index, at) => {
      const end = said[at + 1] ?? words.length;
      const marksAlone = words.slice(index + 1, end).some(({ text }) => PAUSE.test(text));
      const opening = words[end] === undefined ? '' : words[end].text.slice(0, words[end].text.indexOf(cores[end]!));
      return marksAlone || PAUSE.test(opening) || hasPause(words[index]!.text, cores[index]!, end === words.length);
    });
    const written = said.map((index) => cores[index]!);
    const context: Context = { words: written.map(fold), written, pauses };
    // A text in capitals throughout means nothing by them.
    const shouting = written.length > 1 && !written.some((word) => /\p{Ll}/u.test(word));
    let nextVowel: boolean | undefined;
    for (let at = said.length - 1; at >= 0; at--) {
      const index = said[at]!;
      if (pauses[at]) nextVowel = undefined;
      if (words[index]!.ipa === undefined) {
        spoken[index] = this.#given(written[at]!, entries) ?? this.#word(context, at, nextVowel, shouting, accent);
      }
      nextVowel = startsWithVowel(spoken[index]!) ?? nextVowel;
    }
    return spoken;
  }

  /** What the user says of a word: as it is written, else in small letters. */
  #given(written: string, entries: UserLexicon | undefined): string | undefined {
    return entries?.pronounce(written.replaceAll('’', "'"));
  }

  #word(context: Context, at: number, nextVowel: boolean | undefined, shouting: boolean, accent: Accent): string {
    const written = context.written[at]!;
    const word = context.words[at]!;
    if (word === '') return '';
    const misaki = this.#misaki[accent];
    if (misaki) return this.#listed(misaki, context, at, nextVowel, shouting, accent);
    const initials = this.#initials(written, word, shouting);
    if (initials) return this.#spell(initials.letters, accent, initials.ending);
    if (isLetterName(written, at)) return this.#spell(word, accent);
    const place = {
      nextVowel,
      previous: context.pauses[at - 1] ? undefined : context.words[at - 1],
      next: context.words[at + 1],
      isPointing: () => isPointing(context, at),
    };
    const weak = functionWord(word, place, accent);
    if (weak !== undefined) return capitalized(weak, word, written, shouting);
    if (word.includes('-')) return this.#compound(context, at, shouting, accent);
    const sense = homograph(context, at, (stem) => this.#lexicon.phones(stem, accent));
    if (sense) return this.#render(sense, word, accent, true);
    const humps = this.#lexicon.has(word) ? [] : (written.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu) ?? []);
    if (humps.length > 1 && !written.includes("'")) {
      const parts = humps.map((hump) => this.#word(single(hump), 0, true, false, accent));
      return balanced(parts, humps).join('');
    }
    return this.#plain(word, accent);
  }

  /** A word by itself. */
  #plain(word: string, accent: Accent): string {
    const unknown = this.#sayUnknown && !this.#lexicon.known(word, accent);
    return (
      (unknown && this.#sayUnknown!(word, accent)) || this.#render(this.#lexicon.phones(word, accent), word, accent)
    );
  }

  /** A word from misaki's lexicons: whole, else by the longest parts that they have, from its end. */
  #listed(
    misaki: MisakiLexicon,
    context: Context,
    at: number,
    nextVowel: boolean | undefined,
    shouting: boolean,
    accent: Accent,
  ): string {
    const text = context.written[at]!.replaceAll('’', "'");
    // 'Tis is listed as 'tis only.
    const written = shouting || /^'\p{Lu}\p{Ll}/u.test(text) ? text.toLowerCase() : text;
    const alias = ALIASES.get(context.words[at]!);
    const initials = /^(?:\p{L}\.)+\p{L}?('s|s)?\.?$/u.exec(written);
    if (initials) return this.#spell(fold(written.replace(/'?s$/, '')), accent, initials[1] !== undefined);
    let tag: Tag | undefined;
    const place = {
      tag: () => {
        tag ??= isLetterName(text, at) ? 'NN' : tagOf(context, at);
        return tag;
      },
      nextVowel,
      nextTo: !context.pauses[at] && context.words[at + 1] === 'to',
    };
    const whole = this.#sense(misaki, context, at, accent) ?? misaki.pronounce(alias ?? written, place);
    if (whole !== undefined) return whole;
    if (!/[-']/.test(written) && this.#lexicon.has(context.words[at]!)) return this.#fallback(written, accent);
    return sayParts(misaki, written, place, (part) => this.#fallback(part, accent));
  }

  /** A word that misaki's lexicons lack. */
  #fallback(written: string, accent: Accent): string {
    return this.#sayUnknown?.(written, accent) || this.#plain(fold(written), accent);
  }

  /** A word whose sense its neighbours tell better than its part of speech does: read, lead, live. */
  #sense(misaki: MisakiLexicon, context: Context, at: number, accent: Accent): string | undefined {
    const word = context.words[at]!;
    if (!prefersRules(word)) return undefined;
    const phones = homograph(context, at, (stem) => this.#lexicon.phones(stem, accent));
    return phones && misaki.closest(word, this.#render(phones, word, accent, true));
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
    // re-entered, co-operative
    const together = parts.length === 2 && /^(?:re|co|pre|de)$/i.test(parts[0]!) ? fold(parts.join('')) : '';
    const prefixed = together ? this.#lexicon.known(together, accent) : undefined;
    if (prefixed) return this.#render(prefixed, together, accent);
    // Within a compound a small word keeps its weak form: state-of-the-art.
    const inside = { words: parts.map(fold), written: parts, pauses: parts.map(() => false) };
    return balanced(
      parts.map((_, index) => this.#word(inside, index, true, shouting, accent)),
      parts,
    ).join('');
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

function endsSentence(text: string): boolean {
  return !INITIALS.test(text) && /[.!?…][”’'")\]]*$/.test(text);
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
  return emphatic ? emphasized(phonemes) : atLeastSecondary(phonemes);
}

function marks(text: string): string {
  return [...text].filter(isPunctuation).join('');
}
