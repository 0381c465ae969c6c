import { kanaPhonemes, toHiragana } from '../cjk/kana.ts';
import { groupWords, type Span } from '../cjk/spans.ts';
import type { Word } from '../cjk/tokens.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import type { Dictionary } from './dictionary.ts';
import { syllablePhonemes } from './phonemes.ts';
import { toneSandhi } from './tones.ts';

/**
 * The words of a sentence; `spoken` is their phonemes.
 * @param entries pronunciations that override the dictionary's
 */
export function readWords(spans: readonly Span[], dictionary: Dictionary, entries?: UserLexicon): Word[] {
  const words: Word[] = [];
  /** Words since the last mark: the tones of a word depend on the next one. */
  let clause: { written: string; syllables: string[][] }[] = [];
  const endClause = () => {
    const syllableGroups = toneSandhi(clause.flatMap(({ syllables }) => syllables));
    let next = 0;
    for (const { written, syllables } of clause) {
      const own = syllableGroups.slice(next, next + syllables.length);
      next += syllables.length;
      words.push({ written, spoken: own.map(phonemesOf).filter(Boolean).join(' ') });
    }
    clause = [];
  };
  const text = spans.map(({ replacement }) => replacement).join('');
  for (const group of groupWords(spans, dictionary.words(text))) {
    const { written, span } = group;
    if (span?.mark !== undefined || written.trim() === '') {
      endClause();
      words.push({ written, spoken: '', mark: span?.mark ?? ' ' });
      continue;
    }
    const spoken = entries?.pronounce(written) ?? span?.spoken;
    if (spoken === undefined) clause.push({ written, syllables: group.words.map(({ syllables }) => [...syllables]) });
    else {
      endClause();
      words.push({ written, spoken });
    }
  }
  endClause();
  return words;
}

function phonemesOf(syllables: readonly string[]): string {
  return syllables.map((syllable) => syllablePhonemes(syllable) ?? kanaPhonemes(toHiragana(syllable))).join('');
}
