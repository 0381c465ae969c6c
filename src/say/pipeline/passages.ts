import type { SpeechJob, VoiceWeight } from '../../contracts/synthesis.ts';
import type { LanguageLetter, NormalizationOptions, TextInput } from '../../text/types.ts';

/** A passage with the options of its speech. */
export interface JobPassage {
  index: number;
  input: { text: TextInput; normalization: NormalizationOptions } | { phonemes: string };
  voice: VoiceWeight[];
  language: LanguageLetter;
  speed: number;
  volume: number;
  /** Seconds. */
  pauseAfter: number;
  /** Index of its chapter in a book. */
  chapter?: number;
}

/** The passages of a job; a text without passages is a single one. */
export function passagesOf(job: SpeechJob): JobPassage[] {
  const { input } = job;
  const passages =
    'passages' in input
      ? input.passages.map(({ text, ...passage }) => ({
          ...passage,
          input: { text, normalization: input.normalization },
        }))
      : [{ ...job, input }];
  return passages.map((passage, index) => {
    const pauseAfter = 'pauseAfter' in passage ? (passage.pauseAfter ?? 0) : 0;
    return { ...passage, index, pauseAfter };
  });
}
