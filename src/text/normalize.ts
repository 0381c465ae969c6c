import { textSegments } from './segments.ts';
import type { NormalizationOptions } from './types.ts';

/** Everything is normalized but units, as in the API. */
export const defaultNormalization: NormalizationOptions = {
  normalize: true,
  unit_normalization: false,
  url_normalization: true,
  email_normalization: true,
  optional_pluralization_normalization: true,
  phone_normalization: true,
  replace_remaining_symbols: true,
};

/**
 * What is said for a whole text, as one string. Pauses are left out, and a word with a given pronunciation stands as it
 * is written.
 * @param options those that are not given are the default
 */
export function spokenText(text: string, options: Partial<NormalizationOptions> = {}): string {
  const spoken: string[] = [];
  for (const segment of textSegments(text, { ...defaultNormalization, ...options })) {
    if (segment.type === 'sentence') spoken.push(...segment.tokens.map((token) => token.spoken).filter(Boolean));
  }
  return spoken.join(' ');
}
