import type { SynthesisJob, Synthesizer, VoiceWeight } from '../../contracts/synthesis.ts';
import type { LanguageLetter, NormalizationOptions, TextInput } from '../../text/types.ts';

/** A passage as the synthesizer speaks it. */
export interface JobPassage {
  index: number;
  input: { text: TextInput; normalization: NormalizationOptions } | { phonemes: string };
  voice: VoiceWeight[];
  language: LanguageLetter;
  /** What the synthesizer is asked for. */
  speed: number;
  /** By which its sound is made faster afterwards. */
  tempo: number;
  volume: number;
  /** Seconds. */
  pauseAfter: number;
  /** Index of its chapter in a book. */
  chapter?: number;
}

/**
 * The passages of a job: a text without any is one.
 * @param speeds that the synthesizer speaks well at; its sound is stretched for others
 */
export function passagesOf(
  job: Extract<SynthesisJob, { kind: 'speech' }>,
  speeds: Synthesizer<unknown>['speeds'],
): JobPassage[] {
  const { input } = job;
  const passages =
    'passages' in input
      ? input.passages.map(({ text, ...passage }) => ({
          ...passage,
          input: { text, normalization: input.normalization },
        }))
      : [{ ...job, input }];
  return passages.map((passage, index) => {
    const speed = speeds ? Math.max(speeds.min, Math.min(speeds.max, passage.speed)) : passage.speed;
    const pauseAfter = 'pauseAfter' in passage ? (passage.pauseAfter ?? 0) : 0;
    return { ...passage, index, speed, tempo: passage.speed / speed, pauseAfter };
  });
}
