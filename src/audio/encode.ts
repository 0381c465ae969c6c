import { AV_LOG_QUIET, AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { BookTags } from './book-tags.ts';
import { type FormatWriter, formatWriters } from './format-writers.ts';
import type { AudioFormat } from './formats.ts';
import { OUTPUT_RATE } from './formats.ts';
import { audioFrame } from './packet-encoder.ts';
import { MonoResampler } from './pcm.ts';

Log.setLevel(AV_LOG_QUIET);

/**
 * Encodes mono float32 audio of any rate as a stream in one of seven formats, at 24 kHz mono. Returns bytes as soon as
 * the codec produces them. Memory does not grow with the length, except for the index of m4b: two bytes per 43 ms.
 *
 * Calls block in native code: feed long audio in chunks to keep the event loop running.
 */
export class StreamEncoder {
  readonly #writer: FormatWriter;
  readonly #sampleRate: number;
  readonly #resampler: MonoResampler | undefined;
  /** Samples fed. */
  #position = 0;
  #isClosed = false;

  /**
   * @param options.sampleRate of the input, in Hz
   * @param options.tags for a format that supports them
   */
  constructor(format: AudioFormat, { sampleRate, tags }: { sampleRate: number; tags?: BookTags | undefined }) {
    this.#sampleRate = sampleRate;
    this.#writer = formatWriters[format](tags);
    if (sampleRate !== OUTPUT_RATE) this.#resampler = new MonoResampler(OUTPUT_RATE);
  }

  /** Begins a chapter with the next samples, in a format that has chapters. */
  startChapter(title: string): void {
    this.#writer.startChapter?.({ title, start: Math.round((this.#position * OUTPUT_RATE) / this.#sampleRate) });
  }

  /**
   * Feeds samples; clips them to ±1 and turns NaN into 0.
   *
   * @returns the bytes ready so far, in order; the caller may keep them
   */
  write(samples: Float32Array): Uint8Array[] {
    if (samples.length === 0) return [];
    this.#position += samples.length;
    if (this.#resampler === undefined) return this.#encode([samples]);
    const frame = audioFrame(samples, AV_SAMPLE_FMT_FLT, this.#sampleRate);
    try {
      return this.#encode(this.#resampler.convert(frame));
    } finally {
      frame.free();
    }
  }

  /** Ends the stream and returns its last bytes. Only `close` may follow. */
  finish(): Uint8Array[] {
    return [...this.#encode(this.#resampler?.flush() ?? []), ...this.#writer.finish()].filter(isNotEmpty);
  }

  /**
   * After `finish`: a replacement for the first bytes of the stream in a complete file, in a format whose header has a
   * length or a checksum. `AudioFile` writes the headers of wav and mp3 itself.
   */
  finalHeader(): Uint8Array | undefined {
    return this.#writer.finalHeader?.();
  }

  /** Frees the native memory. Call it however the stream ends; calling it again is harmless. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#resampler?.close();
    this.#writer.close();
  }

  #encode(chunks: Float32Array[]): Uint8Array[] {
    return chunks.flatMap((chunk) => this.#writer.write(clip(chunk))).filter(isNotEmpty);
  }
}

function clip(samples: Float32Array): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!;
    result[i] = sample > 1 ? 1 : sample < -1 ? -1 : sample || 0;
  }
  return result;
}

function isNotEmpty(bytes: Uint8Array): boolean {
  return bytes.length > 0;
}
