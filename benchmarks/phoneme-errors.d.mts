import type { Accent, English } from '../src/text/english/g2p/phonemes.ts';
import type { LanguageText } from '../src/text/language.ts';
import type { LanguageLetter, NormalizationOptions, TextSegment } from '../src/text/types.ts';

export interface Golden {
  class: string;
  text: string;
  us: string;
  gb: string;
}

export interface Modules {
  english: English;
  englishSegments: (input: string, options: NormalizationOptions) => Iterable<TextSegment>;
  defaultNormalization: NormalizationOptions;
}

export function pronounce(text: string, accent: Accent, modules: Modules): string;
export function errors(said: string, meant: string): number;
export function errorRates(goldens: readonly Golden[], accent: Accent, modules: Modules): Map<string, number>;
export interface LanguageGolden {
  language: LanguageLetter;
  text: string;
  phonemes: string;
}
export function readGoldens<Read = Golden>(path: string): Read[];
export function pronounceIn(
  language: LanguageText,
  text: string,
  defaultNormalization: NormalizationOptions,
): Promise<string>;
export function languageErrorRate(
  goldens: readonly LanguageGolden[],
  language: LanguageText,
  modules: { defaultNormalization: NormalizationOptions; unknownPhonemes: (text: string) => string[] },
): Promise<number>;
