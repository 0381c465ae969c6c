/** Companding of telephone audio: 8-bit codes for 13 or 14 bit samples (ITU-T G.711). */

/** Decodes μ-law. @returns as many samples, −1 to 1 */
export const decodeMuLaw = (codes: Uint8Array): Float32Array => decode(codes, muLawSamples);

/** Decodes A-law. @returns as many samples, −1 to 1 */
export const decodeALaw = (codes: Uint8Array): Float32Array => decode(codes, aLawSamples);

function decode(codes: Uint8Array, samples: Float32Array): Float32Array {
  return Float32Array.from(codes, (code) => samples[code]!);
}

/** G.711 table 2: bits are inverted; sign, exponent, mantissa; 33 is added before the shift and taken away after it. */
const muLawSamples = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 1) + 33) << ((bits >> 4) & 7)) - 33;
  return ((bits & 0x80 ? -1 : 1) * magnitude) / 8192;
});

/** G.711 table 1: even bits are inverted; the first two segments share a step. */
const aLawSamples = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 1) + 1;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 32) << (exponent - 1);
  return ((bits & 0x80 ? 1 : -1) * magnitude) / 4096;
});
