import { type Accent, ALPHABET, isPunctuation } from '../phoneme-alphabet.ts';
import type { SpokenToken } from '../types.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Espeak, EspeakVoice } from './espeak.ts';
import { shares } from './word-alignment.ts';

/** Phonemes of two letters that are one in Kokoro's alphabet. Source: misaki's table for eSpeak, first version. */
const TIED: readonly (readonly [string, string])[] = [
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['d^z', 'ʣ'],
  ['d^ʒ', 'ʤ'],
  ['e^ɪ', 'A'],
  ['o^ʊ', 'O'],
  ['ə^ʊ', 'Q'],
  ['s^s', 'S'],
  ['t^s', 'ʦ'],
  ['t^ʃ', 'ʧ'],
  ['ɔ^ɪ', 'Y'],
];

const MARKS = /([;:,.!?¡¿—…"«»“”(){}[\]।॥]+)/;
/** Marks in Kokoro's alphabet; others fall away. */
const KNOWN_MARKS: Readonly<Record<string, string>> = {
  '«': '“',
  '»': '”',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '।': '.',
  '॥': '.',
};
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;

/** A word, or marks, and the token that it comes from. */
interface Piece {
  text: string;
  token: number;
  /** Whether a blank stands before it. */
  apart: boolean;
  kind: 'word' | 'marks' | 'given';
}

/**
 * The tokens of a sentence in Kokoro's alphabet as misaki writes them: punctuation parts what eSpeak is given, and comes
 * back at its place. Without a blank stand closing marks behind their word and opening ones before it.
 * @param entries pronunciations that go before eSpeak's
 */
export function sentencePhonemes(
  espeak: Espeak,
  voice: EspeakVoice,
  tokens: readonly SpokenToken[],
  entries?: UserLexicon,
): string[] {
  const say = (text: string) => espeak.words(text, voice).map(inAlphabet).filter(Boolean);
  const text: string[] = new Array(tokens.length).fill('');
  const pieces = piecesOf(tokens, entries);
  let before = '';
  const write = ({ token, apart, kind }: Piece, phonemes: string) => {
    if (phonemes === '') return;
    const joined =
      !apart || before === '' || /[(“]$/.test(before) || (kind === 'marks' && /^[;:,.!?…”)]/.test(phonemes));
    text[token] += joined ? phonemes : ` ${phonemes}`;
    before = phonemes;
  };
  for (let start = 0; start < pieces.length; ) {
    const piece = pieces[start]!;
    if (piece.kind !== 'word') {
      write(piece, piece.text);
      start += 1;
      continue;
    }
    let end = start;
    while (pieces[end]?.kind === 'word') end += 1;
    const words = pieces.slice(start, end);
    const written = words.map((word) => word.text);
    for (const [index, { phonemes, joined }] of shares(written, say(written.join(' ')), say).entries()) {
      const word = words[index]!;
      write({ ...word, apart: word.apart && !joined }, phonemes);
    }
    start = end;
  }
  return text;
}

function piecesOf(tokens: readonly SpokenToken[], entries: UserLexicon | undefined): Piece[] {
  const pieces: Piece[] = [];
  for (const [token, { written, spoken, ipa }] of tokens.entries()) {
    const listed = ipa ?? entries?.pronounce(written.replace(EDGES, ''));
    let apart = true;
    const add = (text: string, kind: Piece['kind']) => {
      pieces.push({ text, token, apart, kind });
      if (text !== '') apart = false;
    };
    if (ipa !== undefined) {
      add(ipa, 'given');
      continue;
    }
    for (const [index, part] of spoken.split(MARKS).entries()) {
      if (index % 2 === 1) {
        const marks = [...part].map((mark) => KNOWN_MARKS[mark] ?? mark).filter(isPunctuation);
        add(marks.join(''), 'marks');
      } else if (part === '') continue;
      else if (listed !== undefined && /[\p{L}\p{N}]/u.test(part)) add(listed, 'given');
      else {
        for (const [at, word] of part.split(/\s+/).entries()) {
          if (at > 0) apart = true;
          if (word !== '') add(word, 'word');
        }
      }
    }
  }
  return pieces;
}

function inAlphabet(word: string): string {
  return known(TIED.reduce((text, [tied, letter]) => text.replaceAll(tied, letter), word));
}

/** Without ties and other characters that Kokoro has no sound for. */
function known(text: string): string {
  return [...text].filter((character) => ALPHABET.includes(character)).join('');
}

/** The same for English words, which are said in another alphabet. Source: misaki's fall-back, first version. */
const ENGLISH: readonly (readonly [string | RegExp, string])[] = [
  ['ʔˌn\u0329', 'ʔn'],
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['d^ʒ', 'ʤ'],
  ['e^ɪ', 'A'],
  ['t^ʃ', 'ʧ'],
  ['ɔ^ɪ', 'Y'],
  ['ə^l', 'ᵊl'],
  ['ʔn\u0329', 'ʔn'],
  ['ʲo', 'jo'],
  ['ʲə', 'jə'],
  ['e', 'A'],
  ['r', 'ɹ'],
  ['x', 'k'],
  ['ç', 'k'],
  ['ɐ', 'ə'],
  ['ɚ', 'əɹ'],
  ['ɬ', 'l'],
  ['ʲ', ''],
  ['\u0303', ''],
  [/(\S)\u0329/g, 'ᵊ$1'],
  ['\u0329', ''],
];
const ACCENTS: Readonly<Record<Accent, readonly (readonly [string, string])[]>> = {
  gb: [
    ['e^ə', 'ɛː'],
    ['iə', 'ɪə'],
    ['ə^ʊ', 'Q'],
  ],
  us: [
    ['o^ʊ', 'O'],
    ['ɜːɹ', 'ɜɹ'],
    ['ɜː', 'ɜɹ'],
    ['ɪə', 'iə'],
    ['ː', ''],
  ],
};

/** One English word in Kokoro's alphabet, as misaki takes it from eSpeak. */
export function englishWord(espeak: Espeak, word: string, accent: Accent): string {
  const ipa = espeak.words(word, accent === 'gb' ? 'en' : 'en-us').join(' ');
  const rules = [...ENGLISH, ...ACCENTS[accent], ['o', 'ɔ'], ['ɾ', 'T'], ['ʔ', 't']] as const;
  return known(rules.reduce((text: string, [from, to]) => text.replaceAll(from, to), ipa));
}
