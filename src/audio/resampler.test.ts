import { describe, expect, it } from 'vitest';
import { Resampler } from './resampler.ts';

const tone = (hertz: number, rate: number, seconds = 1) =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / rate),
  );

const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

describe('Resampler', () => {
  it.each([
    [24_000, 440],
    [24_000, 6700],
    [8000, 440],
    [8000, 3400],
    [48_000, 1000],
  ])('keeps a tone in the passband, from %d Hz: %d Hz', (rate, hertz) => {
    const output = new Resampler(rate, 16_000).push(tone(hertz, rate));
    const expected = tone(hertz, 16_000);
    // The first samples ring, as before them there was nothing.
    for (let index = 100; index < output.length; index++) {
      expect(Math.abs(output[index]! - expected[index]!)).toBeLessThan(0.02);
    }
  });

  it.each([8500, 10_000, 11_900])('removes what 16 kHz cannot hold: %d Hz', (hertz) => {
    const output = new Resampler(24_000, 16_000).push(tone(hertz, 24_000)).subarray(200);
    expect(10 * Math.log10(power(output) / 0.5)).toBeLessThan(-55);
  });

  it('adds no image of telephone audio above 4 kHz', () => {
    const output = new Resampler(8000, 16_000).push(tone(3000, 8000)).subarray(100);
    const wanted = tone(3000, 16_000).subarray(100, 100 + output.length);
    const rest = output.map((sample, index) => sample - wanted[index]!);
    expect(10 * Math.log10(power(rest) / 0.5)).toBeLessThan(-55);
  });

  it('gives the same samples however the input is cut', () => {
    const input = tone(1234, 24_000, 0.5);
    const whole = new Resampler(24_000, 16_000).push(input);
    const resampler = new Resampler(24_000, 16_000);
    const parts: number[] = [];
    for (let start = 0, size = 1; start < input.length; start += size, size = (size * 7) % 97) {
      parts.push(...resampler.push(input.subarray(start, start + size)));
    }
    expect(parts).toEqual([...whole]);
    expect(resampler.push(new Float32Array(0)).length).toBe(0);
  });

  it.each([8000, 24_000, 48_000])('finishes with all that lasts as long as the input, from %d Hz', (rate) => {
    for (const count of [0, 1, 2400, 2401, 2402]) {
      const resampler = new Resampler(rate, 16_000);
      const whole = [...resampler.push(tone(440, rate).subarray(0, count)), ...resampler.finish()];
      expect(whole).toHaveLength(Math.ceil((count * 16_000) / rate));
    }
  });

  it('gives two samples for three, half a filter late', () => {
    const resampler = new Resampler(24_000, 16_000);
    let count = 0;
    for (let block = 0; block < 100; block++) count += resampler.push(new Float32Array(2400)).length;
    expect(count).toBeLessThanOrEqual(160_000);
    expect(count).toBeGreaterThan(160_000 - 25);
  });
});
