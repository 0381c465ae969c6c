import type { Accent } from './phoneme-alphabet.ts';
import type { NormalizationOptions, SpokenToken, TextInput, TextSegment } from './types.ts';
import type { UserLexicon } from './user-lexicon.ts';

/** One language, from text to phonemes. Calls do not affect each other. */
export interface LanguageText {
  /**
   * Cuts a text into sentences, pauses and marks, lazily, and reads control tokens. Each language has its own format for
   * `SpokenToken.spoken`, which only its `phonemes` reads. Tokens with given phonemes have an `ipa` or only punctuation.
   * @param entries as for `phonemes`: languages without spaces cut their words by them
   */
  segments(text: TextInput, normalization: NormalizationOptions, entries?: UserLexicon): Iterable<TextSegment>;
  /**
   * The tokens of one sentence in Kokoro's alphabet: one string per token, with the space before it; empty if silent.
   * May load a dictionary for rare words first; the result does not depend on when.
   * @param entries pronunciations that override all others
   */
  phonemes(tokens: readonly SpokenToken[], entries?: UserLexicon): Promise<string[]>;
  /**
   * Whether a phrase begins with the token, so that a voice may pause before it. A language that decides by sound alone
   * gives the same result for phonemes as for the text they came from.
   * @param sound phonemes of the token, or of one of its words
   */
  beginsPhrase(token: SpokenToken, sound: string): boolean;
}

/** How a language cuts sentences and reads them. */
export interface SentenceRules {
  /**
   * Index after the first sentence of a text and the whitespace that follows.
   * @param text begins without whitespace; at least `sentenceWindow` characters unless complete
   * @param lineOffset characters of the current line before the text
   * @param complete whether the text ends here
   */
  sentenceEnd(text: string, lineOffset: number, complete: boolean): number;
  /**
   * The tokens of a sentence, in order.
   * @param pronunciations one for each `pronunciationMark` in the text; other marks are text
   */
  tokens(text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[];
  /** A whole number written so that `tokens` reads it as a cardinal; by default as it is. */
  cardinal?(digits: string): string;
  /** A whole number written so that `tokens` reads it as an ordinal. */
  ordinal(digits: string): string;
}

/** Takes the place of a `[word](/ipa/)` or another given reading in a sentence. */
export const pronunciationMark = '\uFFFC';

/** A reading given in the text: phonemes, or tokens that are spoken as they are. */
export type Pronunciation = {
  /** Index of its mark in the sentence. */
  index: number;
  written: string;
} & ({ ipa: string; tokens?: undefined } | { tokens: readonly SpokenToken[] });

/** Pronounces words that a language's own rules do not know, with an engine that loads on first use. */
export interface UnknownWords {
  /** A word in Kokoro's alphabet; empty until the engine is loaded. */
  say(word: string, accent: Accent): string;
  /**
   * Calls `read` again if it met an unknown word before the engine was loaded.
   * @returns the result that `read` gives with the engine loaded
   */
  during<Result>(read: () => Result): Promise<Result>;
}
