/**
 * Tone sandhi: a third tone before another becomes a second tone. In a word, all but the last change (展览馆); between
 * words, only next to a word of one syllable (很好, 我想). Source: Chen, Tone Sandhi, chapter 9. The dictionary's readings
 * have the sandhi of 一 and 不.
 */

/** The syllables of a word, each with its tone as a digit. */
type Syllables = readonly string[];

/** Applies tone sandhi to the words of a clause. */
export function toneSandhi(words: readonly Syllables[]): string[][] {
  const result = words.map((word) => withinWord([...word]));
  for (let index = result.length - 2; index >= 0; index--) {
    const word = result[index]!;
    const next = result[index + 1]!;
    const last = word.length - 1;
    if (word.length !== 1 && next.length !== 1) continue;
    if (isThird(word[last]) && isThird(next[0])) word[last] = second(word[last]!);
  }
  return result;
}

function withinWord(syllables: string[]): string[] {
  for (let index = 0; index + 1 < syllables.length; index++) {
    if (isThird(syllables[index]) && isThird(syllables[index + 1])) syllables[index] = second(syllables[index]!);
  }
  return syllables;
}

function isThird(syllable: string | undefined): boolean {
  return syllable?.endsWith('3') === true;
}

function second(syllable: string): string {
  return `${syllable.slice(0, -1)}2`;
}
