import type { NormalizationOptions, TextPiece } from '../src/synthesis.ts';
import type { Accent, English } from '../src/text/phonemes.ts';

export interface Golden {
  class: string;
  text: string;
  us: string;
  gb: string;
}

export interface Modules {
  english: English;
  textPieces: (input: string, options: NormalizationOptions) => Iterable<TextPiece>;
  defaultNormalization: NormalizationOptions;
}

export function readGoldens(path: string): Golden[];
export function pronounce(text: string, accent: Accent, modules: Modules): string;
export function errors(said: string, meant: string): number;
export function errorRates(goldens: readonly Golden[], accent: Accent, modules: Modules): Map<string, number>;
