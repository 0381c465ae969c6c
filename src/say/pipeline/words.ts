import type { Word } from '../../contracts/synthesis.ts';
import { toArpabet } from '../../text/english/g2p/arpabet.ts';
import type { English } from '../../text/english/g2p/phonemes.ts';
import { listedAsWritten } from '../../text/english/g2p/spoken-words.ts';
import type { SpokenToken } from '../../text/types.ts';
import type { UserLexicon } from '../../text/user-lexicon.ts';

/** Longer words and numbers are spoken in pieces: no real one is, and Flite's tables are made for real ones. */
const LONGEST_WORD = 32;
const LONGEST_NUMBER = 24;
const MOST_PHONES = 48;

/**
 * The words of an utterance as Flite takes them: letters in lower case without accents, so that its own normalization
 * finds nothing to rewrite. Characters that have no Latin letter in them say nothing.
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
    const listed = ipa === undefined ? [] : phoneWords(flitePhones(ipa), word.token);
    addPunctuation(listed, word.punctuation);
    return listed.length > 0 ? listed : inSmallLetters(word, words[index - 1], words[index + 1]);
  });
}

function phoneWords(phones: readonly string[], token: number): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < phones.length; at += MOST_PHONES) {
    const piece = phones.slice(at, at + MOST_PHONES).join(' ');
    words.push({ text: 'phonestring', phones: piece, punctuation: '', token });
  }
  return words;
}

/** The same words, with the phones of those that are said in two ways (read, lead, use) as their sentence asks for. */
export function withHomographs(words: readonly Word[], english: English): Word[] {
  const texts = words.map(({ text, punctuation }) => text + punctuation);
  const phonemes = english.homographs(texts, 'us');
  return words.map((word, index) => {
    const sense = word.phones === undefined && phonemes[index];
    return sense ? { ...word, phones: flitePhones(sense).join(' ') } : word;
  });
}

function inSmallLetters(word: Word, before?: Word, after?: Word): Word {
  if (word.phones !== undefined) return word;
  // Flite cannot tell the letter from the article, which it says for both; `ay` sounds as the letter does.
  const text = isLetterA(word, before, after) ? 'ay' : word.text.toLowerCase();
  const phones = pronunciations.get(text);
  return { ...word, text, ...(phones !== undefined && { phones }) };
}

/** The A of `A M` and `vitamin A helps`, not that of `A man` and `Once Upon A Time`. */
function isLetterA({ text }: Word, before?: Word, after?: Word): boolean {
  if (text !== 'A') return false;
  if (/^[A-Z]$/.test(after?.text ?? '') || /^[A-HJ-Z]$/.test(before?.text ?? '')) return true;
  return before !== undefined && before.punctuation === '' && /^[a-z]/.test(after?.text ?? '');
}

const NUMBER = String.raw`\$?\d+(?:[.,:]\d+)*(?:st\b|nd\b|rd\b|th\b|s\b|%)?`;
const LETTERS = "[A-Za-z]+(?:'[A-Za-z]+)*";
// A single hyphen joins words; a dash or several hyphens make a pause, and so do brackets around a remark.
const PUNCTUATION = String.raw`[.,;:!?]+|[–—()\[\]]|-{2,}|(?<= )-(?= )`;
const PIECE = new RegExp(`(${NUMBER})|(${LETTERS})|(${PUNCTUATION})`, 'g');

function addWords(words: Word[], token: number, spoken: string): void {
  const folded = foldLetters(spoken);
  for (const match of folded.matchAll(PIECE)) {
    const [, number, letters, punctuation] = match;
    if (punctuation !== undefined) {
      addPunctuation(words, punctuation);
      continue;
    }
    // A quotation that begins with A begins with a capital: it is the article.
    const quoted = letters === 'A' && '"“('.includes(folded[match.index - 1] ?? ' ');
    const text = quoted ? 'a' : (letters ?? number!);
    const longest = letters ? LONGEST_WORD : LONGEST_NUMBER;
    for (let at = 0; at < text.length; at += longest) {
      words.push({ text: text.slice(at, at + longest), punctuation: '', token });
    }
  }
}

function addPunctuation(words: Word[], marks: string): void {
  const last = words.at(-1);
  if (!last || marks === '') return;
  // An ellipsis is no end: the sentence goes on, or its end is known without it.
  const mark = marks.includes('...') ? ',' : [...marks].find((character) => '.!?'.includes(character));
  const joined = mark ?? (/[,;:]/.exec(marks)?.[0] || ',');
  // `word." —` ends as it ended first.
  if (last.punctuation === '') last.punctuation = joined;
}

function trailingPunctuation({ ipa, spoken, written }: SpokenToken): string {
  for (const text of [ipa, spoken, written]) {
    const marks = /[.,;:!?…–—]+(?=["'”’)\]]*$)/u.exec(text?.slice(-16) ?? '');
    if (marks) return marks[0].replaceAll('…', '...');
  }
  return '';
}

/** Words that Flite would spell letter by letter, or takes for another. */
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
    const small = character.toLowerCase();
    const folded = foldings.get(small) ?? '';
    return small === character ? folded : folded.toUpperCase();
  };
  return text.replace(FOLDED, foldOne).normalize('NFKD').replace(/\p{M}/gu, '');
}

const vowels = new Set('aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw'.split(' '));
const consonants = new Set('b ch d dh f g hh jh k l m n ng p r s sh t th v w y z zh'.split(' '));

/** Phonemes as phones that the voices were recorded with; one that they do not know would trip them up. */
function flitePhones(phonemes: string): string[] {
  return toArpabet(phonemes).filter((phone) => consonants.has(phone) || vowels.has(phone.replace(/[01]$/, '')));
}
