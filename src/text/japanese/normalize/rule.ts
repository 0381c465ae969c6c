import type { Context as AnyContext, Rule as AnyRule } from '../../cjk/rule.ts';
import type { EnglishWords } from '../latin.ts';

/** An index in a sentence, and the English words. */
export interface Context extends AnyContext {
  english: EnglishWords;
}

/** Rewrites what begins at the index. `spoken` is kana; `replacement` lets the analyser read the words around it. */
export type Rule = AnyRule<Context>;
