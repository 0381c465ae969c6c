/**
 * Tone sandhi between syllables: a third tone before another is a second one. Within a word
 * every one but the last changes (展览馆); a word of one syllable joins the word that follows it (很好, 我想).
 * Chen, Tone Sandhi, chapter 9. The sandhi of 一 and 不 is in the dictionary's readings.
 */

/** A word as its syllables, each with its tone as a digit. */
type Syllables = readonly string[];

/** The words of a clause as they are said. */
export function toneSandhi(words: readonly Syllables[]): string[][] {
  const said = words.map((word) => withinWord([...word]));
  for (let at = said.length - 2; at >= 0; at--) {
    const word = said[at]!;
    const next = said[at + 1]!;
    const last = word.length - 1;
    if (word.length !== 1 && next.length !== 1) continue;
    if (isThird(word[last]) && isThird(next[0])) word[last] = second(word[last]!);
  }
  return said;
}

function withinWord(syllables: string[]): string[] {
  for (let at = 0; at + 1 < syllables.length; at++) {
    if (isThird(syllables[at]) && isThird(syllables[at + 1])) syllables[at] = second(syllables[at]!);
  }
  return syllables;
}

function isThird(syllable: string | undefined): boolean {
  return syllable?.endsWith('3') === true;
}

function second(syllable: string): string {
  return `${syllable.slice(0, -1)}2`;
}
