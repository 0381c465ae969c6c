import type { Context as AnyContext, Rule as AnyRule } from '../../cjk/rule.ts';

/** The `spoken` of a token for Latin words; empty if silent. */
export type SpokenLatin = (text: string) => string;

/** An index in a sentence, and what says Latin words. */
export interface Context extends AnyContext {
  spokenLatin: SpokenLatin;
}

/** Rewrites what begins at the index. `replacement` is the Chinese text to read. */
export type Rule = AnyRule<Context>;
