import { matchAt } from '../../patterns.ts';
import type { NormalizationOptions } from '../../types.ts';

/** A place in a sentence where something is to be read, never within a run of letters or of digits. */
export interface Context {
  /** The sentence. */
  text: string;
  index: number;
  /** The word or number before it, as written, without its punctuation; empty at the start of the sentence. */
  previous: string;
  /** Whether the sentence is in capitals throughout. */
  allCaps: boolean;
  options: NormalizationOptions;
}

/** What is said for the text up to `end`; empty words: nothing is. */
export interface Match {
  end: number;
  words: string;
}

/** Reads what begins at a place, or leaves it to another reader. Patterns are sticky and bounded. */
export type Rule = (context: Context) => Match | undefined;

/** The first reading that one of the readers offers. */
export function firstMatch(rules: readonly Rule[], context: Context): Match | undefined {
  for (const rule of rules) {
    const match = rule(context);
    if (match) return match;
  }
  return undefined;
}

const sentenceRest = /[\s"'”’)\]}»*_]*$/uy;

/** The full stop that an abbreviation swallowed, where the sentence ends with it. */
export function finalStop(text: string, end: number): string {
  return text[end - 1] === '.' && matchAt(sentenceRest, text, end) ? '.' : '';
}
