import type { Segment } from '../contracts/transcription.ts';

/**
 * Mean log probability, weighted by time, below which the speech is not in the only language of the model. With
 * Moonshine and Whisper tiny.en, 35 English recordings were above −0.7, even in noise as loud as the speech, and 37 in
 * twelve other languages below −0.75. English with other voices of the same loudness may count as another language.
 */
const MIN_LOGPROB = -0.75;
/** Minimum seconds of text for a decision. */
const MIN_SECONDS = 1;

/** Whether the text of a model with one language comes from speech in another one. */
export function isForeignSpeech(segments: readonly Pick<Segment, 'start' | 'end' | 'avg_logprob'>[]): boolean {
  let seconds = 0;
  let sum = 0;
  for (const { start, end, avg_logprob } of segments) {
    seconds += end - start;
    sum += (end - start) * avg_logprob;
  }
  return seconds >= MIN_SECONDS && sum / seconds < MIN_LOGPROB;
}
