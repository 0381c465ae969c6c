import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_SAMPLE_FMT_FLT,
  AVERROR_INPUT_CHANGED,
  type AVSampleFormat,
} from 'node-av/constants';
import { FFmpegError, Frame, SoftwareResampleContext } from 'node-av/lib';
import { HearsayError } from '../errors.ts';

// The resampler's filter grows with the ratio of the rates and its output with the inverse, so that an absurd rate in
// a header would ask for gigabytes. 768 kHz is the highest rate that is sold.
const LOWEST_RATE = 1_000;
const HIGHEST_RATE = 768_000;
/** What FFmpeg's resampler can fold and a native layout can name. */
const MOST_CHANNELS = 63;
/** Leaves room for float files written at the scale of 16-bit integers, and none for overflow further on. */
const LARGEST_SAMPLE = 32_768;

/**
 * Turns decoded frames of any rate, sample format and channel count into mono float32 at one rate. Mono is the mean of
 * the channels, so that no channel's level changes the scale. The input may change its format between two frames.
 */
export class MonoResampler {
  readonly #sampleRate: number;
  readonly #output = new Frame();
  #context: SoftwareResampleContext | undefined;

  /** @param sampleRate rate of the output in Hz */
  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#output.alloc();
  }

  /**
   * Converts one decoded frame.
   *
   * @returns the samples that are ready, in order, all finite; the filter holds a few back until the next call. The arrays
   *   are the caller's to keep.
   * @throws HearsayError `invalid_audio` for a sample rate or a channel count beyond all reason
   */
  convert(frame: Frame): Float32Array[] {
    const { nbChannels } = frame.channelLayout;
    this.#check(frame.sampleRate, nbChannels);
    // Only the number of channels counts for a mean. The resampler refuses layouts that are unknown or of their own
    // kind, so every one becomes the first n positions of a native layout.
    frame.channelLayout = { order: AV_CHANNEL_ORDER_NATIVE, nbChannels, mask: (1n << BigInt(nbChannels)) - 1n };
    this.#context ??= this.#open(frame, nbChannels);
    const samples = this.#run(this.#context, frame);
    if (samples !== undefined) return [samples];

    const tail = this.flush();
    this.#context = this.#open(frame, nbChannels);
    return [...tail, this.#run(this.#context, frame) ?? new Float32Array()];
  }

  /** Ends the current stretch of audio and returns what the filter still held. */
  flush(): Float32Array[] {
    if (this.#context === undefined) return [];
    const tail = this.#run(this.#context, null);
    this.#context.free();
    this.#context = undefined;
    return tail === undefined ? [] : [tail];
  }

  /** Frees the native memory. */
  close(): void {
    this.#context?.free();
    this.#context = undefined;
    this.#output.free();
  }

  #check(rate: number, channels: number): void {
    if (rate < LOWEST_RATE || rate > HIGHEST_RATE || channels < 1 || channels > MOST_CHANNELS) {
      throw new HearsayError('invalid_audio', `Audio of ${channels} channels at ${rate} Hz is not supported.`, {
        param: 'file',
      });
    }
  }

  #open(frame: Frame, channels: number): SoftwareResampleContext {
    const context = new SoftwareResampleContext();
    try {
      FFmpegError.throwIfError(
        context.allocSetOpts2(
          AV_CHANNEL_LAYOUT_MONO,
          AV_SAMPLE_FMT_FLT,
          this.#sampleRate,
          frame.channelLayout,
          frame.format as AVSampleFormat,
          frame.sampleRate,
        ),
      );
      // FFmpeg's own weights for stereo add up to 1.41: full scale in both channels would come out 3 dB above it.
      FFmpegError.throwIfError(
        context.setMatrix(
          Array.from({ length: channels }, () => 1 / channels),
          channels,
        ),
      );
      FFmpegError.throwIfError(context.init());
    } catch (error) {
      context.free();
      throw error;
    }
    return context;
  }

  /** Undefined: the frame's format is not the one that the context was opened with. */
  #run(context: SoftwareResampleContext, frame: Frame | null): Float32Array | undefined {
    const output = this.#output;
    output.unref();
    output.format = AV_SAMPLE_FMT_FLT;
    output.sampleRate = this.#sampleRate;
    output.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    const code = context.convertFrame(output, frame);
    if (code === AVERROR_INPUT_CHANGED) return undefined;
    FFmpegError.throwIfError(code);
    if (output.nbSamples === 0) return new Float32Array();

    const bytes = output.toBuffer();
    const samples = new Float32Array(output.nbSamples);
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i]!;
      if (!(Math.abs(sample) <= LARGEST_SAMPLE)) {
        samples[i] = Number.isFinite(sample) ? Math.sign(sample) * LARGEST_SAMPLE : 0;
      }
    }
    return samples;
  }
}
