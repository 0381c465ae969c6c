import type {
  SettledEvent,
  SpeechRecognizer,
  TranscriptionEvent,
  UtteranceJob,
} from '../../contracts/transcription.ts';
import { missedSpeech } from '../../vad/coverage.ts';
import { speechWindows } from '../../vad/segmenter.ts';
import { FRAME, SAMPLE_RATE } from '../../vad/silero.ts';

/**
 * From samples to segments, cut into windows and recognized as a recording is. Voice activity is known already. After the
 * segments of a window that a pause has completed comes `settled`.
 */
export async function* transcribeUtterance(
  recognizer: SpeechRecognizer,
  job: UtteranceJob,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent | SettledEvent> {
  const { samples, probabilities } = job;
  let isOver = false;
  async function* audio() {
    yield samples;
    isOver = true;
  }
  let position = 0;
  const known = {
    async next(frames: Float32Array): Promise<Float32Array> {
      const count = frames.length / FRAME;
      position += count;
      return probabilities.subarray(position - count, position);
    },
  };
  let language = job.language ?? recognizer.info.languages[0]!;
  let hasText = false;
  let missed = 0;
  for await (const window of speechWindows(audio(), known, recognizer.windowLimits)) {
    const { speech, end } = window;
    const isComplete = !isOver;
    const recognized = await recognizer.recognize(window, { job, signal });
    missed += missedSpeech(speech, recognized.segments);
    if (recognized.segments.length > 0) {
      language = recognized.language;
      hasText = true;
    }
    for (const segment of recognized.segments) yield { type: 'segment', segment };
    if (isComplete) yield { type: 'settled', end: end / SAMPLE_RATE };
  }
  yield { type: 'end', language, languages: hasText ? [language] : [], duration: samples.length / SAMPLE_RATE, missed };
}
