/** Samples of one frame: 25 ms at 16 kHz. */
export const FRAME_SAMPLES = 400;
/** Frequencies of its spectrum, 40 Hz apart, from 0 to 8 kHz. */
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
 *
 * 400 is 16 · 25 and the two have no common factor, so that the transform is one in two dimensions without rotations
 * between them (the prime factor algorithm: Good 1958): 25 transforms of 16 real values, then 8 of 25 complex values,
 * each of them 5 · 5. Both halves of a real signal's spectrum are the same, so that rows 9 to 15 are left out; rows 0
 * and 8, which are real, go through one complex transform together.
 */
export class PowerSpectrum {
  readonly #order = new Int32Array(FRAME_SAMPLES);
  readonly #window = new Float64Array(FRAME_SAMPLES);
  /** Row by row; row 0 holds row 8 as its imaginary part. */
  readonly #real = new Float64Array(8 * COLUMNS);
  readonly #imaginary = new Float64Array(8 * COLUMNS);
  /** Frequency that each of their values belongs to; of row 8 the last 25. */
  readonly #frequency = new Int32Array(9 * COLUMNS);
  /** exp(−2πi · b · c / 25), at 5b + c. */
  readonly #rotationReal = new Float64Array(COLUMNS);
  readonly #rotationImaginary = new Float64Array(COLUMNS);

  /** @param window one factor for each of the 400 samples */
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
      const place = COLUMNS * row + placeOf(frequency % COLUMNS);
      if (row <= 8) this.#frequency[place] = Math.min(frequency, FRAME_SAMPLES - frequency);
    }
  }

  /** Of the 400 samples from `start` on, into `power`, which has a place for each of the 201 frequencies. */
  compute(samples: Float32Array, start: number, power: Float64Array): void {
    this.#transformColumns(samples, start);
    for (let row = 0; row < 8; row++) this.#transformRow(COLUMNS * row);
    const real = this.#real;
    const imaginary = this.#imaginary;
    const frequency = this.#frequency;
    for (let place = COLUMNS; place < 8 * COLUMNS; place++) {
      const re = real[place]!;
      const im = imaginary[place]!;
      power[frequency[place]!] = re * re + im * im;
    }
    // Rows 0 and 8 are what is even and what is odd in the transform of both.
    for (let column = 0; column <= COLUMNS / 2; column++) {
      const place = placeOf(column);
      const mirror = placeOf((COLUMNS - column) % COLUMNS);
      const evenReal = real[place]! + real[mirror]!;
      const evenImaginary = imaginary[place]! - imaginary[mirror]!;
      const oddReal = imaginary[place]! + imaginary[mirror]!;
      const oddImaginary = real[mirror]! - real[place]!;
      power[frequency[place]!] = (evenReal * evenReal + evenImaginary * evenImaginary) / 4;
      power[frequency[8 * COLUMNS + place]!] = (oddReal * oddReal + oddImaginary * oddImaginary) / 4;
    }
  }

  /** 25 transforms of 16 windowed samples, the even and the odd outputs apart. */
  #transformColumns(samples: Float32Array, start: number): void {
    const order = this.#order;
    const window = this.#window;
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let column = 0; column < COLUMNS; column++) {
      const at = ROWS * column;
      const x0 = samples[start + order[at]!]! * window[at]!;
      const x1 = samples[start + order[at + 1]!]! * window[at + 1]!;
      const x2 = samples[start + order[at + 2]!]! * window[at + 2]!;
      const x3 = samples[start + order[at + 3]!]! * window[at + 3]!;
      const x4 = samples[start + order[at + 4]!]! * window[at + 4]!;
      const x5 = samples[start + order[at + 5]!]! * window[at + 5]!;
      const x6 = samples[start + order[at + 6]!]! * window[at + 6]!;
      const x7 = samples[start + order[at + 7]!]! * window[at + 7]!;
      const x8 = samples[start + order[at + 8]!]! * window[at + 8]!;
      const x9 = samples[start + order[at + 9]!]! * window[at + 9]!;
      const x10 = samples[start + order[at + 10]!]! * window[at + 10]!;
      const x11 = samples[start + order[at + 11]!]! * window[at + 11]!;
      const x12 = samples[start + order[at + 12]!]! * window[at + 12]!;
      const x13 = samples[start + order[at + 13]!]! * window[at + 13]!;
      const x14 = samples[start + order[at + 14]!]! * window[at + 14]!;
      const x15 = samples[start + order[at + 15]!]! * window[at + 15]!;

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

  /** 25 values in place: transforms of five that lie five apart, rotated, then of five neighbours. */
  #transformRow(start: number): void {
    for (let b = 0; b < 5; b++) this.#transformFive(start + b, 5, 5 * b);
    for (let c = 0; c < 5; c++) this.#transformFive(start + 5 * c, 1, 0);
  }

  /** Five values in place, `step` apart; output c is rotated by what stands at `rotation` + c, 0 for not at all. */
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

  #store(place: number, re: number, im: number, rotation: number, output: number): void {
    if (rotation === 0) {
      this.#real[place] = re;
      this.#imaginary[place] = im;
      return;
    }
    const cosine = this.#rotationReal[rotation + output]!;
    const sine = this.#rotationImaginary[rotation + output]!;
    this.#real[place] = re * cosine - im * sine;
    this.#imaginary[place] = re * sine + im * cosine;
  }
}

/** Where a row's transform leaves its output: of 5c + d the digits are exchanged. */
function placeOf(column: number): number {
  return 5 * (column % 5) + Math.floor(column / 5);
}
