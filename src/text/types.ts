/** The data of the text front end. */

/** Some characters of the input, and what is spoken for them. */
export interface SpokenToken {
  /** As in the input, with its punctuation; captions show it. */
  written: string;
  /**
   * Words in letters, separated by spaces, with the punctuation that shapes the sentence: `$3.50,` → `three dollars and
   * fifty cents,`. Empty if silent.
   */
  spoken: string;
  /** The pronunciation between the slashes of `[word](/ipa/)`; overrides `spoken`. */
  ipa?: string;
  /** What captions show instead of `written`; empty if the caption of the token before includes this one. */
  caption?: string;
}

/** How to say some written words, whatever they look like. */
export type GivenReading =
  /** Phonemes in Kokoro's alphabet. */
  | { ipa: string }
  /** Other words to say in their place. */
  | { alias: string }
  | { as: SayAs };

/** Settings for readings that the text alone does not determine. */
export type SayAs = 'characters' | 'digits' | 'cardinal' | 'ordinal' | 'telephone';

/** A part of a text in which nothing is a control token, a tag or Markdown. */
export type TextPart =
  | { type: 'text'; text: string }
  /** Ends the sentence, also if it lasts 0 s. */
  | { type: 'pause'; seconds: number; endsParagraph?: boolean }
  | { type: 'reading'; written: string; reading: GivenReading }
  /** A place whose time is reported. */
  | { type: 'mark'; name: string };

/** Text with control tokens and Markdown, or its parts. */
export type TextInput = string | readonly TextPart[];

/** A mark before a token of its sentence. */
export interface TokenMark {
  name: string;
  /** Index of the token, or their number if it is after the last one. */
  token: number;
}

/**
 * A sentence, a pause or a mark between sentences of the input text. `phonemes` is set if the client sent them: Kokoro's
 * alphabet, one string per token with the space before it. `startsParagraph` is set after another paragraph, unless a pause is
 * between them.
 */
export type TextSegment =
  | {
      type: 'sentence';
      tokens: SpokenToken[];
      phonemes?: string[];
      marks?: TokenMark[];
      startsParagraph?: boolean;
    }
  | { type: 'pause'; seconds: number }
  | { type: 'mark'; name: string };

/** Toggles of text normalization, as in the API. */
export interface NormalizationOptions {
  normalize: boolean;
  markdown_normalization: boolean;
  unit_normalization: boolean;
  url_normalization: boolean;
  email_normalization: boolean;
  optional_pluralization_normalization: boolean;
  phone_normalization: boolean;
  replace_remaining_symbols: boolean;
}

/** Kokoro's language letters: `a` is American English, `b` British English. */
export type LanguageLetter = 'a' | 'b' | 'e' | 'f' | 'h' | 'i' | 'j' | 'p' | 'z';
