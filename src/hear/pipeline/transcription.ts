import { decodeAudio } from '../../audio/decode.ts';
import type {
  RecognizedWindow,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  TranscriptionEvent,
  TranscriptionJob,
} from '../../contracts/transcription.ts';
import type { Engine } from '../../engine/host.ts';
import { speechWindows } from '../../vad/segmenter.ts';
import { SAMPLE_RATE, type VoiceActivityModel } from '../../vad/silero.ts';
import { Precedence } from './precedence.ts';

/** From an uploaded file to segments: decoding, voice activity, windows, and whichever model recognizes them. */
export class TranscriptionEngine implements Engine<TranscriptionJob, TranscriptionEvent, SpeechModelInfo> {
  readonly info: SpeechModelInfo;
  readonly #recognizer: SpeechRecognizer;
  readonly #voiceActivity: VoiceActivityModel;
  readonly #precedence = new Precedence();

  constructor(recognizer: SpeechRecognizer, voiceActivity: VoiceActivityModel) {
    this.info = recognizer.info;
    this.#recognizer = recognizer;
    this.#voiceActivity = voiceActivity;
  }

  /** Decodes, finds speech, recognizes window by window; segments come in order as soon as they are known. */
  async *run(job: TranscriptionJob, signal: AbortSignal): AsyncGenerator<TranscriptionEvent> {
    let samples = 0;
    const count = (chunk: Float32Array) => {
      samples += chunk.length;
    };
    const secondsByLanguage = new Map<string, number>();
    for await (const { segments, language } of this.#recognizeAll(job, signal, count)) {
      for (const segment of segments) {
        secondsByLanguage.set(language, (secondsByLanguage.get(language) ?? 0) + segment.end - segment.start);
        yield { type: 'segment', segment };
      }
    }
    const [mostSpoken] = [...secondsByLanguage].sort(([, a], [, b]) => b - a);
    const language = mostSpoken?.[0] ?? job.language ?? this.info.languages[0]!;
    yield { type: 'end', language, duration: samples / SAMPLE_RATE };
  }

  /**
   * Keeps as many windows under way as the model works on side by side, and one ready. Yields them in order, each as soon
   * as it is known: to find the next one can take long, where nobody speaks.
   */
  async *#recognizeAll(
    job: TranscriptionJob,
    signal: AbortSignal,
    onDecoded: (chunk: Float32Array) => void,
  ): AsyncGenerator<RecognizedWindow> {
    const { windowLimits, parallelWindows } = this.#recognizer;
    const over = new AbortController();
    const decoding = { maxSeconds: job.maxAudioSeconds, signal: AbortSignal.any([signal, over.signal]) };
    const precedence = this.#precedence;
    async function* audio() {
      for await (const chunk of decodeAudio(job.path, decoding)) {
        onDecoded(chunk);
        await precedence.turn(job);
        yield chunk;
      }
    }
    const windows = speechWindows(audio(), this.#voiceActivity.detector(), windowLimits);
    const underWay: Promise<RecognizedWindow>[] = [];
    let cutting: Promise<IteratorResult<SpeechWindow>> | undefined;
    let ended = false;
    try {
      for (;;) {
        precedence.set(job, !ended && underWay.length === 0);
        if (!ended && underWay.length <= parallelWindows) cutting ??= observed(windows.next());
        const awaited = [underWay[0], cutting].filter((promise) => promise !== undefined);
        if (awaited.length === 0) return;
        const step = await Promise.race(awaited);
        if ('segments' in step) {
          underWay.shift();
          yield step;
          continue;
        }
        cutting = undefined;
        if (step.done) ended = true;
        else underWay.push(observed(this.#recognizer.recognize(step.value, { job, signal })));
      }
    } finally {
      // A search that is under way would go on to the next speech, which may be an hour off.
      over.abort();
      precedence.set(job, false);
      await windows.return(undefined);
    }
  }
}

/** The promise itself, which may fail before anybody awaits it. */
function observed<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
