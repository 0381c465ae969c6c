import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { BANDS } from '../graph/shapes.ts';
import { PowerOfTwoSpectrum } from './fourier.ts';

/** 25 ms. */
export const FRAME_SAMPLES = 400;
/** 10 ms. */
export const HOP_SAMPLES = 160;
/** The next power of two. Whisper's transform, of 400 points, has other frequencies. */
const TRANSFORM_SAMPLES = 512;
const FREQUENCIES = TRANSFORM_SAMPLES / 2;
const PRE_EMPHASIS = 0.97;
const LOWEST_HERTZ = 20;
const HIGHEST_HERTZ = SAMPLE_RATE / 2;
/** The least that a float32 adds to 1, below which Kaldi takes no logarithm. */
const MIN_ENERGY = 2 ** -23;

/** A Hann window to the power of 0.85, named after Kaldi's author. */
const window = Float64Array.from(
  { length: FRAME_SAMPLES },
  (_, index) => (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / (FRAME_SAMPLES - 1))) ** 0.85,
);

/** Number of whole frames in a number of samples. */
export const framesIn = (samples: number) => Math.max(0, 1 + Math.floor((samples - FRAME_SAMPLES) / HOP_SAMPLES));

/** Number of samples under a number of frames. */
export const samplesUnder = (frames: number) => (frames - 1) * HOP_SAMPLES + FRAME_SAMPLES;

/**
 * Logarithms of the energies in 80 bands, as Kaldi's `compute-fbank-feats` computes them without dither
 * (https://kaldi-asr.org/doc/feat.html) and 3D-Speaker uses them: of samples from -1 to 1, not of 16-bit numbers.
 */
export class FilterBanks {
  readonly #spectrum = new PowerOfTwoSpectrum(TRANSFORM_SAMPLES);
  readonly #bands = melBands();
  readonly #frame = new Float64Array(TRANSFORM_SAMPLES);
  readonly #power = new Float64Array(FREQUENCIES);

  /** @returns `[frames, 80]`, row-major: a frame every 160 samples, as long as they are whole */
  compute(samples: Float32Array): Float32Array {
    const frames = framesIn(samples.length);
    const values = new Float32Array(frames * BANDS);
    for (let frame = 0; frame < frames; frame++) {
      this.#prepare(samples.subarray(frame * HOP_SAMPLES, frame * HOP_SAMPLES + FRAME_SAMPLES));
      this.#spectrum.compute(this.#frame, this.#power);
      for (const [band, { first, weights }] of this.#bands.entries()) {
        let energy = 0;
        for (let index = 0; index < weights.length; index++) energy += weights[index]! * this.#power[first + index]!;
        values[frame * BANDS + band] = Math.log(Math.max(energy, MIN_ENERGY));
      }
    }
    return values;
  }

  /** Removes the offset, raises high frequencies, and applies the window. */
  #prepare(samples: Float32Array): void {
    let sum = 0;
    for (let index = 0; index < FRAME_SAMPLES; index++) sum += samples[index]!;
    const offset = sum / FRAME_SAMPLES;
    let previous = samples[0]! - offset;
    for (let index = 0; index < FRAME_SAMPLES; index++) {
      const sample = samples[index]! - offset;
      this.#frame[index] = (sample - PRE_EMPHASIS * previous) * window[index]!;
      previous = sample;
    }
  }
}

interface Band {
  /** First frequency with a weight. */
  first: number;
  weights: Float64Array;
}

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);

/** Triangles of the same width in mel, which overlap by half. */
function melBands(): Band[] {
  const low = mel(LOWEST_HERTZ);
  const width = (mel(HIGHEST_HERTZ) - low) / (BANDS + 1);
  return Array.from({ length: BANDS }, (_, band) => {
    const centre = low + (band + 1) * width;
    const heights = Array.from(
      { length: FREQUENCIES },
      (_, index) => 1 - Math.abs(mel((index * SAMPLE_RATE) / TRANSFORM_SAMPLES) - centre) / width,
    );
    const first = heights.findIndex((height) => height > 0);
    const end = heights.findLastIndex((height) => height > 0) + 1;
    return { first: Math.max(0, first), weights: Float64Array.from(heights.slice(Math.max(0, first), end)) };
  });
}
