import { sentenceEnd } from '../text/english/normalize/sentence-end.ts';
import type { SentenceRules } from '../text/language.ts';
import { sentenceEndOf } from '../text/languages.ts';
import type { LanguageLetter } from '../text/types.ts';

/** Only the whole word after a full stop tells whether it ends a sentence: `Dr. Th` may become Dr. Thorn. Han and kana end one. */
const WORD_NEXT = /^\S+\s|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** In other languages two words and the first one with letters may tell: `lun. 5 de mayo`, `20. 42,5 km`. */
const WORDS_NEXT = /^(?=\S+\s+\S+\s)\P{L}*\p{L}\S*\s/u;
/** The end of a sentence in a script without spaces, where no word decides. */
const SPACELESS_END = /[。！？｡।॥؟۔։።]["'”’」』》）)\]】]{0,6}\s*$/;
/** Characters at the end of a text to search, to bound the time; sentences are shorter. */
const REACH = 4000;

/** How a language cuts sentences of a text that arrives in pieces. */
export interface PieceRules {
  sentenceEnd: SentenceRules['sentenceEnd'];
  /** What must follow a sentence before it is known to have ended. */
  next: RegExp;
}

const ENGLISH: PieceRules = { sentenceEnd, next: WORD_NEXT };

/** The rules of a language; Japanese and Mandarin have the abbreviations of English. */
export async function pieceRules(letter: LanguageLetter): Promise<PieceRules> {
  const own = await sentenceEndOf(letter);
  return own ? { sentenceEnd: own, next: WORDS_NEXT } : ENGLISH;
}

/**
 * Finds the sentences that have ended in a text of which more will come, by the rules that cut a whole text.
 * @param lineOffset characters of the line before the text
 * @returns the index after the last of them and the whitespace that follows; 0 if there is none
 */
export function wholeSentencesEnd(text: string, rules = ENGLISH, lineOffset = 0): number {
  let found = 0;
  for (let index = Math.max(0, text.length - REACH); ; index = found) {
    const rest = text.slice(index).trimStart();
    const start = text.length - rest.length;
    const length = rules.sentenceEnd(rest, offsetInLine(text, start, lineOffset), true);
    const next = rest.slice(length);
    const isOver = rules.next.test(next) || (next !== '' && SPACELESS_END.test(rest.slice(0, length)));
    if (!isOver) return found;
    found = text.length - next.length;
  }
}

/**
 * Characters of the line before an index.
 * @param lineOffset characters of the line before the text
 */
export function offsetInLine(text: string, index: number, lineOffset = 0): number {
  // lastIndexOf takes a negative index for 0.
  if (index === 0) return lineOffset;
  const lineBreak = Math.max(text.lastIndexOf('\n', index - 1), text.lastIndexOf('\r', index - 1));
  return lineBreak < 0 ? lineOffset + index : index - lineBreak - 1;
}
