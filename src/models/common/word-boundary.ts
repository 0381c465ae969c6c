/** Scripts that write no spaces between words. */
const SCRIPT_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]/u;
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}]$/u;
const STARTS_IN_WORD = /^[\p{L}\p{M}\p{N}]/u;

/** Whether a text begins in a script that writes no spaces between words. */
export function isWrittenWithoutSpaces(text: string): boolean {
  return SCRIPT_WITHOUT_SPACES.test(String.fromCodePoint(text.codePointAt(0) ?? 0));
}

/** Whether the text of a token continues the word at the end of the text before it. */
export function continuesWord(before: string, text: string): boolean {
  if (!ENDS_IN_WORD.test(before) || !STARTS_IN_WORD.test(text)) return false;
  return !isWrittenWithoutSpaces(before.at(-1)!) && !isWrittenWithoutSpaces(text);
}
