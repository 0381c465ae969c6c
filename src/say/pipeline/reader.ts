import type { LanguageLetter, TextSegment } from '../../text/types.ts';
import type { UserLexicon } from '../../text/user-lexicon.ts';
import type { Reading } from './chunker.ts';

export type Sentence = Extract<TextSegment, { type: 'sentence' }>;

export interface ReadOptions {
  language: LanguageLetter;
  /** Pronunciations that go before all others. */
  lexicon: UserLexicon | undefined;
}

/** Reads sentences into the units that a synthesizer takes. */
export interface Reader<Unit> {
  read(sentence: Pick<Sentence, 'tokens' | 'phonemes'>, options: ReadOptions): Promise<Reading<Unit>>;
}
