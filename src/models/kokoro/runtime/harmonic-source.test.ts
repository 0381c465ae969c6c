import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../common/random.ts';
import { fourierTransform, harmonicSource, normalNoise } from './harmonic-source.ts';

const mix = { weights: [1, 0.5, 0, 0, 0, 0, 0, 0, 0.2], bias: 0.01 };

describe('harmonicSource', () => {
  it('sums the fundamental and its overtones in voiced samples, and only the bias in unvoiced ones', () => {
    const source = harmonicSource(Float32Array.of(120, 120, 120, 5, 5), 300, mix);
    expect(source).toHaveLength(1500);
    const expected = (at: number) => {
      const cycles = (120 * (at + 0.5 + 150)) / 24_000;
      const wave = (harmonic: number) => Math.sin(2 * Math.PI * harmonic * cycles);
      return Math.tanh(0.01 + 0.1 * (wave(1) + 0.5 * wave(2) + 0.2 * wave(9)));
    };
    for (const at of [150, 333, 749]) expect(source[at]).toBeCloseTo(expected(at), 10);
    expect(source.slice(900).every((value) => value === Math.tanh(0.01))).toBe(true);
  });

  it('adds noise, more in unvoiced samples, the same for the same seed', () => {
    const pitch = new Float32Array(100);
    const spread = (values: Float64Array) =>
      Math.sqrt(values.reduce((sum, value) => sum + (value - 0.01) ** 2, 0) / values.length);
    const noisy = (seed: number) => harmonicSource(pitch, 300, mix, normalNoise(seededRandom(seed)));
    expect(spread(noisy(1))).toBeCloseTo((0.1 / 3) * Math.hypot(1, 0.5, 0.2), 3);
    expect(noisy(1)).toEqual(noisy(1));
    expect(noisy(1)).not.toEqual(noisy(2));
  });
});

describe('fourierTransform', () => {
  it('finds a wave in its bin, and exact phases in the lowest and highest bin', () => {
    const wave = Float64Array.from({ length: 400 }, (_, index) => -0.2 + Math.cos((2 * Math.PI * 3 * index) / 20));
    const { values, frames } = fourierTransform(wave, { fourierSize: 20, fourierHop: 5 });
    expect(frames).toBe(81);
    const at = (row: number) => values[row * frames + 40]!;
    // Hann windows of 20 samples sum up to 10.
    expect(at(3)).toBeCloseTo(5, 6);
    expect(at(2)).toBeCloseTo(2.5, 6);
    expect(at(7)).toBeCloseTo(0, 6);
    expect(at(11 + 0)).toBe(Math.fround(Math.PI));
    expect(Math.abs(at(11 + 10)) % Math.fround(Math.PI)).toBe(0);
  });
});
