import { wavHeader } from '../shared/wav.ts';
import { SAMPLE_RATE } from './pcm.ts';
import { Peaks } from './peaks.ts';
import { type PlacedWord, type TimedWord, WordPlacer, withoutTags } from './spoken-words.ts';

/** The settings of a speech. */
export interface SpeechRequest {
  input: string;
  voice: string;
  speed: number;
  /** The field `volume_multiplier`. */
  volume: number;
  /** Format of the file to download. */
  format: string;
  stream: boolean;
  /** Pronunciations by word; absent if there are none. */
  lexicon?: Record<string, string>;
  /** Letter of the language; absent for that of the voice. */
  language?: string;
  /** Whether the input is a document of SSML. */
  isSsml?: boolean;
  /** The lines of a dialogue, of which `input` is the script; `voice` is that of the first. */
  lines?: readonly SpokenLine[];
}

/** A line of a dialogue. */
export interface SpokenLine {
  input: string;
  voice: string;
  speed: number;
  /** Seconds of silence after it. */
  pauseAfter: number;
  /** Who says it; not spoken, and may be empty. */
  name: string;
  /** Offset of `input` in the script. */
  at: number;
}

/** A mark of SSML. */
export interface Mark {
  name: string;
  /** Seconds. */
  time: number;
}

/** The speech of one request, which grows while it streams. */
export class Speech {
  readonly request: SpeechRequest;
  readonly startedAt: Date;
  readonly peaks = new Peaks();
  /** In order. */
  readonly words: PlacedWord[] = [];
  readonly marks: Mark[] = [];
  /** Whether no more samples will come. */
  complete = false;
  /** Whether it was stopped or cut off before all of the text was spoken. */
  isPartial = false;
  /** Path of the file in the request's format. */
  downloadPath: string | undefined;
  /** The file in the request's format, if it is at hand. */
  madeFile: Blob | undefined;
  /** Letters of the text that the language of the voice does not have. */
  skippedLetters = 0;
  readonly #placer: WordPlacer;
  readonly #chunks: { start: number; samples: Int16Array<ArrayBuffer> }[] = [];
  #samples = 0;

  constructor(request: SpeechRequest, startedAt = new Date()) {
    this.request = request;
    this.startedAt = startedAt;
    this.#placer = new WordPlacer(request.isSsml ? withoutTags(request.input) : request.input, request.lines);
  }

  /** Seconds received. */
  get duration(): number {
    return this.#samples / SAMPLE_RATE;
  }

  /** Estimated final duration, in seconds. */
  get expectedDuration(): number {
    if (this.complete) return this.duration;
    return Math.max(this.duration, (this.request.input.length * 0.065) / this.request.speed);
  }

  append(samples: Int16Array<ArrayBuffer>, words: readonly TimedWord[]): void {
    this.appendPlaced(samples, this.#placer.place(words));
  }

  /** Like `append`, with words whose places in the text are known. */
  appendPlaced(samples: Int16Array<ArrayBuffer>, words: readonly PlacedWord[]): void {
    if (samples.length > 0) this.#chunks.push({ start: this.#samples, samples });
    this.#samples += samples.length;
    this.peaks.append(samples);
    this.words.push(...words);
  }

  /** Up to `seconds` of samples from second `from`, between -1 and 1. */
  read(from: number, seconds: number): Float32Array<ArrayBuffer> {
    const start = Math.min(Math.round(from * SAMPLE_RATE), this.#samples);
    const end = Math.min(start + Math.round(seconds * SAMPLE_RATE), this.#samples);
    const out = new Float32Array(end - start);
    for (let index = this.#chunkAt(start); index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index]!;
      if (chunk.start >= end) break;
      const last = Math.min(end, chunk.start + chunk.samples.length);
      for (let i = Math.max(start, chunk.start); i < last; i++)
        out[i - start] = chunk.samples[i - chunk.start]! / 32_768;
    }
    return out;
  }

  #chunkAt(sample: number): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#chunks[middle]!.start <= sample) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The received samples as a file. */
  file(format: 'wav' | 'pcm'): Blob {
    // Both formats are little-endian, as are all machines with browsers.
    const samples = this.#chunks.map(({ samples }) => samples);
    return format === 'wav'
      ? new Blob([wavHeader(this.#samples, SAMPLE_RATE), ...samples], { type: 'audio/wav' })
      : new Blob(samples, { type: 'audio/pcm' });
  }
}
