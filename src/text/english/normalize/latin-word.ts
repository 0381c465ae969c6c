import type { Context } from './rule.ts';

/** A word in Latin letters, maybe with marks and apostrophes. */
export interface LatinWord extends Context {
  word: string;
  /** Index after it. */
  end: number;
  /** The code unit before it, and the one after it; empty at the edges of the sentence. */
  before: string;
  after: string;
}
