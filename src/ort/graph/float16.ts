/** The largest finite half-precision number. */
const MAX_FLOAT16 = 65504;
/** The smallest normal half-precision number; smaller ones are multiples of 2⁻²⁴. */
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
      // Drop 13 bits of the fraction, and subtract the difference of the exponent biases, 127 and 15.
      const bits = words[index]! & 0x7fffffff;
      halves[index] = sign | ((bits - 0x38000000 + 0xfff + ((bits >>> 13) & 1)) >>> 13);
    }
  }
  return halves;
}
