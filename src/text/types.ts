/** What the text front end reads, and what it makes of it. */

/** A piece of the input as it was written, and what is to be said for it. */
export interface SpokenToken {
  /** As it stands in the input, with its punctuation: what captions show. */
  written: string;
  /**
   * The words to say, in letters, separated by blanks, with the punctuation that shapes the sentence kept at its place:
   * `$3.50,` → `three dollars and fifty cents,`. Empty where nothing is said.
   */
  spoken: string;
  /** Pronunciation given by `[word](/ipa/)`, as it stands between the slashes; it takes the place of `spoken`. */
  ipa?: string;
}

/** `phonemes`: where it was given in Kokoro's alphabet, one string each token with the blank before it. */
export type TextSegment =
  | { type: 'sentence'; tokens: SpokenToken[]; phonemes?: string[] }
  | { type: 'pause'; seconds: number };

/** Toggles of text normalization, as in the API. */
export interface NormalizationOptions {
  normalize: boolean;
  unit_normalization: boolean;
  url_normalization: boolean;
  email_normalization: boolean;
  optional_pluralization_normalization: boolean;
  phone_normalization: boolean;
  replace_remaining_symbols: boolean;
}

/** Kokoro's language letters: American and British English are those that the built-in engine speaks. */
export type LanguageLetter = 'a' | 'b' | 'e' | 'f' | 'h' | 'i' | 'j' | 'p' | 'z';
