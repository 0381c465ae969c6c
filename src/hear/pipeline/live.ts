import type {
  HeardFrames,
  SettledEvent,
  SpeechRecognizer,
  StreamActivity,
  StreamFrames,
  TranscriptionEvent,
  UtteranceJob,
  VoiceActivityEvent,
  VoiceActivityJob,
} from '../../contracts/transcription.ts';
import { missedSpeech } from '../../vad/coverage.ts';
import { FRAME, SAMPLE_RATE, SPEECH_TAIL_FRAMES } from '../../vad/frames.ts';
import { OF_CONVERSATION, QuietPassages } from '../../vad/loudness.ts';
import { knownWindows } from '../../vad/segmenter.ts';
import type { VoiceActivityModel } from '../../vad/silero.ts';
import { later, segmentAfter } from '../realtime/segment-times.ts';

// Each job of live speech contains all that it needs, so that any engine can run the next one.

const NOTHING: HeardFrames = { samples: new Float32Array(0), probabilities: new Float32Array(0) };

/** Probability of speech for each frame, after the frames before, whose `state` the job holds. */
export async function* findSpeech(
  voiceActivity: VoiceActivityModel,
  { streams }: VoiceActivityJob,
): AsyncGenerator<VoiceActivityEvent> {
  const find = async ({ frames, state }: StreamFrames): Promise<StreamActivity> => {
    const detector = voiceActivity.detector(state);
    const quietPassages = new QuietPassages(OF_CONVERSATION, state?.peak);
    const probabilities = await detector.next(quietPassages.raise(frames).raised);
    return { probabilities, state: { ...detector.state, peak: quietPassages.remembered } };
  };
  yield { type: 'voice_activity', streams: await Promise.all(streams.map(find)) };
}

/**
 * Live speech is cut sooner than a recording, because complete windows need not be decoded again at the end of a turn.
 */
const LIVE_LIMITS = { enoughSpeech: 10, longPause: 1.5 } as const;

/**
 * Transcribes samples like a recording: cuts windows and recognizes them. Voice activity is already known. Leaves out
 * words of `before`; times count from the first sample after it. Sends `settled` after the segments of a window that a
 * pause has completed.
 */
export async function* transcribeUtterance(
  recognizer: SpeechRecognizer,
  utterance: UtteranceJob,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent | SettledEvent> {
  const job = { ...utterance, isLive: true };
  const { before = NOTHING } = job;
  // Models hallucinate less on speech that ends in a pause than on speech that is cut off.
  const pause = job.isDraft ? SPEECH_TAIL_FRAMES : 0;
  const samples = joined(before.samples, job.samples, pause * FRAME);
  const probabilities = joined(before.probabilities, job.probabilities, pause);
  const from = before.samples.length;
  let language = job.language ?? recognizer.info.languages[0]!;
  let hasText = false;
  let missed = 0;
  const { maxLength, enoughSpeech, longPause } = recognizer.windowLimits;
  const limits = {
    maxLength,
    enoughSpeech: Math.min(enoughSpeech, LIVE_LIMITS.enoughSpeech),
    longPause: Math.min(longPause, LIVE_LIMITS.longPause),
  };
  for (const { window, isComplete } of knownWindows(samples, probabilities, limits)) {
    const { speech, end } = window;
    if (end <= from) continue;
    const recognized = await recognizer.recognize(window, { job, signal });
    const spoken = speech
      .filter((span) => span.end > from)
      .map((span) => ({ ...span, start: Math.max(span.start, from) }));
    missed += missedSpeech(spoken, recognized.segments);
    const segments = recognized.segments.flatMap((segment) => segmentAfter(segment, from / SAMPLE_RATE) ?? []);
    if (segments.length > 0) {
      language = recognized.language;
      hasText = true;
    }
    for (const segment of segments) yield { type: 'segment', segment: later(segment, -from / SAMPLE_RATE) };
    if (isComplete) yield { type: 'settled', end: (end - from) / SAMPLE_RATE, language, missed };
  }
  yield {
    type: 'end',
    language,
    languages: hasText ? [language] : [],
    duration: job.samples.length / SAMPLE_RATE,
    missed,
  };
}

/** Two arrays and zeros after them. */
function joined(first: Float32Array, second: Float32Array, zeros: number): Float32Array {
  const whole = new Float32Array(first.length + second.length + zeros);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
