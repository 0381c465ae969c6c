import { sentenceEnd } from '../text/english/normalize/sentence-end.ts';

/** Only the whole word after a full stop tells whether it ends a sentence: `Dr. Th` may become Dr. Thorn. Han and kana end one. */
const WORD_NEXT = /^\S+\s|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The end of a sentence in a script without spaces, where no word decides. */
const SPACELESS_END = /[。！？｡।॥؟۔։።]["'”’」』》）)\]】]{0,6}\s*$/;
/** Characters at the end of a text to search, to bound the time; sentences are shorter. */
const REACH = 4000;

/**
 * Finds the sentences that have ended in a text of which more will come, by the rules that cut a whole text. The abbreviations
 * of English are used for every language: the HTTP process loads no others.
 * @returns the index after the last of them and the whitespace that follows; 0 if there is none
 */
export function wholeSentencesEnd(text: string): number {
  let found = 0;
  for (let index = Math.max(0, text.length - REACH); ; index = found) {
    const rest = text.slice(index).trimStart();
    const length = sentenceEnd(rest, 0, true);
    const next = rest.slice(length);
    const isOver = WORD_NEXT.test(next) || (next !== '' && SPACELESS_END.test(rest.slice(0, length)));
    if (!isOver) return found;
    found = text.length - next.length;
  }
}
