import { AV_LOG_QUIET, AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { type FormatWriter, formatWriters } from './format-writers.ts';
import type { AudioFormat } from './formats.ts';
import { OUTPUT_RATE } from './formats.ts';
import { audioFrame } from './packet-encoder.ts';
import { MonoResampler } from './pcm.ts';

Log.setLevel(AV_LOG_QUIET);

/**
 * Encodes mono float32 audio of any rate as a stream in one of the six formats, at 24 kHz mono. Bytes leave as soon as
 * the codec makes them, and memory does not grow with the length.
 *
 * All work is done in the call, in native code: feed long audio in pieces, so that others have their turns.
 */
export class StreamEncoder {
  readonly #writer: FormatWriter;
  readonly #sampleRate: number;
  readonly #resampler: MonoResampler | undefined;
  #closed = false;

  private constructor(format: AudioFormat, sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#writer = formatWriters[format]();
    if (sampleRate !== OUTPUT_RATE) this.#resampler = new MonoResampler(OUTPUT_RATE);
  }

  /** @param options.sampleRate samples a second of what will be written */
  static open(format: AudioFormat, { sampleRate }: { sampleRate: number }): StreamEncoder {
    return new StreamEncoder(format, sampleRate);
  }

  /**
   * Feeds samples, full scale 1; louder ones are clipped, and what is no number becomes 0.
   *
   * @returns the bytes that are ready, in order; the caller may keep them
   */
  write(samples: Float32Array): Uint8Array[] {
    if (samples.length === 0) return [];
    if (this.#resampler === undefined) return this.#encode([samples]);
    const frame = audioFrame(samples, AV_SAMPLE_FMT_FLT, this.#sampleRate);
    try {
      return this.#encode(this.#resampler.convert(frame));
    } finally {
      frame.free();
    }
  }

  /** Ends the stream and returns its last bytes; then only `close` may be called. */
  finish(): Uint8Array[] {
    return [...this.#encode(this.#resampler?.flush() ?? []), ...this.#writer.finish()].filter(holdsBytes);
  }

  /** Frees the native memory; needed however the stream ends, and harmless when done again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#resampler?.close();
    this.#writer.close();
  }

  #encode(pieces: Float32Array[]): Uint8Array[] {
    return pieces.flatMap((piece) => this.#writer.write(clipped(piece))).filter(holdsBytes);
  }
}

function clipped(samples: Float32Array): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!;
    result[i] = sample > 1 ? 1 : sample < -1 ? -1 : sample || 0;
  }
  return result;
}

function holdsBytes(bytes: Uint8Array): boolean {
  return bytes.length > 0;
}
