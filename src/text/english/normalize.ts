import { defaultNormalization } from '../normalization.ts';
import { textSegments } from '../segments.ts';
import type { NormalizationOptions, TextSegment } from '../types.ts';
import { sentenceEnd } from './normalize/sentences.ts';
import { sentenceTokens } from './normalize/tokens.ts';

/** Cuts an English text into sentences and pauses, as `LanguageText.segments`. */
export function englishSegments(text: string, options: NormalizationOptions): Generator<TextSegment> {
  return textSegments(text, options, { sentenceEnd, tokens: sentenceTokens });
}

/**
 * The spoken words of a whole English text, as one string. It leaves pauses out; a word with a given pronunciation stays
 * as written.
 * @param options defaults to `defaultNormalization`, option by option
 */
export function spokenText(text: string, options: Partial<NormalizationOptions> = {}): string {
  const spoken: string[] = [];
  for (const segment of englishSegments(text, { ...defaultNormalization, ...options })) {
    if (segment.type === 'sentence') spoken.push(...segment.tokens.map((token) => token.spoken).filter(Boolean));
  }
  return spoken.join(' ');
}
