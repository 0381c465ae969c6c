import { describe, expect, it } from 'vitest';
import { loudness } from './loudness.ts';

const tone = (hertz: number, seconds: number, peak: number, rate: number) =>
  Float32Array.from({ length: seconds * rate }, (_, index) => peak * Math.sin((2 * Math.PI * hertz * index) / rate));

describe('loudness', () => {
  it.each([24_000, 44_100, 48_000])('is -3.01 LUFS for a full sine of 997 Hz, at %i Hz', (rate) => {
    expect(loudness(tone(997, 3, 1, rate), rate)).toBeCloseTo(-3.01, 1);
    expect(loudness(tone(997, 3, 0.1, rate), rate)).toBeCloseTo(-23.01, 1);
  });

  it('attenuates low frequencies and boosts high ones', () => {
    expect(loudness(tone(40, 3, 1, 48_000), 48_000)).toBeLessThan(-8);
    expect(loudness(tone(4000, 3, 1, 48_000), 48_000)).toBeGreaterThan(-0.5);
  });

  it('leaves pauses out', () => {
    const sound = tone(997, 2, 0.1, 24_000);
    const paused = new Float32Array(10 * 24_000);
    paused.set(sound);
    paused.set(sound, 6 * 24_000);
    expect(Math.abs(loudness(paused, 24_000) - loudness(sound, 24_000))).toBeLessThan(0.6);
  });

  it('is -Infinity for silence and for next to nothing', () => {
    expect(loudness(new Float32Array(24_000), 24_000)).toBe(Number.NEGATIVE_INFINITY);
    expect(loudness(tone(997, 0.3, 1, 24_000), 24_000)).toBe(Number.NEGATIVE_INFINITY);
  });
});
