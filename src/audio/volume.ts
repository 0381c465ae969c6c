/** Level above which samples are limited; full scale is 1. */
const KNEE = 0.8;

/**
 * Multiplies samples by `volume` and limits them softly. Up to 0.8 they are only scaled; above, a hyperbola approaches 1
 * smoothly and strictly rising, so that no peak is flattened even at ten times the volume. Each sample is independent, so
 * chunks of a recording can be limited one by one.
 *
 * @param volume above 0
 * @returns a new array, within ±1
 */
export function softLimit(samples: Float32Array, volume: number): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const scaled = samples[i]! * volume;
    const over = Math.abs(scaled) - KNEE;
    result[i] = over > 0 ? Math.sign(scaled) * (1 - (1 - KNEE) ** 2 / (over + 1 - KNEE)) : scaled;
  }
  return result;
}
