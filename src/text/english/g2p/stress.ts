import { PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';

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

/** Adds a primary stress if there is none: in place of a secondary one, else on the first vowel. */
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
