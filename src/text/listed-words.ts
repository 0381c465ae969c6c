import type { Found } from './part-split.ts';
import type { UserLexicon } from './user-lexicon.ts';

/** Stands for a listed word among the words around it: a sign that is a word by itself, whatever is beside it. */
const STAND_IN = '★';
/** Characters that make one word where they stand side by side. */
const RUNS = [/[\p{Script=Latin}\p{M}\p{Nd}]/u, /[ァ-ヺーｦ-ﾟ]/];

/**
 * A word of the user's lexicon at a place of a sentence whose language writes no blanks: the longest one, unless the
 * dictionary holds it as one word. Of such a word the dictionary knows better where it stands and where its characters are
 * parts of others (京都 in 東京都), so that it is looked up when the sentence has been cut.
 * @param isWord whether the dictionary holds it as one word
 */
export function listedAt(
  entries: UserLexicon | undefined,
  text: string,
  at: number,
  isWord: (word: string) => boolean,
): Found | undefined {
  const end = entries?.longestAt(text, at);
  if (end === undefined || isWithinRun(text, at) || isWithinRun(text, end)) return undefined;
  const word = text.slice(at, end);
  // Digits are numbers before they are words.
  return isWord(word) && !/\d/.test(word) ? undefined : { end, read: STAND_IN };
}

function isWithinRun(text: string, at: number): boolean {
  return RUNS.some((run) => run.test(text[at - 1] ?? '') && run.test(text[at] ?? ''));
}
