import { decodeALaw, decodeMuLaw } from '../../audio/g711.ts';
import { Resampler } from '../../audio/resampler.ts';
import { HearsayError } from '../../errors.ts';
import { FRAME, joinSamples, SAMPLE_RATE } from '../../vad/frames.ts';
import type { AudioFormat } from './session-config.ts';

const codecs: Record<
  AudioFormat['type'],
  { rate: number; sampleBytes: number; decode: (bytes: Buffer) => Float32Array }
> = {
  'audio/pcm': { rate: 24_000, sampleBytes: 2, decode: decodePcm16 },
  'audio/pcmu': { rate: 8000, sampleBytes: 1, decode: decodeMuLaw },
  'audio/pcma': { rate: 8000, sampleBytes: 1, decode: decodeALaw },
};

/** Base64 characters of one event: 15 MiB. */
export const MAX_AUDIO_CHARACTERS = 15 * 1024 * 1024;
/** Seconds converted at once: more would block other clients. */
const SLICE_SECONDS = 0.5;

/** Turns the audio of a client, in its format, into frames of 16 kHz. */
export class AudioInput {
  readonly #codec: (typeof codecs)[AudioFormat['type']];
  #resampler: Resampler;
  /** Samples of an incomplete frame. */
  #rest = new Float32Array(0);

  constructor({ type }: AudioFormat) {
    this.#codec = codecs[type];
    this.#resampler = this.#newResampler();
  }

  /** @throws HearsayError `invalid_request` unless it is base64 of whole samples */
  decodeBase64(audio: string): Buffer {
    const fail = (message: string) => new HearsayError('invalid_request', message, { param: 'audio' });
    if (audio.length > MAX_AUDIO_CHARACTERS) throw fail('The audio of one event is limited to 15 MiB of base64.');
    const bytes = Buffer.from(audio, 'base64');
    // Buffer leaves out what is not base64.
    const unpadded = audio.endsWith('==') ? audio.length - 2 : audio.endsWith('=') ? audio.length - 1 : audio.length;
    if (bytes.length !== Math.floor((unpadded * 3) / 4) || unpadded % 4 === 1) throw fail('The audio is not base64.');
    if (bytes.length % this.#codec.sampleBytes !== 0) {
      throw fail('The audio ends within a sample: 16-bit PCM has two bytes for each.');
    }
    return bytes;
  }

  /** Seconds of some audio. */
  secondsOf(bytes: Buffer): number {
    return bytes.length / this.#codec.sampleBytes / this.#codec.rate;
  }

  /** Whole frames, several at once; the rest waits for more audio. */
  *frames(bytes: Buffer): Generator<Float32Array> {
    const { rate, sampleBytes, decode } = this.#codec;
    const slice = SLICE_SECONDS * rate * sampleBytes;
    for (let start = 0; start < bytes.length; start += slice) {
      const samples = this.#resampler.push(decode(bytes.subarray(start, start + slice)));
      const all = joinSamples(this.#rest, samples);
      const whole = all.length - (all.length % FRAME);
      this.#rest = all.slice(whole);
      if (whole > 0) yield all.subarray(0, whole);
    }
  }

  /** The rest as whole frames, padded with silence; undefined if there is none. */
  flush(): { samples: Float32Array; padding: number } | undefined {
    const rest = joinSamples(this.#rest, this.#resampler.finish());
    this.#resampler = this.#newResampler();
    this.#rest = new Float32Array(0);
    if (rest.length === 0) return undefined;
    const samples = new Float32Array(Math.ceil(rest.length / FRAME) * FRAME);
    samples.set(rest);
    return { samples, padding: samples.length - rest.length };
  }

  #newResampler(): Resampler {
    return new Resampler(this.#codec.rate, SAMPLE_RATE);
  }
}

function decodePcm16(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length / 2);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index) / 32_768;
  return samples;
}
