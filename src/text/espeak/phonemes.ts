import { type Accent, ALPHABET, isPunctuation } from '../phoneme-alphabet.ts';
import type { SpokenToken } from '../types.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Espeak, EspeakVoice } from './espeak.ts';
import { alignWords } from './word-alignment.ts';

/** Phonemes of two letters with one letter in Kokoro's alphabet. Source: misaki's table for eSpeak, first version. */
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
/** Marks outside Kokoro's alphabet, and the marks that replace them. */
const REPLACED_MARKS: Readonly<Record<string, string>> = {
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

/** A word or marks of a token. */
interface TokenPart {
  text: string;
  /** Index of the token. */
  token: number;
  /** Whether a space comes before it. */
  isSeparate: boolean;
  kind: 'word' | 'marks' | 'phonemes';
}

/**
 * The tokens of a sentence in Kokoro's alphabet, as misaki writes them: eSpeak reads the words between punctuation marks,
 * and the marks return to their places. No space separates an opening or closing mark from its word.
 * @param entries pronunciations that override eSpeak's
 */
export function sentencePhonemes(
  espeak: Espeak,
  voice: EspeakVoice,
  tokens: readonly SpokenToken[],
  entries?: UserLexicon,
): string[] {
  const say = (text: string) => espeak.words(text, voice).map(inAlphabet).filter(Boolean);
  const text: string[] = new Array(tokens.length).fill('');
  const parts = tokenParts(tokens, entries);
  let before = '';
  const write = ({ token, isSeparate, kind }: TokenPart, phonemes: string) => {
    if (phonemes === '') return;
    const isAttached =
      !isSeparate || before === '' || /[(“]$/.test(before) || (kind === 'marks' && /^[;:,.!?…”)]/.test(phonemes));
    text[token] += isAttached ? phonemes : ` ${phonemes}`;
    before = phonemes;
  };
  for (let start = 0; start < parts.length; ) {
    const part = parts[start]!;
    if (part.kind !== 'word') {
      write(part, part.text);
      start += 1;
      continue;
    }
    let end = start;
    while (parts[end]?.kind === 'word') end += 1;
    const words = parts.slice(start, end);
    const written = words.map((word) => word.text);
    for (const [index, { phonemes, isJoined }] of alignWords(written, say(written.join(' ')), say).entries()) {
      const word = words[index]!;
      write({ ...word, isSeparate: word.isSeparate && !isJoined }, phonemes);
    }
    start = end;
  }
  return text;
}

function tokenParts(tokens: readonly SpokenToken[], entries: UserLexicon | undefined): TokenPart[] {
  const parts: TokenPart[] = [];
  for (const [token, { written, spoken, ipa }] of tokens.entries()) {
    const listed = ipa ?? entries?.pronounce(written.replace(EDGES, ''));
    let isSeparate = true;
    const add = (text: string, kind: TokenPart['kind']) => {
      parts.push({ text, token, isSeparate, kind });
      if (text !== '') isSeparate = false;
    };
    if (ipa !== undefined) {
      add(ipa, 'phonemes');
      continue;
    }
    for (const [index, text] of spoken.split(MARKS).entries()) {
      if (index % 2 === 1) {
        const marks = [...text].map((mark) => REPLACED_MARKS[mark] ?? mark).filter(isPunctuation);
        add(marks.join(''), 'marks');
        continue;
      }
      if (listed !== undefined && /[\p{L}\p{N}]/u.test(text)) {
        add(listed, 'phonemes');
        continue;
      }
      for (const [word] of text.matchAll(/\s+|\S+/g)) {
        if (/\s/.test(word)) isSeparate = true;
        else add(word, 'word');
      }
    }
  }
  return parts;
}

function inAlphabet(word: string): string {
  return onlyAlphabet(TIED.reduce((text, [tied, letter]) => text.replaceAll(tied, letter), word));
}

/** Drops ties and other characters outside Kokoro's alphabet. */
function onlyAlphabet(text: string): string {
  return [...text].filter((character) => ALPHABET.includes(character)).join('');
}

/** The same for English words, whose alphabet differs. Source: misaki's fallback, first version. */
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

/** One English word in Kokoro's alphabet, as misaki converts it from eSpeak's. */
export function englishWord(espeak: Espeak, word: string, accent: Accent): string {
  const ipa = espeak.words(word, accent === 'gb' ? 'en' : 'en-us').join(' ');
  const rules = [...ENGLISH, ...ACCENTS[accent], ['o', 'ɔ'], ['ɾ', 'T'], ['ʔ', 't']] as const;
  return onlyAlphabet(rules.reduce((text: string, [from, to]) => text.replaceAll(from, to), ipa));
}
