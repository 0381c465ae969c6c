import { POSITION_SAMPLES, POSITION_SECONDS, type WhisperConfiguration } from '../configuration.ts';
import { audioLengths } from '../graph/encoder.ts';

/** Minimum seconds of silence after the audio (docs/decisions/0017-short-audio.md). */
const MIN_SILENCE = 2;

/**
 * Encoder positions for audio with the silence after it, rounded up to a length that the graphs support.
 * @param samples at 16 kHz
 */
export function encodedPositions(samples: number, configuration: Pick<WhisperConfiguration, 'audioPositions'>): number {
  const needed = samples / POSITION_SAMPLES + MIN_SILENCE / POSITION_SECONDS;
  return audioLengths(configuration).find((positions) => positions >= needed) ?? configuration.audioPositions;
}
