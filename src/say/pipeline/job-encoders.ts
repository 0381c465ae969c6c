import { StreamEncoder } from '../../audio/encode.ts';
import type { SpeechJob, SynthesisEvent } from '../../contracts/synthesis.ts';

/** Seconds per frame: until the first encoded bytes, and afterwards. */
const FIRST_FRAME = 0.02;
const LATER_FRAME = 0.2;

/** The encoder of the response, and that of a download in another format. */
export class JobEncoders {
  readonly #outputs: { type: 'audio' | 'download'; encoder: StreamEncoder }[] = [];
  readonly #sampleRate: number;
  readonly #chapters: readonly string[];
  #hasSent = false;
  #samples = 0;

  constructor({ format, downloadFormat, book }: SpeechJob, sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#chapters = book?.chapters ?? [];
    try {
      this.#outputs.push({ type: 'audio', encoder: new StreamEncoder(format, { sampleRate, tags: book }) });
      if (downloadFormat !== undefined) {
        this.#outputs.push({
          type: 'download',
          encoder: new StreamEncoder(downloadFormat, { sampleRate, tags: book }),
        });
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Seconds of audio so far. */
  get seconds(): number {
    return this.#samples / this.#sampleRate;
  }

  /** Begins a chapter with the next samples. */
  *startChapter(index: number): Generator<SynthesisEvent> {
    for (const { encoder } of this.#outputs) encoder.startChapter(this.#chapters[index] ?? '');
    yield { type: 'chapter', index, start: this.seconds };
  }

  /** Encodes samples frame by frame; the first frames are short, because a listener waits for them. */
  *write(samples: Float32Array): Generator<SynthesisEvent> {
    this.#samples += samples.length;
    for (let offset = 0; offset < samples.length; ) {
      const frame = Math.round((this.#hasSent ? LATER_FRAME : FIRST_FRAME) * this.#sampleRate);
      const next = samples.subarray(offset, offset + frame);
      offset += next.length;
      for (const { type, encoder } of this.#outputs) {
        for (const bytes of encoder.write(next)) {
          if (type === 'audio') this.#hasSent = true;
          yield { type, bytes };
        }
      }
    }
  }

  *finish(): Generator<SynthesisEvent> {
    for (const { type, encoder } of this.#outputs) {
      for (const bytes of encoder.finish()) yield { type, bytes };
      const header = encoder.finalHeader();
      if (header) yield { type: 'header', of: type, bytes: header };
    }
  }

  close(): void {
    for (const { encoder } of this.#outputs) encoder.close();
  }
}
