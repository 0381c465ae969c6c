/** IEEE 754 half precision: 1 sign bit, 5 of the exponent, 10 of the fraction. */
export function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Of every half-precision number; twice as fast as shifting its bits. */
let float16Values: Float32Array | undefined;

/** Half-precision numbers as floats, into `values`, which has a place for each. */
export function widenFloat16(bits: Uint16Array, values: Float32Array): void {
  float16Values ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => float16(half));
  const table = float16Values;
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]!]!;
}

/** Numbers of bfloat16, the upper half of a float32, as floats, into `values`, which has a place for each. */
export function widenBfloat16(bits: Uint16Array, values: Float32Array): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) words[i] = bits[i]! << 16;
}

/** Whether there is neither an infinity nor a NaN among the values. */
export function areFinite(values: Float32Array): boolean {
  // Infinity and NaN times zero are NaN, and stay it in the sum: one pass without a branch.
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]! * 0;
  return !Number.isNaN(sum);
}
