import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';
import { hasSymbol, isVowel, isWeak, type Phone } from './arpabet.ts';

const VOWELS = new Set('AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ');

/** Sounds that count twice in a compound. */
const LONG = new Set('AIOQWYʤʧ');

/** Whether a word has a primary or secondary stress mark. */
function hasStress(phonemes: string): boolean {
  return phonemes.includes(PRIMARY_STRESS) || phonemes.includes(SECONDARY_STRESS);
}

/** Lowers stress by a degree: primary becomes secondary, and secondary is dropped; without primary stress no change. */
export function lessStressed(phonemes: string): string {
  return phonemes.includes(PRIMARY_STRESS)
    ? phonemes.replaceAll(SECONDARY_STRESS, '').replaceAll(PRIMARY_STRESS, SECONDARY_STRESS)
    : phonemes;
}

/** Adds a secondary stress on the first vowel of an unstressed word. */
export function atLeastSecondary(phonemes: string): string {
  return hasStress(phonemes) ? phonemes : onFirstVowel(phonemes, SECONDARY_STRESS);
}

/** Adds a primary stress if there is none: instead of a secondary one, else on the first vowel. */
export function emphasized(phonemes: string): string {
  if (phonemes.includes(PRIMARY_STRESS)) return phonemes;
  return phonemes.includes(SECONDARY_STRESS)
    ? phonemes.replaceAll(SECONDARY_STRESS, PRIMARY_STRESS)
    : onFirstVowel(phonemes, PRIMARY_STRESS);
}

function onFirstVowel(phonemes: string, mark: string): string {
  const index = [...phonemes].findIndex((phoneme) => VOWELS.has(phoneme));
  return index < 0 ? phonemes : phonemes.slice(0, index) + mark + phonemes.slice(index);
}

/**
 * Balances the stress of a compound: if more than half of its parts have a primary stress, the lighter half is lowered;
 * after a single letter, the second of two parts is.
 * @param written the parts as written
 */
export function balanced(parts: readonly string[], written: readonly string[]): string[] {
  const weights = parts
    .map((phonemes, index) => ({
      index,
      strong: phonemes.includes(PRIMARY_STRESS),
      weight: [...phonemes].reduce((sum, phoneme) => sum + (LONG.has(phoneme) ? 2 : 1), 0),
    }))
    .filter(({ weight }) => weight > 0);
  const yielding = new Set<number>();
  if (weights.length === 2 && written[weights[0]!.index]!.length === 1) yielding.add(weights[1]!.index);
  else if (weights.length > 1 && weights.filter(({ strong }) => strong).length > Math.floor((weights.length + 1) / 2)) {
    weights.sort((a, b) => Number(a.strong) - Number(b.strong) || a.weight - b.weight || a.index - b.index);
    for (const { index } of weights.slice(0, Math.floor(weights.length / 2))) yielding.add(index);
  }
  return parts.map((phonemes, index) => (yielding.has(index) ? lessStressed(phonemes) : phonemes));
}

/** Vowels after the primary stress that stay full, with a secondary stress. */
const FULL_VOWELS = ['AA', 'AE', 'AO', 'AW', 'AY', 'EH', 'EY', 'OY'];
/** Prefixes that keep a secondary stress right before the primary one. */
const STRESSED_PREFIX = /^(?:un(?!i[aeioutvfs]|ti|le)|mis|dis(?![tcp])|non)(?=..)/;

/**
 * The phones of a word with stress as in Kokoro's training data, from stress as in the dictionary: at most one primary.
 * @param spelling the word in lower case; may be empty
 */
export function withKokoroStress(dictionaryPhones: readonly Phone[], spelling: string): Phone[] {
  const phones = dictionaryPhones.map((phone) => ({ ...phone }));
  const vowels = phones.filter(isVowel);
  const lastPrimary = vowels.findLastIndex(({ stress }) => stress === 1);
  if (lastPrimary < 0) {
    stressUnstressedWord(vowels);
    return phones;
  }
  const primaries = vowels.filter(({ stress }) => stress === 1).length;
  vowels.forEach((vowel, index) => {
    if (index < lastPrimary && vowel.stress === 1) vowel.stress = 2;
  });
  stressStem(vowels, spelling);
  const primary = vowels.findIndex(({ stress }) => stress === 1);
  // Two weak syllables do not open a word before the stress.
  if (primary >= 2 && vowels.slice(0, primary).every(isWeak)) vowels[0]!.stress = 2;
  const first = vowels[0]!;
  const previous = vowels[primary - 1];
  const keepsFirst = STRESSED_PREFIX.test(spelling);
  if (previous?.stress === 2 && primaries === 1 && !(previous === first && keepsFirst)) previous.stress = 0;
  if (primary > 0 && first.stress === 0 && keepsFirst) first.stress = 2;
  stressAfterPrimary(phones, phones.indexOf(vowels[primary]!), spelling);
  return phones;
}

/** A word without primary stress gets one: on its only vowel unless that is a schwa, else on a secondary stress. */
function stressUnstressedWord(vowels: readonly Phone[]): void {
  if (vowels.length === 1) {
    const [only] = vowels;
    only!.stress = only!.symbol === 'AH' && only!.stress === 0 ? 0 : 1;
    return;
  }
  const secondary = vowels.find(({ stress }) => stress === 2);
  if (secondary) secondary.stress = 1;
}

/** Moves the primary stress in words with over- and under-, and in those with -ation. */
function stressStem(vowels: readonly Phone[], spelling: string): void {
  // Most are verbs and participles; the dictionary often has the noun's stress for both.
  const stem = /^(?:over|under)..../.test(spelling) ? vowels.slice(2).find(({ stress }) => stress === 2) : undefined;
  if (stem && vowels[0]!.stress === 1) {
    vowels[0]!.stress = 2;
    stem.stress = 1;
  }
  const ation = /[^aeiou]ations?$/.test(spelling) ? vowels.at(-2) : undefined;
  if (ation?.symbol === 'EY' && ation.stress === 2) {
    for (const vowel of vowels) if (vowel.stress === 1) vowel.stress = 2;
    ation.stress = 1;
  }
}

/** Secondary stress on full vowels and -ism after the primary one, and none on a final or hiatic IY and a final OW. */
function stressAfterPrimary(phones: readonly Phone[], primary: number, spelling: string): void {
  const isIsm = /isms?$/.test(spelling);
  phones.forEach((phone, index) => {
    const next = phones[index + 1];
    if (phone.stress === 0 && index > primary) {
      if (isIsm && hasSymbol(phone, 'IH', 'AH') && hasSymbol(next, 'Z') && hasSymbol(phones[index + 3], 'M')) {
        phone.symbol = 'IH';
        phone.stress = 2;
      }
      if (hasSymbol(phone, ...FULL_VOWELS) && (next !== undefined || hasSymbol(phone, 'AY'))) phone.stress = 2;
    }
    if (phone.stress !== 2) return;
    if (phone.symbol === 'IY' && (next === undefined || isVowel(next))) phone.stress = 0;
    if (phone.symbol === 'OW' && next === undefined && index > primary) phone.stress = 0;
  });
}
