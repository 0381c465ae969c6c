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
