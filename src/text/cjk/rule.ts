import type { NormalizationOptions } from '../types.ts';
import type { Rewrite } from './spans.ts';

/** An index in a sentence. */
export interface Context {
  /** The sentence, half width. */
  text: string;
  index: number;
  options: NormalizationOptions;
}

/** Rewrites what begins at the index. Patterns are sticky and bounded. */
export type Rule<C extends Context = Context> = (context: C) => Rewrite | undefined;

/** The rewrite of the first rule that has one. */
export function firstRewrite<C extends Context>(rules: readonly Rule<C>[], context: C): Rewrite | undefined {
  for (const rule of rules) {
    const rewrite = rule(context);
    if (rewrite) return rewrite;
  }
  return undefined;
}
