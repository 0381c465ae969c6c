import type { SpokenToken } from '../synthesis.ts';
import type { LanguageText } from './language.ts';
import type { Accent, English } from './phonemes.ts';
import { textPieces } from './pieces.ts';
import { wordSet } from './reading.ts';

/** English in one of its accents. */
export function englishText(english: English, accent: Accent): LanguageText {
  return {
    pieces: textPieces,
    phonemes: (tokens, entries) => english.phonemes(tokens, accent, entries),
    beginsPhrase: ({ spoken }: SpokenToken) => openers.has(spoken.toLowerCase()),
  };
}

/** Words that a phrase begins with. */
const openers = wordSet(`
  and but or nor so yet because although though since unless until while whereas when where if which who whom
  whose why how than as after before in on at of for from with without into onto over under about through between
  during against among towards across behind beyond near by to is are was were will would
`);
