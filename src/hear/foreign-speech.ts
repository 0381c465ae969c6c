import type { Segment } from '../contracts/transcription.ts';

/**
 * Mean log probability, by time, below which a model that knows one language hears another one. With Moonshine and
 * Whisper tiny.en, 35 English recordings lay above −0.7, those in noise as loud as the speech included, and 37 in twelve
 * other languages below −0.75. English under other voices just as loud may count as another language.
 */
const MIN_LOGPROB = -0.75;
/** Seconds of text that tell. */
const MIN_SECONDS = 1;

/** Whether the text of a model that knows one language is that of speech in another one. */
export function isForeignSpeech(segments: readonly Pick<Segment, 'start' | 'end' | 'avg_logprob'>[]): boolean {
  let seconds = 0;
  let sum = 0;
  for (const { start, end, avg_logprob } of segments) {
    seconds += end - start;
    sum += (end - start) * avg_logprob;
  }
  return seconds >= MIN_SECONDS && sum / seconds < MIN_LOGPROB;
}
