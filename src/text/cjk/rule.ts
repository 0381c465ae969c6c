import { firstMatch } from '../first-match.ts';
import { textBefore } from '../patterns.ts';
import type { NormalizationOptions } from '../types.ts';
import type { Rewrite } from './spans.ts';

/** An index in a sentence. */
export interface Context {
  /** The sentence, half width. */
  text: string;
  index: number;
  options: NormalizationOptions;
}

/** Whether one of the patterns, which end in `$`, matches before the index. */
export function endsWithAny(context: Context, length: number, patterns: readonly RegExp[]): boolean {
  const before = textBefore(context, length);
  return patterns.some((pattern) => pattern.test(before));
}

/** Rewrites what begins at the index. Patterns are sticky and bounded. */
export type Rule<C extends Context = Context> = (context: C) => Rewrite | undefined;

/** The rules of a language, in the order in which they are tried. */
export interface Rules<C extends Context> {
  /** With `normalize`: those for the character at the index. */
  ofCharacter: (context: C) => readonly Rule<C>[];
  /** With `normalize`: those for any character. */
  normalizing: readonly Rule<C>[];
  /** With `normalize` off, too. */
  always: readonly Rule<C>[];
  /** With `normalize`: for what no other rule has rewritten. */
  last: Rule<C>;
}

/** Rewrites what begins at the index by the rules of its language. */
export function rewriteByRules<C extends Context>(
  { ofCharacter, normalizing, always, last }: Rules<C>,
  context: C,
): Rewrite | undefined {
  if (!context.options.normalize) return firstMatch(always, context);
  return (
    firstMatch(ofCharacter(context), context) ??
    firstMatch(normalizing, context) ??
    firstMatch(always, context) ??
    last(context)
  );
}
