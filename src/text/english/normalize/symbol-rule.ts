import type { Context, Match } from './rule.ts';

/** A symbol in a sentence: any character except letters, digits and punctuation. */
export interface SymbolContext extends Context {
  character: string;
  /** Index after it. */
  end: number;
  /** The code unit before it, and the one after it; empty at the edges of the sentence. */
  before: string;
  after: string;
  /**
   * Makes a match with words that name the symbol; silent if symbols are.
   * @param to end of the match; by default that of the symbol
   */
  say(words: string, to?: number): Match;
}

export type SymbolRule = (symbol: SymbolContext) => Match | undefined;
