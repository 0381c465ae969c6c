/** Decodes IEEE 754 half precision: 1 sign bit, 5 exponent bits, 10 fraction bits. */
export function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** A table of all half-precision numbers: twice as fast as shifting bits. */
let float16Values: Float32Array | undefined;

/** Converts half-precision numbers into `values`, of the same length. */
export function widenFloat16(bits: Uint16Array, values: Float32Array): void {
  float16Values ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => float16(half));
  const table = float16Values;
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]!]!;
}

/** The largest number of half precision. */
const MAX_FLOAT16 = 65504;
/** The smallest number of half precision with all of its digits; smaller ones are multiples of 2⁻²⁴. */
const MIN_NORMAL_FLOAT16 = 2 ** -14;

/** Rounds numbers to half precision, ties to even. @throws RangeError if one is beyond its range */
export function narrowToFloat16(values: Float32Array): Uint16Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const magnitude = Math.abs(values[index]!);
    if (!(magnitude <= MAX_FLOAT16)) throw new RangeError(`${values[index]} is beyond half precision`);
    const sign = (words[index]! >>> 16) & 0x8000;
    if (magnitude < MIN_NORMAL_FLOAT16) {
      const steps = magnitude * 2 ** 24;
      const below = Math.floor(steps);
      const isUp = steps - below > 0.5 || (steps - below === 0.5 && below % 2 === 1);
      halves[index] = sign | (isUp ? below + 1 : below);
    } else {
      // Drops 13 digits of the fraction, and takes the difference of the exponents' offsets, 127 and 15, away.
      const bits = words[index]! & 0x7fffffff;
      halves[index] = sign | ((bits - 0x38000000 + 0xfff + ((bits >>> 13) & 1)) >>> 13);
    }
  }
  return halves;
}

/** Converts bfloat16 numbers, the upper half of a float32, into `values`, of the same length. */
export function widenBfloat16(bits: Uint16Array, values: Float32Array): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) words[i] = bits[i]! << 16;
}

/** Whether all values are finite. */
export function areFinite(values: Float32Array): boolean {
  // Infinity and NaN times zero are NaN, as is any sum with them: one pass without branches.
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]! * 0;
  return !Number.isNaN(sum);
}
