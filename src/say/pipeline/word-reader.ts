import type { Boundary, Word } from '../../contracts/synthesis.ts';
import { formatPhones, toArpabet } from '../../text/english/g2p/arpabet.ts';
import { borrowedWord } from '../../text/english/g2p/borrowed-words.ts';
import { English, listedAsWritten } from '../../text/english/g2p/phonemes.ts';
import { englishPhonemes } from '../../text/phoneme-input.ts';
import type { SpokenToken } from '../../text/types.ts';
import type { UserLexicon } from '../../text/user-lexicon.ts';
import { CutRank, type Reader, type Reading, type ReadOptions, type Sentence } from './chunker.ts';

/** Reads English sentences as words that a synthesizer pronounces itself. */
export class WordReader implements Reader<Word> {
  readonly #english: English;

  constructor(english: English) {
    this.#english = english;
  }

  static async load(): Promise<WordReader> {
    return new WordReader(await English.load());
  }

  async read({ tokens }: Pick<Sentence, 'tokens'>, { lexicon }: Pick<ReadOptions, 'lexicon'>): Promise<WordReading> {
    return new WordReading(withHomographs(wordsOf(tokens, lexicon), this.#english));
  }
}

/** Words that a phrase begins with: before them a reader may pause. */
const openers = new Set(
  `and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would`.split(/\s+/),
);
/** Words that belong to the next one: no reader pauses after them. */
const proclitics = new Set(
  `a an the my your his her its our their this that these those some any no every each very too i you he she it we they
  mister mr mrs ms doctor dr saint st`.split(/\s+/),
);

/** A sentence as words. */
export class WordReading implements Reading<Word> {
  readonly units: readonly Word[];

  constructor(units: readonly Word[]) {
    this.units = units;
  }

  sizeOf({ text, phones }: Word): number {
    if (phones) return phones.split(' ').length + 1;
    // A digit takes a word or two to say.
    return (/\d/.test(text) ? 6 * text.length : text.length) + 1;
  }

  isSpace(): boolean {
    return false;
  }

  isHeard(): boolean {
    return true;
  }

  cutRank(index: number): CutRank {
    const before = this.units[index - 1]!;
    const after = this.units[index]!;
    // One caption spans a token.
    if (before.token === after.token) return CutRank.none;
    // Colons and semicolons are as good as full stops.
    if (before.punctuation !== '') return before.punctuation === ',' ? CutRank.clause : CutRank.sentence;
    if (proclitics.has(before.text) || openers.has(before.text)) return CutRank.none;
    return openers.has(after.text) ? CutRank.phrase : CutRank.word;
  }

  boundaryAfter(chunk: readonly Word[], isLast: boolean): Boundary {
    const { punctuation } = chunk.at(-1)!;
    if (punctuation === '') return isLast ? 'sentence' : 'word';
    return '.!?'.includes(punctuation) ? 'sentence' : 'clause';
  }
}

/** Longer words and numbers are split: real ones are shorter, and Flite's tables are made for them. */
const MAX_WORD = 32;
const MAX_NUMBER = 24;
const MAX_PHONES = 48;

/**
 * The words of a sentence for Flite: in lower case without accents, so that its own normalization changes nothing.
 * Text without Latin letters or digits yields no words.
 * @param lexicon pronunciations of words as they are written, and as they are spoken
 */
export function wordsOf(tokens: readonly SpokenToken[], lexicon?: UserLexicon): Word[] {
  const words: Word[] = [];
  for (const [index, token] of tokens.entries()) {
    const ipa = token.ipa ?? (lexicon && listedAsWritten(token.written, lexicon)?.ipa);
    const phones = ipa === undefined ? [] : flitePhones(ipa);
    if (phones.length === 0) addWords(words, index, token.spoken);
    else {
      words.push(...phoneWords(phones, index));
      addPunctuation(words, trailingPunctuation(token));
    }
  }
  return words.flatMap((word, index) => {
    const ipa = word.phones === undefined ? lexicon?.pronounce(word.text) : undefined;
    const listed = ipa === undefined ? [] : phoneWords(flitePhones(englishPhonemes(ipa)), word.token);
    addPunctuation(listed, word.punctuation);
    return listed.length > 0 ? listed : lowerCased(word, words[index - 1], words[index + 1]);
  });
}

function phoneWords(phones: readonly string[], token: number): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < phones.length; at += MAX_PHONES) {
    const spoken = phones.slice(at, at + MAX_PHONES).join(' ');
    words.push({ text: 'phonestring', phones: spoken, punctuation: '', token });
  }
  return words;
}

/** The same words, with phones for homographs (read, lead, use) by their sense in the sentence. */
export function withHomographs(words: readonly Word[], english: English): Word[] {
  const texts = words.map(({ text, punctuation }) => text + punctuation);
  const phonemes = english.homographs(texts, 'us');
  return words.map((word, index) => {
    const sense = word.phones === undefined && phonemes[index];
    return sense ? { ...word, phones: flitePhones(sense).join(' ') } : word;
  });
}

function lowerCased(word: Word, before?: Word, after?: Word): Word {
  if (word.phones !== undefined) return word;
  // Flite reads the letter A as the article; `ay` sounds like the letter.
  const text = isLetterA(word, before, after) ? 'ay' : word.text.toLowerCase();
  const phones = pronunciations.get(text) ?? borrowedPhones(word, after);
  return { ...word, text, ...(phones !== undefined && { phones }) };
}

/** Phones of a name or a word that Flite would sound out by its letters. */
function borrowedPhones({ text, punctuation }: Word, after?: Word): string | undefined {
  const phones = borrowedWord(text, punctuation === '' ? after?.text : '');
  return phones
    ?.map((phone) => formatPhones([phone])[0]!.toLowerCase().replace('2', '0').replace('ah0', 'ax0'))
    .join(' ');
}

/** Whether it is the A of `A M` and `vitamin A helps`, not of `A man` and `Once Upon A Time`. */
function isLetterA({ text }: Word, before?: Word, after?: Word): boolean {
  if (text !== 'A') return false;
  if (/^[A-Z]$/.test(after?.text ?? '') || /^[A-HJ-Z]$/.test(before?.text ?? '')) return true;
  return before !== undefined && before.punctuation === '' && /^[a-z]/.test(after?.text ?? '');
}

const NUMBER = String.raw`\$?\d+(?:[.,:]\d+)*(?:st\b|nd\b|rd\b|th\b|s\b|%)?`;
const LETTERS = "[A-Za-z]+(?:'[A-Za-z]+)*";
// A single hyphen joins words; a dash, several hyphens and brackets around a remark make a pause.
const PUNCTUATION = String.raw`[.,;:!?]+|[–—()\[\]]|-{2,}|(?<= )-(?= )`;
const WORD_OR_MARK = new RegExp(`(${NUMBER})|(${LETTERS})|(${PUNCTUATION})`, 'g');

function addWords(words: Word[], token: number, spoken: string): void {
  const folded = foldLetters(spoken);
  for (const match of folded.matchAll(WORD_OR_MARK)) {
    const [, number, letters, punctuation] = match;
    if (punctuation !== undefined) {
      addPunctuation(words, punctuation);
      continue;
    }
    // A quotation begins with a capital: its A is the article.
    const quoted = letters === 'A' && '"“('.includes(folded[match.index - 1] ?? ' ');
    const text = quoted ? 'a' : (letters ?? number!);
    const max = letters ? MAX_WORD : MAX_NUMBER;
    for (let at = 0; at < text.length; at += max) {
      words.push({ text: text.slice(at, at + max), punctuation: '', token });
    }
  }
}

function addPunctuation(words: Word[], marks: string): void {
  const last = words.at(-1);
  if (!last || marks === '') return;
  // An ellipsis does not end a sentence.
  const mark = marks.includes('...') ? ',' : [...marks].find((character) => '.!?'.includes(character));
  const joined = mark ?? (/[,;:]/.exec(marks)?.[0] || ',');
  // `word." —` keeps its first mark.
  if (last.punctuation === '') last.punctuation = joined;
}

function trailingPunctuation({ ipa, spoken, written }: SpokenToken): string {
  for (const text of [ipa, spoken, written]) {
    const marks = /[.,;:!?…–—]+(?=["'”’)\]]*$)/u.exec(text?.slice(-16) ?? '');
    if (marks) return marks[0].replaceAll('…', '...');
  }
  return '';
}

/** Words that Flite would spell out or mistake for others. */
const pronunciations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hm: 'hh ah1 m',
    hmm: 'hh ah1 m',
    mm: 'm ah1 m',
    mmm: 'm ah1 m',
    psst: 'p s ih1 t',
    sh: 'sh ah1 sh',
    shh: 'sh ah1 sh',
    zzz: 'z ih1 z',
    nth: 'eh1 n th',
    tis: 't ih1 z',
    twas: 't w ah1 z',
    st: 's ey1 n t',
  }),
);

const foldings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'th', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'ng', ŧ: 't', ĸ: 'k' },
    ...{ '‘': "'", '’': "'", ʼ: "'", '`': "'", '´': "'", '‐': '-', '‑': '-', '…': '...', '―': '—', '⁄': ' ' },
  }),
);
const FOLDED = new RegExp(`[${[...foldings.keys()].join('')}]`, 'giu');

/** Latin letters without their accents: `Élan Ærø` → `Elan AEro`. */
export function foldLetters(text: string): string {
  const foldOne = (character: string) => {
    const lower = character.toLowerCase();
    const folded = foldings.get(lower) ?? '';
    return lower === character ? folded : folded.toUpperCase();
  };
  return text.replace(FOLDED, foldOne).normalize('NFKD').replace(/\p{M}/gu, '');
}

const vowels = new Set('aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw'.split(' '));
const consonants = new Set('b ch d dh f g hh jh k l m n ng p r s sh t th v w y z zh'.split(' '));

/** Phonemes as phones of the recorded voices. Flite fails on any other phone. */
function flitePhones(phonemes: string): string[] {
  return toArpabet(phonemes).filter((phone) => consonants.has(phone) || vowels.has(phone.replace(/[01]$/, '')));
}
