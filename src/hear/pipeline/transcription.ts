import type {
  Batching,
  RecognizedWindow,
  SpeechRecognizer,
  SpeechWindow,
  TranscriptionEvent,
  TranscriptionJob,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { FairQueue, type Queued } from '../../scheduling/fair-queue.ts';
import { missedSpeech } from '../../vad/coverage.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { speechWindows } from '../../vad/segmenter.ts';
import type { VoiceActivityModel } from '../../vad/silero.ts';
import type { Decode } from './decoders.ts';
import type { SpeakerModels } from './speaker-models.ts';
import { Voices } from './voices.ts';

/** Tracks of one file to look for speech in. */
const MAX_TRACKS = 8;

type HeardWindow = RecognizedWindow & Pick<SpeechWindow, 'speech'>;

/** What has been decoded of a recording: samples of its track, and when the last of them came. */
interface Decoded {
  samples: number;
  at: number;
}

/** From an uploaded file to segments: decoding, voice activity, windows, recognition, and voices if speakers are asked for. */
export class TranscriptionPipeline {
  readonly #recognizer: SpeechRecognizer;
  readonly #voiceActivity: VoiceActivityModel;
  readonly #decode: Decode;
  readonly #speakerModels: Pick<SpeakerModels, 'get'>;
  readonly #lookAhead = new LookAheadGate();

  constructor(
    recognizer: SpeechRecognizer,
    voiceActivity: VoiceActivityModel,
    decode: Decode,
    speakerModels: Pick<SpeakerModels, 'get'>,
  ) {
    this.#recognizer = recognizer;
    this.#voiceActivity = voiceActivity;
    this.#decode = decode;
    this.#speakerModels = speakerModels;
  }

  /** Yields segments in order, each as soon as it is known; turns of speakers need the whole recording. */
  async *run(job: TranscriptionJob, signal: AbortSignal): AsyncGenerator<TranscriptionEvent> {
    let missed = 0;
    const started = performance.now();
    const decoded: Decoded = { samples: 0, at: started };
    const secondsByLanguage = new Map<string, number>();
    if (job.detectOnly) {
      yield await this.#detect(job, signal, decoded);
      return;
    }
    // Check the references first: an invalid one should not waste an hour of transcription.
    const voices = job.speakers && (await this.#voices(job, signal));
    let batching: Batching | undefined;
    for await (const window of this.#recognizeAll(job, signal, decoded, voices)) {
      const { segments, language, speech } = window;
      batching = sum(batching, window.batching);
      missed += missedSpeech(speech, segments);
      for (const segment of segments) {
        secondsByLanguage.set(language, (secondsByLanguage.get(language) ?? 0) + segment.end - segment.start);
        yield { type: 'segment', segment };
      }
    }
    if (voices) yield { type: 'turns', turns: await voices.turns() };
    const languages = [...secondsByLanguage].sort(([, a], [, b]) => b - a).map(([language]) => language);
    const language = languages[0] ?? job.language ?? this.#recognizer.info.languages[0]!;
    const decodedAfter = (decoded.at - started) / 1000;
    yield {
      type: 'end',
      language,
      languages,
      duration: decoded.samples / SAMPLE_RATE,
      missed,
      decodedAfter,
      ...(batching && { batching }),
    };
  }

  #voices(job: TranscriptionJob, signal: AbortSignal): Promise<Voices> {
    const [decode, voiceActivity, models] = [this.#decode, this.#voiceActivity, this.#speakerModels];
    return Voices.of(job, { decode, voiceActivity, models }, signal);
  }

  /** The language of the first window with speech. */
  async #detect(job: TranscriptionJob, signal: AbortSignal, decoded: Decoded): Promise<TranscriptionEvent> {
    for await (const { language, probability = 1 } of this.#recognizeAll(job, signal, decoded)) {
      const duration = decoded.samples / SAMPLE_RATE;
      return { type: 'end', language, languages: [language], probability, duration, missed: 0 };
    }
    const [language = ''] = this.#recognizer.info.languages;
    return { type: 'end', language, languages: [], probability: 0, duration: decoded.samples / SAMPLE_RATE, missed: 0 };
  }

  /** Recognizes the best track, or the first of the others that has speech if that has none. */
  async *#recognizeAll(
    job: TranscriptionJob,
    signal: AbortSignal,
    decoded: Decoded,
    voices?: Voices,
  ): AsyncGenerator<HeardWindow> {
    let bestLength = 0;
    for (let track = 0; track < MAX_TRACKS; track++) {
      decoded.samples = 0;
      let hasSpeech = false;
      try {
        for await (const window of this.#recognizeTrack(job, track, signal, decoded, voices)) {
          hasSpeech = true;
          yield window;
        }
      } catch (error) {
        // A damaged track beside one without speech does not spoil the answer for that one.
        if (track === 0 || hasSpeech || !isRefusal(error)) throw error;
        continue;
      }
      if (hasSpeech) return;
      if (track === 0) bestLength = decoded.samples;
      else if (decoded.samples === 0) break;
    }
    decoded.samples = bestLength;
  }

  /**
   * Keeps as many windows in flight as the model can use, and one more. Yields results in order, each as soon as it is
   * known: finding the next window takes long in silence.
   */
  async *#recognizeTrack(
    job: TranscriptionJob,
    track: number,
    signal: AbortSignal,
    decoded: Decoded,
    voices?: Voices,
  ): AsyncGenerator<HeardWindow> {
    const { windowLimits, parallelWindows } = this.#recognizer;
    const ended = new AbortController();
    const decoding = {
      maxSeconds: job.maxAudioSeconds,
      part: job.recording,
      track,
      signal: AbortSignal.any([signal, ended.signal]),
    };
    const [decode, lookAhead] = [this.#decode, this.#lookAhead];
    async function* audio() {
      for await (const chunk of decode(job.path, decoding)) {
        decoded.samples += chunk.length;
        decoded.at = performance.now();
        await lookAhead.wait(job);
        yield chunk;
      }
    }
    const windows = speechWindows(audio(), this.#voiceActivity, windowLimits, job.voiceActivity);
    const inFlight: Promise<HeardWindow>[] = [];
    let nextWindow: Promise<IteratorResult<SpeechWindow>> | undefined;
    let isDone = false;
    try {
      for (;;) {
        // A background job need not find its speech quickly.
        lookAhead.set(job, !isDone && inFlight.length === 0 && !job.isBackground);
        if (!isDone && inFlight.length <= parallelWindows) nextWindow ??= handled(windows.next());
        const pending = [inFlight[0], nextWindow].filter((promise) => promise !== undefined);
        if (pending.length === 0) return;
        const result = await Promise.race(pending);
        if ('segments' in result) {
          inFlight.shift();
          yield result;
          continue;
        }
        nextWindow = undefined;
        if (result.done) isDone = true;
        else inFlight.push(handled(this.#recognize(result.value, job, signal, voices)));
      }
    } finally {
      // Otherwise the search would continue to the next speech, maybe an hour away.
      ended.abort();
      lookAhead.set(job, false);
      await windows.return(undefined);
    }
  }

  async #recognize(window: SpeechWindow, job: TranscriptionJob, signal: AbortSignal, voices: Voices | undefined) {
    const { speech } = window;
    // Embed first: the recognizer may take ownership of the samples.
    const heard = voices?.hear(window);
    const [recognized] = await Promise.all([this.#recognizer.recognize(window, { job, signal }), heard]);
    return { ...recognized, speech };
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof HearsayError && (error.code === 'invalid_audio' || error.code === 'audio_too_long');
}

function sum(one: Batching | undefined, other: Batching | undefined): Batching | undefined {
  return one && other ? { steps: one.steps + other.steps, runs: one.runs + other.runs } : (one ?? other);
}

/** Marks a promise as handled: it may reject before it is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Maximum wait of a request per half second of audio: others may search for long without finding speech. */
const MAX_WAIT_MS = 1000;

interface Waiting extends Queued {
  resume: () => void;
}

/**
 * Shares the thread that decodes and finds speech: requests that have windows for the model wait while another has
 * none, so that a new request does not wait for others that look ahead.
 */
export class LookAheadGate {
  readonly #starved = new Set<unknown>();
  readonly #queue = new FairQueue<Waiting>();

  /** @param isStarved whether the request has no window for the model; false once it has ended */
  set(request: object, isStarved: boolean): void {
    if (isStarved) this.#starved.add(request);
    else this.#starved.delete(request);
    const isFree = (waiting: Waiting) => this.#isFree(waiting.owner);
    for (let waiting = this.#queue.next(isFree); waiting; waiting = this.#queue.next(isFree)) waiting.resume();
  }

  /** Resolves when the request may look at more of its recording. */
  async wait(request: object): Promise<void> {
    if (this.#isFree(request)) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#queue.remove(waiting);
        resolve();
      };
      const timer = setTimeout(resume, MAX_WAIT_MS);
      const waiting = { owner: request, resume };
      this.#queue.push(waiting);
    });
  }

  #isFree(request: unknown): boolean {
    return this.#starved.size === 0 || this.#starved.has(request);
  }
}
