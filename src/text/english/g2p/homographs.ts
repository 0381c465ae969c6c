import type { Phone } from './arpabet.ts';
import { byRule, hasRule } from './homograph-rules.ts';
import { isNounVerbPair, nounOrVerb } from './noun-verb-pairs.ts';
import { type Context, usedAs } from './part-of-speech.ts';

export { prefersRules } from './homograph-rules.ts';

/** Whether the word, in lower case, has two pronunciations. */
export function isHomograph(word: string): boolean {
  return hasRule(word) || isNounVerbPair(word);
}

/**
 * Phones of a homograph by its neighbours; undefined for other words.
 * @param entry the dictionary's phones of a word
 */
export function homograph(
  context: Context,
  index: number,
  entry: (word: string) => readonly Phone[],
): readonly Phone[] | undefined {
  const word = context.words[index]!;
  return hasRule(word) ? byRule(context, index) : nounOrVerb(word, usedAs(context, index), entry);
}
