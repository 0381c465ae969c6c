import { kanaPhonemes, toHiragana } from '../japanese/kana.ts';
import { groupWords, type Part } from '../part-split.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Dictionary } from './dictionary.ts';
import { syllablePhonemes } from './syllables.ts';
import { toneSandhi } from './tones.ts';

/** A word of a sentence, or a mark. */
export interface Word {
  written: string;
  /** Its phonemes; empty where nothing is said. */
  spoken: string;
  mark?: string;
}

/**
 * Words of a sentence with their phonemes.
 * @param entries pronunciations that go before the dictionary's
 */
export function readWords(parts: readonly Part[], dictionary: Dictionary, entries?: UserLexicon): Word[] {
  const words: Word[] = [];
  /** Words since the last mark: the tones of one depend on the next. */
  let clause: { written: string; syllables: string[][] }[] = [];
  const endClause = () => {
    const said = toneSandhi(clause.flatMap(({ syllables }) => syllables));
    let next = 0;
    for (const { written, syllables } of clause) {
      const own = said.slice(next, next + syllables.length);
      next += syllables.length;
      words.push({ written, spoken: own.map(phonemesOf).filter(Boolean).join(' ') });
    }
    clause = [];
  };
  const text = parts.map(({ read }) => read).join('');
  for (const { written, words: found, part } of groupWords(parts, dictionary.words(text))) {
    if (part?.mark !== undefined || written.trim() === '') {
      endClause();
      words.push({ written, spoken: '', mark: part?.mark ?? ' ' });
      continue;
    }
    const said = entries?.pronounce(written) ?? part?.said;
    if (said === undefined) clause.push({ written, syllables: found.map(({ syllables }) => [...syllables]) });
    else {
      endClause();
      words.push({ written, spoken: said });
    }
  }
  endClause();
  return words;
}

function phonemesOf(syllables: readonly string[]): string {
  return syllables.map((syllable) => syllablePhonemes(syllable) ?? kanaPhonemes(toHiragana(syllable))).join('');
}
