import { matchAt } from '../../control-tokens.ts';
import type { NormalizationOptions } from '../../types.ts';

export { wordSet } from '../../patterns.ts';

/** A place in a sentence where something is to be read, never within a run of letters or of digits. */
export interface Place {
  /** The sentence. */
  text: string;
  at: number;
  /** The word or number before it, as written, without its punctuation; empty at the start of the sentence. */
  previous: string;
  /** Whether the sentence is in capitals throughout. */
  shouting: boolean;
  options: NormalizationOptions;
}

/** What is said for the text up to `end`; empty words: nothing is. */
export interface Reading {
  end: number;
  words: string;
}

/** Reads what begins at a place, or leaves it to another reader. Patterns are sticky and bounded. */
export type Reader = (place: Place) => Reading | undefined;

/** The first reading that one of the readers offers. */
export function firstReading(readers: readonly Reader[], place: Place): Reading | undefined {
  for (const reader of readers) {
    const reading = reader(place);
    if (reading) return reading;
  }
  return undefined;
}

const sentenceRest = /[\s"'”’)\]}»*_]*$/uy;

/** The full stop that an abbreviation swallowed, where the sentence ends with it. */
export function finalStop(text: string, end: number): string {
  return text[end - 1] === '.' && matchAt(sentenceRest, text, end) ? '.' : '';
}
