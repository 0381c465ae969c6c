/**
 * The characters that Kokoro was trained on: phonemes, stress marks, punctuation marks and the space. Capital letters are
 * diphthongs (A eɪ, I aɪ, O oʊ, Q əʊ, W aʊ, Y ɔɪ), T is the flap of American `butter`, ᵊ and ᵻ are weak vowels. A stress
 * mark comes right before its vowel. Sources: `vocab` in the model's config.json, and
 * https://github.com/hexgrad/misaki/blob/main/EN_PHONES.md.
 */
export const ALPHABET =
  ';:,.!?—…"()“” \u0303ʣʥʦʨᵝ\uAB67AIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ';

export const PRIMARY_STRESS = 'ˈ';
export const SECONDARY_STRESS = 'ˌ';

const KNOWN = new Set(ALPHABET);
const UNKNOWN = new RegExp(`[^${ALPHABET}]`, 'gu');
const VOWELS = new Set('AIOQWYaeiouyæøœɐɑɒɔəɚɛɜɤɨɪɯʊʌᵊᵻ');
const PUNCTUATION = new Set(';:,.!?—…"()“”');

export type Accent = 'us' | 'gb';

/** Whether the character is a vowel, in either accent. */
export function isVowel(character: string): boolean {
  return VOWELS.has(character);
}

/** Whether the character is a punctuation mark of Kokoro's alphabet. */
export function isPunctuation(character: string): boolean {
  return PUNCTUATION.has(character);
}

/** The distinct characters of `text` outside Kokoro's alphabet, in order of appearance. */
export function unknownPhonemes(text: string): string[] {
  return [...new Set(text.match(UNKNOWN))];
}

/** Whether `text` has a sound of Kokoro's alphabet; stress and length marks are none. */
export function holdsSound(text: string): boolean {
  return [...text].some((character) => KNOWN.has(character) && /[\p{Ll}\p{Lu}\p{Lo}ᵊ]/u.test(character));
}

/** Whether `text` can be phonemes: only Kokoro's alphabet, and at least one sound. */
export function isPhonemeString(text: string): boolean {
  return unknownPhonemes(text).length === 0 && /\p{L}/u.test(text);
}

/** Whether the character has no sound of its own: a punctuation mark or a space. */
export function isMark(character: string): boolean {
  return character === ' ' || PUNCTUATION.has(character);
}
