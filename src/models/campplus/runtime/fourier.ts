/**
 * Squared magnitudes of the Fourier transform of real samples, whose number is a power of two. The samples are taken as
 * complex numbers of half the length, transformed by the radix-2 algorithm (Cooley & Tukey 1965), and the halves of the
 * result separated.
 */
export class PowerOfTwoSpectrum {
  readonly #half: number;
  readonly #order: Int32Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  constructor(length: number) {
    const half = length / 2;
    const bits = Math.log2(half);
    this.#half = half;
    this.#order = Int32Array.from({ length: half }, (_, index) => reverseBits(index, bits));
    this.#cos = Float64Array.from({ length: half }, (_, index) => Math.cos((2 * Math.PI * index) / length));
    this.#sin = Float64Array.from({ length: half }, (_, index) => -Math.sin((2 * Math.PI * index) / length));
    this.#real = new Float64Array(half);
    this.#imaginary = new Float64Array(half);
  }

  /** Transforms the samples into `power`, which takes the frequencies below the highest. */
  compute(samples: Float64Array, power: Float64Array): void {
    const half = this.#half;
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let index = 0; index < half; index++) {
      const from = 2 * this.#order[index]!;
      real[index] = samples[from]!;
      imaginary[index] = samples[from + 1]!;
    }
    for (let size = 2; size <= half; size *= 2) this.#combine(size);
    power[0] = (real[0]! + imaginary[0]!) ** 2;
    for (let index = 1; index < half; index++) {
      const mirror = half - index;
      const evenReal = (real[index]! + real[mirror]!) / 2;
      const evenImaginary = (imaginary[index]! - imaginary[mirror]!) / 2;
      const oddReal = (imaginary[index]! + imaginary[mirror]!) / 2;
      const oddImaginary = (real[mirror]! - real[index]!) / 2;
      const cos = this.#cos[index]!;
      const sin = this.#sin[index]!;
      const re = evenReal + cos * oddReal - sin * oddImaginary;
      const im = evenImaginary + cos * oddImaginary + sin * oddReal;
      power[index] = re * re + im * im;
    }
  }

  /** Joins neighbouring transforms of half of `size` into transforms of `size`. */
  #combine(size: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const cosines = this.#cos;
    const sines = this.#sin;
    const middle = size / 2;
    // The tables hold angles of twice the length.
    const step = (2 * this.#half) / size;
    for (let start = 0; start < this.#half; start += size) {
      for (let index = 0; index < middle; index++) {
        const low = start + index;
        const high = low + middle;
        const cos = cosines[index * step]!;
        const sin = sines[index * step]!;
        const re = real[high]! * cos - imaginary[high]! * sin;
        const im = real[high]! * sin + imaginary[high]! * cos;
        real[high] = real[low]! - re;
        imaginary[high] = imaginary[low]! - im;
        real[low]! += re;
        imaginary[low]! += im;
      }
    }
  }
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
