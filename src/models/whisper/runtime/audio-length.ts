import type { TranscriptionTask } from '../../../contracts/transcription.ts';
import { POSITION_SAMPLES, POSITION_SECONDS, type WhisperConfiguration } from '../configuration.ts';
import { audioLengths } from '../graph/encoder.ts';

/** Minimum seconds of silence after the audio (docs/decisions/0017-short-audio.md). */
const MIN_SILENCE = 2;

/**
 * Encoder positions for audio with the silence after it, rounded up to a length that the graphs support. For translation
 * always all positions: over short audio, models write the language that they hear.
 * @param samples at 16 kHz
 */
export function encodedPositions(
  samples: number,
  task: TranscriptionTask,
  configuration: Pick<WhisperConfiguration, 'audioPositions'>,
): number {
  if (task === 'translate') return configuration.audioPositions;
  const needed = samples / POSITION_SAMPLES + MIN_SILENCE / POSITION_SECONDS;
  return audioLengths(configuration).find((positions) => positions >= needed) ?? configuration.audioPositions;
}
