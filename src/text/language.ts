import type { Pronunciation } from './english/normalize/tokens.ts';
import type { NormalizationOptions, SpokenToken, TextSegment } from './types.ts';
import type { UserLexicon } from './user-lexicon.ts';

/** One language, from text to phonemes. It keeps nothing between calls that they could notice. */
export interface LanguageText {
  /**
   * Cuts a text into sentences and pauses, lazily, control tokens understood. What `spoken` of a token holds is between
   * this and `phonemes`, but for tokens that were given phonemes: those come with an `ipa`, or hold punctuation alone.
   * @param entries as for `phonemes`: a language that writes no blanks cuts its words by them
   */
  segments(text: string, normalization: NormalizationOptions, entries?: UserLexicon): Iterable<TextSegment>;
  /**
   * The tokens of one sentence in Kokoro's alphabet, one string each with the blank before it; empty where nothing is
   * said. What is needed for rare words only may load meanwhile; what is said does not depend on it.
   * @param entries pronunciations that go before all others
   */
  phonemes(tokens: readonly SpokenToken[], entries?: UserLexicon): Promise<string[]>;
  /**
   * Whether a phrase begins with the token, so that a reader may pause before it. A language that goes by the sound alone
   * has phonemes cut as the text that they came from.
   * @param sound phonemes of the token, or of one of its words
   */
  beginsPhrase(token: SpokenToken, sound: string): boolean;
}

/** How the sentences of a language are cut and read. */
export interface SentenceRules {
  /**
   * Where the first sentence of a text ends: the index behind it and behind the blanks that follow.
   * @param text begins with no blank; at least `sentenceWindow` characters unless it is complete
   * @param column characters of the line that stand before the text
   * @param complete whether nothing follows the text
   */
  sentenceEnd(text: string, column: number, complete: boolean): number;
  /**
   * The tokens of a sentence, in order: what is written, and what is said for it.
   * @param pronunciations what the pronunciation marks in the text stand for; a mark that is not listed is text
   */
  tokens(text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[];
}
