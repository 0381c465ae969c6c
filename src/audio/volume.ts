/** Level above which samples are limited; full scale is 1. */
const KNEE = 0.8;

/**
 * Multiplies samples by `volume` and limits softly what gets loud by it: up to 0.8 nothing else happens (volume 1 gives
 * the very samples), beyond that a hyperbola bends the curve towards 1, without an edge, without ever falling and without
 * reaching it, so that even at ten times the volume no peak is flattened. No sample's result depends on another's, so that
 * pieces of one recording may be limited one by one.
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
