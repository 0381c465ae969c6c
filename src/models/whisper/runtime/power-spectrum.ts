/** Samples of one frame: 25 ms at 16 kHz. */
export const FRAME_SAMPLES = 400;
/** Frequencies of its spectrum: 40 Hz apart, from 0 to 8 kHz. */
export const FREQUENCIES = FRAME_SAMPLES / 2 + 1;

const ROWS = 16;
const COLUMNS = 25;

const COS_45 = Math.SQRT1_2;
const COS_22 = Math.cos(Math.PI / 8);
const SIN_22 = Math.sin(Math.PI / 8);
const COS_72 = Math.cos((2 * Math.PI) / 5);
const SIN_72 = Math.sin((2 * Math.PI) / 5);
const COS_144 = Math.cos((4 * Math.PI) / 5);
const SIN_144 = Math.sin((4 * Math.PI) / 5);

/**
 * Squared magnitudes of the Fourier transform of a frame under a window.
 * 400 is 16 · 25, which have no common factor: the prime factor algorithm (Good 1958) turns it into a two-dimensional
 * transform without twiddle factors, of 25 transforms of 16 real values, then 8 of 25 complex values, each 5 · 5. Rows
 * 9 to 15 mirror the others, since the signal is real; rows 0 and 8, which are real, share one complex transform.
 */
export class PowerSpectrum {
  readonly #order = new Int32Array(FRAME_SAMPLES);
  readonly #window = new Float64Array(FRAME_SAMPLES);
  /** Row by row; the imaginary part of row 0 holds row 8. */
  readonly #real = new Float64Array(8 * COLUMNS);
  readonly #imaginary = new Float64Array(8 * COLUMNS);
  /** Frequency of each value above; the last 25 are those of row 8. */
  readonly #frequency = new Int32Array(9 * COLUMNS);
  /** exp(−2πi · b · c / 25), at 5b + c. */
  readonly #rotationReal = new Float64Array(COLUMNS);
  readonly #rotationImaginary = new Float64Array(COLUMNS);

  /** @param window 400 factors, one for each sample */
  constructor(window: ArrayLike<number>) {
    for (let column = 0; column < COLUMNS; column++) {
      for (let row = 0; row < ROWS; row++) {
        const sample = (COLUMNS * row + ROWS * column) % FRAME_SAMPLES;
        this.#order[ROWS * column + row] = sample;
        this.#window[ROWS * column + row] = window[sample]!;
      }
      const angle = (-2 * Math.PI * Math.floor(column / 5) * (column % 5)) / COLUMNS;
      this.#rotationReal[column] = Math.cos(angle);
      this.#rotationImaginary[column] = Math.sin(angle);
    }
    for (let frequency = 0; frequency < FRAME_SAMPLES; frequency++) {
      const row = frequency % ROWS;
      const index = COLUMNS * row + outputIndex(frequency % COLUMNS);
      if (row <= 8) this.#frequency[index] = Math.min(frequency, FRAME_SAMPLES - frequency);
    }
  }

  /** Transforms the 400 samples from `start` on into `power`, 201 values. */
  compute(samples: Float32Array, start: number, power: Float64Array): void {
    this.#transformColumns(samples, start);
    for (let row = 0; row < 8; row++) this.#transformRow(COLUMNS * row);
    const real = this.#real;
    const imaginary = this.#imaginary;
    const frequency = this.#frequency;
    for (let index = COLUMNS; index < 8 * COLUMNS; index++) {
      const re = real[index]!;
      const im = imaginary[index]!;
      power[frequency[index]!] = re * re + im * im;
    }
    // Rows 0 and 8 are the even and the odd part of their joint transform.
    for (let column = 0; column <= COLUMNS / 2; column++) {
      const index = outputIndex(column);
      const mirror = outputIndex((COLUMNS - column) % COLUMNS);
      const evenReal = real[index]! + real[mirror]!;
      const evenImaginary = imaginary[index]! - imaginary[mirror]!;
      const oddReal = imaginary[index]! + imaginary[mirror]!;
      const oddImaginary = real[mirror]! - real[index]!;
      power[frequency[index]!] = (evenReal * evenReal + evenImaginary * evenImaginary) / 4;
      power[frequency[8 * COLUMNS + index]!] = (oddReal * oddReal + oddImaginary * oddImaginary) / 4;
    }
  }

  /** 25 transforms of 16 windowed samples, even and odd outputs separately. */
  #transformColumns(samples: Float32Array, start: number): void {
    const order = this.#order;
    const window = this.#window;
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let column = 0; column < COLUMNS; column++) {
      const offset = ROWS * column;
      const x0 = samples[start + order[offset]!]! * window[offset]!;
      const x1 = samples[start + order[offset + 1]!]! * window[offset + 1]!;
      const x2 = samples[start + order[offset + 2]!]! * window[offset + 2]!;
      const x3 = samples[start + order[offset + 3]!]! * window[offset + 3]!;
      const x4 = samples[start + order[offset + 4]!]! * window[offset + 4]!;
      const x5 = samples[start + order[offset + 5]!]! * window[offset + 5]!;
      const x6 = samples[start + order[offset + 6]!]! * window[offset + 6]!;
      const x7 = samples[start + order[offset + 7]!]! * window[offset + 7]!;
      const x8 = samples[start + order[offset + 8]!]! * window[offset + 8]!;
      const x9 = samples[start + order[offset + 9]!]! * window[offset + 9]!;
      const x10 = samples[start + order[offset + 10]!]! * window[offset + 10]!;
      const x11 = samples[start + order[offset + 11]!]! * window[offset + 11]!;
      const x12 = samples[start + order[offset + 12]!]! * window[offset + 12]!;
      const x13 = samples[start + order[offset + 13]!]! * window[offset + 13]!;
      const x14 = samples[start + order[offset + 14]!]! * window[offset + 14]!;
      const x15 = samples[start + order[offset + 15]!]! * window[offset + 15]!;

      const a0 = x0 + x8 + (x4 + x12);
      const a1 = x1 + x9 + (x5 + x13);
      const a2 = x2 + x10 + (x6 + x14);
      const a3 = x3 + x11 + (x7 + x15);
      real[column] = a0 + a2 + (a1 + a3);
      imaginary[column] = a0 + a2 - (a1 + a3);
      real[column + 4 * COLUMNS] = a0 - a2;
      imaginary[column + 4 * COLUMNS] = a3 - a1;

      const d0 = x0 + x8 - (x4 + x12);
      const d1 = x1 + x9 - (x5 + x13);
      const d2 = x2 + x10 - (x6 + x14);
      const d3 = x3 + x11 - (x7 + x15);
      const difference = COS_45 * (d1 - d3);
      const sum = COS_45 * (d1 + d3);
      real[column + 2 * COLUMNS] = d0 + difference;
      imaginary[column + 2 * COLUMNS] = -d2 - sum;
      real[column + 6 * COLUMNS] = d0 - difference;
      imaginary[column + 6 * COLUMNS] = d2 - sum;

      const b0 = x0 - x8;
      const b4 = x4 - x12;
      const e1 = x1 - x9 - (x7 - x15);
      const e2 = COS_45 * (x2 - x10 - (x6 - x14));
      const e3 = x3 - x11 - (x5 - x13);
      const f1 = x1 - x9 + (x7 - x15);
      const f2 = COS_45 * (x2 - x10 + (x6 - x14));
      const f3 = x3 - x11 + (x5 - x13);
      const outer = COS_22 * e1 + SIN_22 * e3;
      const inner = SIN_22 * e1 - COS_22 * e3;
      const outerSine = SIN_22 * f1 + COS_22 * f3;
      const innerSine = COS_22 * f1 - SIN_22 * f3;
      real[column + COLUMNS] = b0 + e2 + outer;
      imaginary[column + COLUMNS] = -b4 - f2 - outerSine;
      real[column + 3 * COLUMNS] = b0 - e2 + inner;
      imaginary[column + 3 * COLUMNS] = b4 - f2 - innerSine;
      real[column + 5 * COLUMNS] = b0 - e2 - inner;
      imaginary[column + 5 * COLUMNS] = f2 - b4 - innerSine;
      real[column + 7 * COLUMNS] = b0 + e2 - outer;
      imaginary[column + 7 * COLUMNS] = b4 + f2 - outerSine;
    }
  }

  /** 25 values in place: five transforms with stride 5, rotated, then five of neighbours. */
  #transformRow(start: number): void {
    for (let b = 0; b < 5; b++) this.#transformFive(start + b, 5, 5 * b);
    for (let c = 0; c < 5; c++) this.#transformFive(start + 5 * c, 1, 0);
  }

  /** Five values in place, `step` apart; rotates output c by entry `rotation` + c, not at all if `rotation` is 0. */
  #transformFive(first: number, step: number, rotation: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const second = first + step;
    const third = second + step;
    const fourth = third + step;
    const fifth = fourth + step;
    const re0 = real[first]!;
    const im0 = imaginary[first]!;
    const nearReal = real[second]! + real[fifth]!;
    const nearImaginary = imaginary[second]! + imaginary[fifth]!;
    const farReal = real[third]! + real[fourth]!;
    const farImaginary = imaginary[third]! + imaginary[fourth]!;
    const nearRealDifference = real[second]! - real[fifth]!;
    const nearImaginaryDifference = imaginary[second]! - imaginary[fifth]!;
    const farRealDifference = real[third]! - real[fourth]!;
    const farImaginaryDifference = imaginary[third]! - imaginary[fourth]!;
    real[first] = re0 + nearReal + farReal;
    imaginary[first] = im0 + nearImaginary + farImaginary;

    const evenReal1 = re0 + COS_72 * nearReal + COS_144 * farReal;
    const evenImaginary1 = im0 + COS_72 * nearImaginary + COS_144 * farImaginary;
    const oddReal1 = SIN_72 * nearImaginaryDifference + SIN_144 * farImaginaryDifference;
    const oddImaginary1 = SIN_72 * nearRealDifference + SIN_144 * farRealDifference;
    const evenReal2 = re0 + COS_144 * nearReal + COS_72 * farReal;
    const evenImaginary2 = im0 + COS_144 * nearImaginary + COS_72 * farImaginary;
    const oddReal2 = SIN_144 * nearImaginaryDifference - SIN_72 * farImaginaryDifference;
    const oddImaginary2 = SIN_144 * nearRealDifference - SIN_72 * farRealDifference;
    this.#store(second, evenReal1 + oddReal1, evenImaginary1 - oddImaginary1, rotation, 1);
    this.#store(third, evenReal2 + oddReal2, evenImaginary2 - oddImaginary2, rotation, 2);
    this.#store(fourth, evenReal2 - oddReal2, evenImaginary2 + oddImaginary2, rotation, 3);
    this.#store(fifth, evenReal1 - oddReal1, evenImaginary1 + oddImaginary1, rotation, 4);
  }

  #store(index: number, re: number, im: number, rotation: number, output: number): void {
    if (rotation === 0) {
      this.#real[index] = re;
      this.#imaginary[index] = im;
      return;
    }
    const cosine = this.#rotationReal[rotation + output]!;
    const sine = this.#rotationImaginary[rotation + output]!;
    this.#real[index] = re * cosine - im * sine;
    this.#imaginary[index] = re * sine + im * cosine;
  }
}

/** Index of a row's output after its transform: the digits of 5c + d swapped. */
function outputIndex(column: number): number {
  return 5 * (column % 5) + Math.floor(column / 5);
}
