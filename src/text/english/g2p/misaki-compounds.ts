import { startsWithVowel } from './function-words.ts';
import type { MisakiLexicon, WordContext } from './misaki-lexicon.ts';
import { balanced } from './stress.ts';

/** The parts of a word that the lexicons may have. */
const PARTS =
  /^'+|\p{Lu}(?=\p{Lu}\p{Ll})|-+|'(?:ll|ve|re|[sdmt])(?![\p{L}'])|[\p{L}\p{M}]*?\p{Ll}(?=\p{Lu})|[\p{L}\p{M}]+(?:'(?!(?:ll|ve|re|[sdmt])(?![\p{L}']))[\p{L}\p{M}]+)*|./gu;
/** In parts. Longer combinations are not looked up. */
const MAX_COMBINED = 12;

/**
 * Pronounces a compound, or another word that misaki's lexicons lack as a whole: by the longest combinations of parts
 * that they have, from its end, with one primary stress.
 * @param say.borrowed pronounces a part that they are wrong about; undefined for other parts
 * @param say.unlisted pronounces a part that they lack
 */
export function pronounceCompound(
  misaki: MisakiLexicon,
  written: string,
  context: WordContext,
  say: { borrowed: (part: string) => string | undefined; unlisted: (part: string) => string },
): string {
  const parts = written.match(PARTS) ?? [];
  const phonemes: string[] = parts.map(() => '');
  let { nextVowel } = context;
  for (let end = parts.length; end > 0; ) {
    const borrowed = written.includes('-') ? say.borrowed(parts[end - 1]!) : undefined;
    const listed =
      borrowed === undefined
        ? longestListed(misaki, parts, end, { ...context, nextVowel })
        : { start: end - 1, phonemes: borrowed };
    const start = listed?.start ?? end - 1;
    const part = parts[start]!;
    if (listed === undefined && /\p{L}/u.test(part)) {
      if (!written.includes('-')) return say.unlisted(written);
      phonemes[start] = say.unlisted(part);
    } else phonemes[start] = listed?.phonemes ?? '';
    nextVowel = startsWithVowel(phonemes[start]!) ?? nextVowel;
    end = start;
  }
  return balanced(phonemes, parts).join('');
}

/** The longest listed combination of parts up to `end`, except for the whole word. */
function longestListed(
  misaki: MisakiLexicon,
  parts: readonly string[],
  end: number,
  context: WordContext,
): { start: number; phonemes: string } | undefined {
  for (let start = Math.max(0, end - MAX_COMBINED); start < end; start++) {
    if (start === 0 && end === parts.length) continue;
    const text = parts.slice(start, end).join('');
    // The article of a-hunting, not the letter of plan A.
    const phonemes = misaki.pronounce(text, text === 'a' ? { ...context, tag: () => 'DT' } : context);
    if (phonemes !== undefined) return { start, phonemes };
  }
  return undefined;
}
