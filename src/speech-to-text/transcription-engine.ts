import { decodeAudio } from '../audio/decode.ts';
import type { Engine } from '../inference/engine-host.ts';
import { SAMPLE_RATE, type VoiceActivityModel } from '../silero/voice-activity.ts';
import { speechWindows } from '../silero/windows.ts';
import type {
  RecognizedWindow,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  TranscriptionEvent,
  TranscriptionJob,
} from '../transcript.ts';

/** From an uploaded file to segments: decoding, voice activity, windows, and whichever model recognizes them. */
export class TranscriptionEngine implements Engine<TranscriptionJob, TranscriptionEvent, SpeechModelInfo> {
  readonly info: SpeechModelInfo;
  readonly #recognizer: SpeechRecognizer;
  readonly #voiceActivity: VoiceActivityModel;

  constructor(recognizer: SpeechRecognizer, voiceActivity: VoiceActivityModel) {
    this.info = recognizer.info;
    this.#recognizer = recognizer;
    this.#voiceActivity = voiceActivity;
  }

  /** Decodes, finds speech, recognizes window by window; segments come in order as soon as they are known. */
  async *run(job: TranscriptionJob, signal: AbortSignal): AsyncGenerator<TranscriptionEvent> {
    let samples = 0;
    async function* audio() {
      for await (const chunk of decodeAudio(job.path, { maxSeconds: job.maxAudioSeconds, signal })) {
        samples += chunk.length;
        yield chunk;
      }
    }
    const secondsByLanguage = new Map<string, number>();
    for await (const { segments, language } of this.#recognizeAll(audio(), job, signal)) {
      for (const segment of segments) {
        secondsByLanguage.set(language, (secondsByLanguage.get(language) ?? 0) + segment.end - segment.start);
        yield { type: 'segment', segment };
      }
    }
    const [mostSpoken] = [...secondsByLanguage].sort(([, a], [, b]) => b - a);
    const language = mostSpoken?.[0] ?? job.language ?? this.info.languages[0]!;
    yield { type: 'end', language, duration: samples / SAMPLE_RATE };
  }

  /** Keeps as many windows under way as the model works on side by side, and one ready; yields in order. */
  async *#recognizeAll(
    audio: AsyncIterable<Float32Array>,
    job: TranscriptionJob,
    signal: AbortSignal,
  ): AsyncGenerator<RecognizedWindow> {
    const underWay: Promise<RecognizedWindow>[] = [];
    const recognize = (window: SpeechWindow) => {
      const result = this.#recognizer.recognize(window, { job, signal });
      // Awaited below, but perhaps not before it has failed.
      result.catch(() => {});
      underWay.push(result);
    };
    for await (const window of speechWindows(audio, this.#voiceActivity.detector(), this.#recognizer.windowLimits)) {
      recognize(window);
      if (underWay.length > this.#recognizer.parallelWindows) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  }
}
