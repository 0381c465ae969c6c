import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_SAMPLE_FMT_FLT,
  AVERROR_INPUT_CHANGED,
  type AVSampleFormat,
} from 'node-av/constants';
import { FFmpegError, Frame, SoftwareResampleContext } from 'node-av/lib';
import { MixChoice } from './antiphase.ts';
import { invalidAudio } from './errors.ts';

// The resampler's filter and output grow with the ratio of the rates: an absurd rate would take gigabytes. 768 kHz is
// the highest rate on the market.
const MIN_RATE = 1_000;
const MAX_RATE = 768_000;
/** The limit of FFmpeg's resampler and native layouts. */
const MAX_CHANNELS = 63;
/** Allows float files at the scale of 16-bit integers, but no overflow later. */
const MAX_SAMPLE = 32_768;

/** Front left, right and center: channels 0 to 2 of every native layout that has them. */
const FRONT = 7n;

/**
 * Weights of the channels, which add up to 1 and keep the scale. In surround sound they are those of ITU-R BS.775: the
 * dialogue of a film is in the center, and in a plain mean its music is louder. No channel is dropped, not even that of
 * low frequencies: recorders with many microphones use these layouts, too.
 */
function mixOf({ order, nbChannels, mask }: Frame['channelLayout']): number[] {
  const isSurround = order === AV_CHANNEL_ORDER_NATIVE && (mask & FRONT) === FRONT;
  const levels = Array.from({ length: nbChannels }, (_, channel) => {
    if (!isSurround || channel < 2) return 1;
    return channel === 2 ? Math.SQRT2 : Math.SQRT1_2;
  });
  const sum = levels.reduce((total, level) => total + level, 0);
  return levels.map((level) => level / sum);
}

/**
 * Converts decoded frames of any rate, sample format and channel count to mono float32 at one rate. The input format may
 * change between frames. Channels that would cancel each other are mixed with every second one inverted.
 */
export class MonoResampler {
  readonly #sampleRate: number;
  readonly #output = new Frame();
  readonly #choice = new MixChoice();
  #context: SoftwareResampleContext | undefined;
  /** Layout of the context's output: one mix, or two to choose from. */
  #layout = AV_CHANNEL_LAYOUT_MONO;

  /** @param sampleRate of the output, in Hz */
  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#output.alloc();
  }

  /**
   * Converts one decoded frame.
   *
   * @returns the samples ready so far, in order and finite; the filter holds a few back. The caller may keep the arrays.
   * @throws HearsayError `invalid_audio` for an absurd sample rate or channel count
   */
  convert(frame: Frame): Float32Array[] {
    const { nbChannels } = frame.channelLayout;
    this.#check(frame.sampleRate, nbChannels);
    const mix = mixOf(frame.channelLayout);
    // The resampler rejects unknown and custom layouts. Besides the mix, only the number of channels counts, so use the
    // first n positions of a native layout.
    frame.channelLayout = { order: AV_CHANNEL_ORDER_NATIVE, nbChannels, mask: (1n << BigInt(nbChannels)) - 1n };
    this.#context ??= this.#open(frame, mix);
    const samples = this.#run(this.#context, frame);
    if (samples !== undefined) return [samples];

    const tail = this.flush();
    this.#context = this.#open(frame, mix);
    return [...tail, this.#run(this.#context, frame) ?? new Float32Array()];
  }

  /** Flushes the filter and returns its last samples. */
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
    if (rate < MIN_RATE || rate > MAX_RATE || channels < 1 || channels > MAX_CHANNELS) {
      const layout = channels === 1 ? '1 channel' : `${channels} channels`;
      throw invalidAudio(`Audio of ${layout} at ${rate} Hz is not supported.`);
    }
  }

  #open(frame: Frame, mix: number[]): SoftwareResampleContext {
    const context = new SoftwareResampleContext();
    this.#layout = mix.length > 1 ? AV_CHANNEL_LAYOUT_STEREO : AV_CHANNEL_LAYOUT_MONO;
    const inverted = mix.map((level, channel) => (channel % 2 === 1 ? -level : level));
    const matrix = mix.length > 1 ? [...mix, ...inverted] : mix;
    try {
      FFmpegError.throwIfError(
        context.allocSetOpts2(
          this.#layout,
          AV_SAMPLE_FMT_FLT,
          this.#sampleRate,
          frame.channelLayout,
          frame.format as AVSampleFormat,
          frame.sampleRate,
        ),
      );
      // FFmpeg's stereo weights add up to 1.41, which raises full scale in both channels by 3 dB.
      FFmpegError.throwIfError(context.setMatrix(matrix, mix.length));
      FFmpegError.throwIfError(context.init());
    } catch (error) {
      context.free();
      throw error;
    }
    return context;
  }

  /** @returns undefined if the frame's format is not that of the context */
  #run(context: SoftwareResampleContext, frame: Frame | null): Float32Array | undefined {
    const output = this.#output;
    output.unref();
    output.format = AV_SAMPLE_FMT_FLT;
    output.sampleRate = this.#sampleRate;
    output.channelLayout = this.#layout;
    const code = context.convertFrame(output, frame);
    if (code === AVERROR_INPUT_CHANGED) return undefined;
    FFmpegError.throwIfError(code);
    if (output.nbSamples === 0) return new Float32Array();

    const bytes = output.toBuffer();
    const samples = new Float32Array(output.nbSamples * this.#layout.nbChannels);
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i]!;
      if (!(Math.abs(sample) <= MAX_SAMPLE)) {
        samples[i] = Number.isFinite(sample) ? Math.sign(sample) * MAX_SAMPLE : 0;
      }
    }
    return this.#layout.nbChannels > 1 ? this.#choice.push(samples) : samples;
  }
}
