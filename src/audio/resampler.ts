/** Taps for each output sample: from 24 to 16 kHz the filter falls by 60 dB between 6.9 and 8.3 kHz. */
const TAPS = 64;
/** Shape of the Kaiser window for 60 dB (Kaiser 1974: 0.1102 (A − 8.7)). */
const BETA = 0.1102 * (60 - 8.7);
/** Middle of that fall, as a share of the lower rate's bandwidth. */
const CUTOFF = 0.95;

/**
 * Changes the rate of a stream by a ratio of small whole numbers: a polyphase low-pass filter, which keeps what both rates
 * can hold. Output begins at the first input sample and lags by half the filter, 1.3 ms at 24 kHz.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  /** Coefficients of each phase, in the order of the input. */
  readonly #phases: readonly Float32Array[];
  /** Input that later output still needs; its first sample is at `#start`. */
  #input: Float32Array;
  #start = -TAPS / 2;
  /** Input and output samples so far. */
  #received = 0;
  #produced = 0;

  /** @param from rate of the input in Hz @param to rate of the output */
  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    this.#phases = lowPassPhases(this.#up, this.#down);
    this.#input = new Float32Array(TAPS / 2);
  }

  /** Adds any number of samples. @returns the samples that are ready, at the new rate */
  push(samples: Float32Array): Float32Array {
    this.#received += samples.length;
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const end = this.#start + input.length;
    // The last output sample whose filter ends within the input.
    const ready = Math.max(this.#produced, Math.floor(((end - TAPS / 2 - 1) * this.#up) / this.#down) + 1);
    const output = new Float32Array(ready - this.#produced);
    for (let index = 0; index < output.length; index++) {
      const position = (this.#produced + index) * this.#down;
      const phase = this.#phases[position % this.#up]!;
      const first = Math.floor(position / this.#up) - TAPS / 2 + 1 - this.#start;
      let sum = 0;
      for (let tap = 0; tap < TAPS; tap++) sum += phase[tap]! * input[first + tap]!;
      output[index] = sum;
    }
    this.#produced = ready;
    const needed = Math.floor((ready * this.#down) / this.#up) - TAPS / 2 + 1;
    const dropped = Math.max(0, Math.min(input.length, needed - this.#start));
    this.#input = input.slice(dropped);
    this.#start += dropped;
    return output;
  }

  /** @returns the samples that `push` held back, as if silence followed; nothing can be pushed afterwards */
  finish(): Float32Array {
    const left = Math.ceil((this.#received * this.#up) / this.#down) - this.#produced;
    return this.push(new Float32Array(TAPS / 2 + 1)).subarray(0, left);
  }
}

/** Windowed sinc at the input's rate: for each phase the taps around an output sample that lies `phase / up` after one. */
function lowPassPhases(up: number, down: number): Float32Array[] {
  // In cycles per input sample.
  const cutoff = (CUTOFF * Math.min(1, up / down)) / 2;
  return Array.from({ length: up }, (_, phase) => {
    const taps = Float32Array.from({ length: TAPS }, (_, tap) => {
      const distance = tap - (TAPS / 2 - 1) - phase / up;
      return 2 * cutoff * sinc(2 * cutoff * distance) * kaiser(distance / (TAPS / 2));
    });
    // A constant stays the same constant, whatever the phase.
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** @param x −1 to 1 across the window */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

/** Modified Bessel function of the first kind, order 0, by its power series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
