import { type KokoroConfiguration, pitchSamples, SAMPLE_RATE } from '../configuration.ts';
import { hann } from '../graph/generator.ts';
import { HARMONICS, type HarmonicMix } from '../graph/harmonic-mix.ts';

const AMPLITUDE = 0.1;
/** Minimum pitch of voiced samples, in Hz. */
const MIN_PITCH = 10;
/** Standard deviations of the noise in voiced and unvoiced samples. */
const VOICED_NOISE = 0.003;
const UNVOICED_NOISE = AMPLITUDE / 3;

/**
 * The neural source-filter model's source (Wang et al. 2019, https://arxiv.org/abs/1904.12088): sines of the pitch and its
 * multiples in voiced samples, noise everywhere. Phases are accumulated in double precision.
 * @param pitch in Hz, each value for `hop` samples
 * @param noise standard normal numbers; omitted for no noise
 * @returns `pitch.length · hop` samples, −1 to 1
 */
export function harmonicSource(pitch: Float32Array, hop: number, mix: HarmonicMix, noise?: () => number): Float64Array {
  const count = pitch.length;
  const source = new Float64Array(count * hop);
  // Cycles of the fundamental up to the middle of each value; the published modules interpolate between them.
  const cycles = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) {
    sum += (pitch[index]! * hop) / SAMPLE_RATE;
    cycles[index] = sum;
  }
  // Only the weighted sum of the harmonics' independent noises matters, so draw it directly.
  const noiseWeight = Math.hypot(...mix.weights);
  for (let index = 0, at = 0; index < count; index++) {
    const voiced = pitch[index]! > MIN_PITCH;
    const deviation = noiseWeight * (voiced ? VOICED_NOISE : UNVOICED_NOISE);
    for (let sample = 0; sample < hop; sample++, at++) {
      let value = mix.bias;
      if (voiced) {
        const position = Math.max(0, (at + 0.5) / hop - 0.5);
        const before = Math.floor(position);
        const after = Math.min(before + 1, count - 1);
        const between = cycles[before]! + (position - before) * (cycles[after]! - cycles[before]!);
        value += (after > before ? phaseSign(pitch[after]!, hop) : 1) * harmonics(between, mix.weights);
      }
      if (noise) value += deviation * noise();
      source[at] = Math.tanh(value);
    }
  }
  return source;
}

/**
 * The published modules wrap a negative pitch, as in pauses, to nearly one cycle per sample. Over a whole value that
 * makes no difference, but it flips the sign at each sample in between. The model was trained with it, so emulate it.
 */
function phaseSign(pitch: number, hop: number): 1 | -1 {
  return pitch < 0 && hop % 2 === 0 ? -1 : 1;
}

/** Σ weight · sin(2π · harmonic · cycles), by the recurrence sin((h + 1)x) = 2 cos x · sin hx − sin((h − 1)x). */
function harmonics(cycles: number, weights: readonly number[]): number {
  const angle = 2 * Math.PI * (cycles - Math.floor(cycles));
  const double = 2 * Math.cos(angle);
  let previous = 0;
  let sine = Math.sin(angle);
  let sum = 0;
  for (let harmonic = 0; harmonic < HARMONICS; harmonic++) {
    sum += weights[harmonic]! * sine;
    const next = double * sine - previous;
    previous = sine;
    sine = next;
  }
  return AMPLITUDE * sum;
}

/**
 * Short-time Fourier transform with centred Hann windows; the signal is reflected at its ends.
 * @returns `[2 · bins, frames]`: magnitudes of all bins, then phases; `samples / hop + 1` frames
 */
export function fourierTransform(
  samples: Float64Array,
  { fourierSize: size, fourierHop: hop }: Pick<KokoroConfiguration['generator'], 'fourierSize' | 'fourierHop'>,
): { values: Float32Array; frames: number } {
  const half = size / 2;
  const bins = half + 1;
  const frames = samples.length / hop + 1;
  const padded = new Float64Array(samples.length + size);
  padded.set(samples, half);
  for (let index = 1; index <= half; index++) {
    padded[half - index] = samples[index]!;
    padded[half + samples.length - 1 + index] = samples[samples.length - 1 - index]!;
  }
  const window = Float64Array.from({ length: size }, (_, index) => hann(index, size));
  const waves = Array.from({ length: bins }, (_, bin) => foldedWaves(bin, size));
  const values = new Float32Array(2 * bins * frames);
  const even = new Float64Array(half + 1);
  const odd = new Float64Array(half + 1);
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * hop;
    // Cosines are even and sines odd around the middle: fold the samples, then multiply half as many.
    even[0] = padded[start]! * window[0]!;
    even[half] = padded[start + half]! * window[half]!;
    for (let index = 1; index < half; index++) {
      const before = padded[start + index]! * window[index]!;
      const after = padded[start + size - index]! * window[size - index]!;
      even[index] = before + after;
      odd[index] = before - after;
    }
    for (let bin = 0; bin < bins; bin++) {
      const { cosines, sines } = waves[bin]!;
      let real = 0;
      let imaginary = 0;
      for (let index = 0; index <= half; index++) {
        real += even[index]! * cosines[index]!;
        imaginary -= odd[index]! * sines[index]!;
      }
      values[bin * frames + frame] = Math.sqrt(real * real + imaginary * imaginary);
      values[(bins + bin) * frames + frame] = Math.atan2(imaginary + 0, real);
    }
  }
  return { values, frames };
}

/** A bin's cosine and sine over the first half of a frame, including its middle. */
function foldedWaves(bin: number, size: number): { cosines: Float64Array; sines: Float64Array } {
  const half = size / 2;
  const angle = (index: number) => (2 * Math.PI * ((bin * index) % size)) / size;
  return {
    cosines: Float64Array.from({ length: half + 1 }, (_, index) => Math.cos(angle(index))),
    // Exact zeros: the sign of a zero flips the phase of the lowest and highest bin.
    sines: Float64Array.from({ length: half + 1 }, (_, index) =>
      (bin * index) % half === 0 ? 0 : Math.sin(angle(index)),
    ),
  };
}

/** Standard normal numbers from uniform ones in 0 … 1, by Marsaglia's polar method. */
export function normalNoise(uniform: () => number): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * factor;
      return x * factor;
    }
  };
}

/**
 * The generator's input for a chunk: the Fourier transform of its harmonics.
 * @param pitch in Hz
 * @param noise standard normal numbers; omitted for no noise
 */
export function sourceSpectrum(
  pitch: Float32Array,
  mix: HarmonicMix,
  generator: KokoroConfiguration['generator'],
  noise?: () => number,
): { values: Float32Array; frames: number } {
  return fourierTransform(harmonicSource(pitch, pitchSamples(generator), mix, noise), generator);
}
