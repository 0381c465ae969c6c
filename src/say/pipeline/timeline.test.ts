import { describe, expect, it } from 'vitest';
import { softLimit, Timeline } from './timeline.ts';

const word = (start_time: number, end_time: number) => [{ word: 'a', start_time, end_time }];
const constant = (seconds: number, value: number) => new Float32Array(1000 * seconds).fill(value);

describe('Timeline', () => {
  it('adds a tail to what follows, and counts times from the start of all audio', () => {
    const timeline = new Timeline(1000);
    const first = timeline.add(constant(1, 0.25), word(0.1, 0.9), constant(0.1, 0.5));
    expect(first.samples).toHaveLength(1000);
    expect(first.words).toEqual(word(0.1, 0.9));
    const second = timeline.add(constant(1, 0.25), word(-0.05, 0.5), undefined);
    expect([second.samples[0], second.samples[99], second.samples[100]]).toEqual([0.75, 0.75, 0.25]);
    expect(second.words).toEqual(word(0.95, 1.5));
    expect(timeline.flush()).toHaveLength(0);
  });

  it('scales sound and times by the tempo, but not pauses', () => {
    const timeline = new Timeline(1000);
    timeline.changeTempo(2);
    const parts = [timeline.add(constant(1, 0.25), word(0.2, 0.8), undefined)];
    expect(parts[0]!.words).toEqual(word(0.1, 0.4));
    const pause = timeline.pause(constant(1, 0));
    expect(parts[0]!.samples.length + pause.length).toBe(500 + 1000);
    expect(pause.subarray(-1000).every((sample) => sample === 0)).toBe(true);
    const after = timeline.add(constant(1, 0.25), word(0.2, 0.8), undefined);
    expect(after.words).toEqual(word(1.6, 1.9));
    expect(after.samples.length + timeline.flush().length).toBe(500);
  });
});

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
