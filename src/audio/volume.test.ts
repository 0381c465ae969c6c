import { describe, expect, it } from 'vitest';
import { softLimit } from './volume.ts';

/** From -4 to 4. */
const ramp = Float32Array.from({ length: 80_001 }, (_, i) => (i - 40_000) / 10_000);

describe('softLimit', () => {
  it('returns samples below the knee unchanged at volume 1', () => {
    const quiet = ramp.filter((value) => Math.abs(value) < 0.8);
    expect(softLimit(quiet, 1)).toEqual(quiet);
  });

  it('scales below the knee', () => {
    expect(softLimit(Float32Array.of(0.25, -0.5, 0), 1.5)).toEqual(Float32Array.of(0.375, -0.75, 0));
    expect(softLimit(Float32Array.of(1, -1), 0.5)).toEqual(Float32Array.of(0.5, -0.5));
  });

  it.each([1, 1.7, 100, 1e9])('rises smoothly and stays below 1 at volume %f', (volume) => {
    const limited = softLimit(
      ramp.map((value) => value / volume),
      volume,
    );
    const steps = limited.slice(1).map((value, i) => value - limited[i]!);
    expect(steps.reduce((a, b) => Math.min(a, b))).toBeGreaterThanOrEqual(0);
    expect(steps.reduce((a, b) => Math.max(a, b))).toBeLessThan(1.01e-4);
    expect(limited.at(-1)).toBeLessThanOrEqual(1);
    expect(limited.at(-1)).toBeGreaterThan(0.98);
    expect(limited[0]).toBe(-limited.at(-1)!);
  });

  it('does not flatten peaks at ten times the volume', () => {
    const limited = softLimit(Float32Array.of(0.5, 0.7, 0.9, 0.95), 10);
    expect([...limited].every((value, i) => value < 1 && (i === 0 || value > limited[i - 1]!))).toBe(true);
  });

  it('accepts infinite and huge samples', () => {
    expect(softLimit(Float32Array.of(Infinity, -Infinity, 3e38), 1e10)).toEqual(Float32Array.of(1, -1, 1));
  });

  it('treats chunks like the whole and does not change its input', () => {
    const input = ramp.slice();
    const whole = softLimit(input, 2);
    const chunks = [...softLimit(ramp.subarray(0, 60_007), 2), ...softLimit(ramp.subarray(60_007), 2)];
    expect(chunks.every((value, i) => value === whole[i])).toBe(true);
    expect(input.every((value, i) => value === ramp[i])).toBe(true);
  });
});
