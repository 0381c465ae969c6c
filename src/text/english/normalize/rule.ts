import { matchAt } from '../../patterns.ts';
import type { NormalizationOptions } from '../../types.ts';

/** An index in a sentence, never within a run of letters or of digits, and what comes before it. */
export interface Context {
  /** The sentence. */
  text: string;
  index: number;
  /** The word or number before, as written, without punctuation; empty at the start of the sentence. */
  previous: string;
  /** Whether the sentence is in capitals throughout. */
  allCaps: boolean;
  options: NormalizationOptions;
}

/** The spoken words for the text up to `end`; empty if it is silent. */
export interface Match {
  end: number;
  words: string;
}

/** Matches the text from an index on and gives its words. Patterns are sticky and bounded. */
export type Rule = (context: Context) => Match | undefined;

/** A number after an abbreviation, also in Roman numerals. */
export const numberNext = /\s?(?:[#(]|\s[-−])?\d|\s(?:[IVXLC]+|[ivxl]{2,8})\b|\s[A-Z]{1,4}-?\d/y;
/** A name after an abbreviation, or a word with its own pronunciation. */
export const nameNext = /\s{1,2}(?:\p{Lu}|\uFFFC)/uy;
const sentenceRest = /[\s"'”’)\]}»*_]*$/uy;

/** The full stop of an abbreviation that ends the sentence; otherwise empty. */
export function finalStop(text: string, end: number): string {
  return text[end - 1] === '.' && matchAt(sentenceRest, text, end) ? '.' : '';
}
