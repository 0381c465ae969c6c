import { ALPHABET } from './phoneme-alphabet.ts';

const KNOWN = new Set(ALPHABET);
/** A character outside the alphabet, except line breaks. */
const OTHER = new RegExp(`[^${ALPHABET}\\r\\n]`, 'gu');

/** Phonemes for typed characters outside Kokoro's alphabet; empty if the difference is too small to matter. */
const VARIANTS: Readonly<Record<string, string>> = {
  g: 'ɡ',
  ɝ: 'ɜɹ',
  ɫ: 'l',
  ɭ: 'l',
  ʟ: 'l',
  ʍ: 'w',
  ɦ: 'h',
  ħ: 'h',
  ʉ: 'u',
  ɵ: 'ʊ',
  ɘ: 'ə',
  ɞ: 'ɜ',
  ʏ: 'y',
  ɶ: 'œ',
  ɱ: 'm',
  ɺ: 'ɾ',
  ʀ: 'ʁ',
  ʑ: 'ʒ',
  // Look-alikes and former letters of the IPA.
  ǝ: 'ə',
  ε: 'ɛ',
  ɩ: 'ɪ',
  ι: 'ɪ',
  ı: 'ɪ',
  ɷ: 'ʊ',
  α: 'ɑ',
  ϑ: 'θ',
  φ: 'ɸ',
  γ: 'ɣ',
  ß: 'β',
  š: 'ʃ',
  ž: 'ʒ',
  č: 'ʧ',
  ǧ: 'ʤ',
  // Marks.
  "'": 'ˈ',
  '’': 'ˈ',
  '′': 'ˈ',
  ʹ: 'ˈ',
  ʼ: 'ˈ',
  '`': 'ˈ',
  ˑ: 'ː',
  '\u0306': '',
  '\u031A': '',
  '\u0325': '',
  '\u030A': '',
  '\u032A': '',
  '\u032C': '',
  '\u032F': '',
  '\u0311': '',
  '\u031E': '',
  '\u031D': '',
  '\u031F': '',
  '\u0320': '',
  '\u0308': '',
  '\u033A': '',
  '\u033B': '',
  '\u02E0': '',
  '\u02DE': 'ɹ',
  ʷ: 'w',
  ⁿ: 'n',
  ˡ: 'l',
  '‿': '',
  '-': '',
  '\u200D': '',
  '\u00A0': ' ',
};

const TIED: Readonly<Record<string, string>> = {
  tʃ: 'ʧ',
  dʒ: 'ʤ',
  ts: 'ʦ',
  dz: 'ʣ',
  tɕ: 'ʨ',
  dʑ: 'ʥ',
  tʂ: 'ʈʂ',
  aɪ: 'I',
  aʊ: 'W',
  eɪ: 'A',
  oʊ: 'O',
  əʊ: 'Q',
  ɔɪ: 'Y',
};

const SYLLABIC = /(\p{L})[\u0329\u030D]/gu;
const TIE = /(\p{L})[\u0361\u035C](\p{L})/gu;
/**
 * A syllable's dot, and a colon for a long vowel: both stand before another sound. Patterns begin with the mark, because a
 * search for the letters before it tries every character.
 */
const INNER_DOT = /\.(?<=[\p{L}ː]\.)(?=[ˈˌ'’]?\p{L})/gu;
const INNER_COLON = /:(?<=\p{L}:)(?=[\p{L}.])|:$(?<=^[^\s:]{1,40}:)/gu;

/**
 * A word in IPA as people type it, in Kokoro's alphabet: `g` is `ɡ`, `ɝ` is `ɜɹ`, an apostrophe is stress, and ties, the
 * dots of syllables and marks of finer detail are dropped. Characters without a counterpart stay; `unknownPhonemes` finds
 * them.
 */
export function fromIpa(ipa: string): string {
  return toAlphabet(ipa.normalize('NFC').replace(INNER_DOT, '').replace(INNER_COLON, 'ː'));
}

/** Like `fromIpa`, for text in which dots and colons are punctuation. */
export function toAlphabet(phonemes: string): string {
  const joined = phonemes
    .normalize('NFC')
    .replace(TIE, (_, first: string, second: string) => TIED[first + second] ?? first + second)
    .replace(SYLLABIC, 'ᵊ$1');
  // A megabyte of one character is looked up once.
  const known = new Map<string, string>();
  return joined.replace(OTHER, (character) => {
    const found = known.get(character) ?? inAlphabet(character);
    known.set(character, found);
    return found;
  });
}

function inAlphabet(character: string): string {
  const variant = variantOf(character);
  if (variant !== undefined) return variant;
  // ã and the like: a letter and its marks.
  const parts = Array.from(character.normalize('NFD'), variantOf);
  return parts.every((part) => part !== undefined) ? parts.join('') : character;
}

/** Undefined for a character without a counterpart in the alphabet. */
function variantOf(character: string): string | undefined {
  if (Object.hasOwn(VARIANTS, character)) return VARIANTS[character];
  return KNOWN.has(character) ? character : undefined;
}

/** English sounds that the IPA writes with other letters than Kokoro's English voices know. */
const ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/tʃ/g, 'ʧ'],
  [/dʒ/g, 'ʤ'],
  [/e[ɪi]/g, 'A'],
  [/a[ɪi]/g, 'I'],
  [/[oɔ]ʊ/g, 'O'],
  [/əʊ/g, 'Q'],
  [/aʊ/g, 'W'],
  [/[ɔo]ɪ/g, 'Y'],
  [/ɚ/g, 'əɹ'],
  [/r/g, 'ɹ'],
  [/ɾ/g, 'T'],
];

/** Phonemes of an English word, written broadly, in the letters of Kokoro's English voices: `eɪ` is `A`, `r` is `ɹ`. */
export function englishPhonemes(phonemes: string): string {
  return ENGLISH.reduce((text, [pattern, letter]) => text.replace(pattern, letter), phonemes);
}
