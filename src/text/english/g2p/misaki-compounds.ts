import type { MisakiLexicon, WordPlace } from './misaki-lexicon.ts';
import { balanced } from './stress.ts';

/** The parts of a word that may be looked up by themselves. */
const PARTS =
  /^'+|\p{Lu}(?=\p{Lu}\p{Ll})|-+|'(?:ll|ve|re|[sdmt])(?![\p{L}'])|[\p{L}\p{M}]*?\p{Ll}(?=\p{Lu})|[\p{L}\p{M}]+(?:'(?!(?:ll|ve|re|[sdmt])(?![\p{L}']))[\p{L}\p{M}]+)*|./gu;
/** As many of them are looked up in one. */
const MOST_PARTS = 12;
const CONSONANT = /[bdfhjklmnpstvwzðŋɡɹTʃʒʤʧθ]/;
/** Vowels that shape the word before them; the article's ɐ does not. */
const FULL_VOWEL = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/;

/** Whether the first sound is a vowel, as far as it shapes the word before; undefined where there is no such sound. */
export function startsWithVowel(phonemes: string): boolean | undefined {
  const first = [...phonemes].find((character) => FULL_VOWEL.test(character) || CONSONANT.test(character));
  return first === undefined ? undefined : FULL_VOWEL.test(first);
}

/**
 * A compound, or another word that misaki's lexicons lack as a whole: the longest parts that they have, from its end, in
 * one word with one stress.
 * @param unlisted says a part that they lack
 */
export function sayParts(
  misaki: MisakiLexicon,
  written: string,
  place: WordPlace,
  unlisted: (part: string) => string,
): string {
  const parts = written.match(PARTS) ?? [];
  const said: string[] = parts.map(() => '');
  let { nextVowel } = place;
  for (let end = parts.length; end > 0; ) {
    const found = longestListed(misaki, parts, end, { ...place, nextVowel });
    const start = found?.start ?? end - 1;
    const part = parts[start]!;
    if (found === undefined && /\p{L}/u.test(part)) {
      if (!written.includes('-')) return unlisted(written);
      said[start] = unlisted(part);
    } else said[start] = found?.phonemes ?? '';
    nextVowel = startsWithVowel(said[start]!) ?? nextVowel;
    end = start;
  }
  return balanced(said, parts).join('');
}

/** The longest listed run of parts up to `end`; the whole word is not looked up again. */
function longestListed(
  misaki: MisakiLexicon,
  parts: readonly string[],
  end: number,
  place: WordPlace,
): { start: number; phonemes: string } | undefined {
  for (let start = Math.max(0, end - MOST_PARTS); start < end; start++) {
    if (start === 0 && end === parts.length) continue;
    const part = parts.slice(start, end).join('');
    // The one of a-hunting, not that of plan A.
    const phonemes = misaki.pronounce(part, part === 'a' ? { ...place, tag: () => 'DT' } : place);
    if (phonemes !== undefined) return { start, phonemes };
  }
  return undefined;
}
