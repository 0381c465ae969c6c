import { describe, expect, it } from 'vitest';
import { decodeALaw, decodeMuLaw } from './g711.ts';

const codes = Uint8Array.from({ length: 256 }, (_, code) => code);

describe('G.711', () => {
  // Values of ITU-T G.711, tables 1a and 2a, at the scale of 16 bits.
  it.each([
    [0xff, 0],
    [0x7f, 0],
    [0xfe, 8],
    [0x80, 32_124],
    [0x00, -32_124],
    [0x8f, 16_764],
  ])('decodes μ-law 0x%s', (code, sample) => {
    expect(decodeMuLaw(Uint8Array.of(code))[0]! * 32_768).toBeCloseTo(sample, 3);
  });

  it.each([
    [0xd5, 8],
    [0x55, -8],
    [0xaa, 32_256],
    [0x2a, -32_256],
    [0xc5, 264],
  ])('decodes A-law 0x%s', (code, sample) => {
    expect(decodeALaw(Uint8Array.of(code))[0]! * 32_768).toBeCloseTo(sample, 3);
  });

  it.each([decodeMuLaw, decodeALaw])('is symmetric and stays within full scale', (decode) => {
    const samples = decode(codes);
    for (let code = 0; code < 128; code++) expect(samples[code]! + samples[code + 128]!).toBeCloseTo(0, 9);
    expect(Math.max(...samples)).toBeLessThan(1);
    expect(new Set(samples.map(Math.abs)).size).toBe(128);
  });
});
