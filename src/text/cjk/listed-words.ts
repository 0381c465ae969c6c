import type { UserLexicon } from '../user-lexicon.ts';
import type { Rewrite } from './spans.ts';

/** Placeholder for text that is not read from a dictionary: every dictionary takes this sign for a separate word. */
export const PLACEHOLDER = '★';
/** Scripts whose adjacent characters are one word. */
const WORD_CHARACTERS = [/[\p{Script=Latin}\p{M}\p{Nd}]/u, /[ァ-ヺーｦ-ﾟ]/];

/**
 * The longest word of the user's lexicon at an index of a sentence without spaces. Words that the dictionary has as well
 * are looked up after the sentence is cut, which shows if their characters are part of other words (京都 in 東京都).
 * @param isWord whether the dictionary has it as one word
 */
export function listedWordAt(
  entries: UserLexicon | undefined,
  text: string,
  index: number,
  isWord: (word: string) => boolean,
): Rewrite | undefined {
  const end = entries?.longestAt(text, index);
  if (end === undefined || isWithinWord(text, index) || isWithinWord(text, end)) return undefined;
  const word = text.slice(index, end);
  // Otherwise its digits would be read as a number first.
  return isWord(word) && !/\d/.test(word) ? undefined : { end, replacement: PLACEHOLDER };
}

function isWithinWord(text: string, index: number): boolean {
  return WORD_CHARACTERS.some((script) => script.test(text[index - 1] ?? '') && script.test(text[index] ?? ''));
}
