import type {
  HearEvent,
  HearJob,
  SpeechModelInfo,
  SpeechRecognizer,
  TranscriptionEvent,
  TranscriptionJob,
  VoiceActivityEvent,
  VoiceActivityJob,
} from '../../contracts/transcription.ts';
import type { Engine } from '../../engine/host.ts';
import { QuietPassages, type VoiceActivityModel } from '../../vad/silero.ts';
import { transcribeUtterance } from './utterance.ts';

/** Recordings, and live audio in short jobs: each holds all it needs, so that any engine can run the next one. */
export class HearEngine implements Engine<HearJob, HearEvent, SpeechModelInfo> {
  readonly info: SpeechModelInfo;
  readonly #recordings: Engine<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>;
  readonly #recognizer: SpeechRecognizer;
  readonly #voiceActivity: VoiceActivityModel;

  constructor(
    recordings: Engine<TranscriptionJob, TranscriptionEvent, SpeechModelInfo>,
    recognizer: SpeechRecognizer,
    voiceActivity: VoiceActivityModel,
  ) {
    this.info = recognizer.info;
    this.#recordings = recordings;
    this.#recognizer = recognizer;
    this.#voiceActivity = voiceActivity;
  }

  run(job: HearJob, signal: AbortSignal): AsyncIterable<HearEvent> {
    if ('path' in job) return this.#recordings.run(job, signal);
    if ('samples' in job) return transcribeUtterance(this.#recognizer, job, signal);
    return this.#findSpeech(job);
  }

  async *#findSpeech({ frames, state }: VoiceActivityJob): AsyncGenerator<VoiceActivityEvent> {
    const detector = this.#voiceActivity.detector(state);
    const quietPassages = new QuietPassages(state?.peak);
    const probabilities = await detector.next(quietPassages.raise(frames));
    yield { type: 'voice_activity', probabilities, state: { ...detector.state, peak: quietPassages.peak } };
  }
}
