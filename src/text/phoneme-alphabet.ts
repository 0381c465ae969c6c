/**
 * The characters that Kokoro was trained on: one is one phoneme, a stress mark, a punctuation mark or a blank. Capital
 * letters are diphthongs (A eɪ, I aɪ, O oʊ, Q əʊ, W aʊ, Y ɔɪ), T is the flap of American `butter`, ᵊ and ᵻ are weak
 * vowels, and a stress mark stands right before its vowel. Source: the `vocab` of the model's config.json, and the
 * description of the alphabet in misaki (https://github.com/hexgrad/misaki/blob/main/EN_PHONES.md).
 */
export const ALPHABET =
  ';:,.!?—…"()“” \u0303ʣʥʦʨᵝ\uAB67AIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ';

export const PRIMARY_STRESS = 'ˈ';
export const SECONDARY_STRESS = 'ˌ';

const KNOWN = new Set(ALPHABET);
const VOWELS = new Set('AIOQWYaeiouyæøœɐɑɒɔəɚɛɜɤɨɪɯʊʌᵊᵻ');
const PUNCTUATION = new Set(';:,.!?—…"()“”');

export type Accent = 'us' | 'gb';

/** Whether the character is a vowel, in either accent. */
export function isVowel(character: string): boolean {
  return VOWELS.has(character);
}

/** Whether the character is one of the punctuation marks that Kokoro knows. */
export function isPunctuation(character: string): boolean {
  return PUNCTUATION.has(character);
}

/** The characters of `text` that are not in Kokoro's alphabet, each once, in the order of their first appearance. */
export function unknownPhonemes(text: string): string[] {
  return [...new Set(text)].filter((character) => !KNOWN.has(character));
}

/** Whether `text` holds a sound of Kokoro's alphabet; marks of stress and length are none. */
export function holdsSound(text: string): boolean {
  return [...text].some((character) => KNOWN.has(character) && /[\p{Ll}\p{Lu}\p{Lo}ᵊ]/u.test(character));
}

/** Whether `text` can be read as phonemes: it is written in Kokoro's alphabet and holds at least one sound. */
export function isPhonemeString(text: string): boolean {
  return unknownPhonemes(text).length === 0 && /\p{L}/u.test(text);
}

/** Whether the character has no sound of its own: a punctuation mark or a space. */
export function isMark(character: string): boolean {
  return character === ' ' || PUNCTUATION.has(character);
}
