import { describe, expect, it } from 'vitest';
import { Peaks } from './peaks.ts';

const second = (height: number) => new Int16Array(24_000).fill(height);

describe('Peaks', () => {
  it('are the largest amplitudes of each part', () => {
    const peaks = new Peaks();
    peaks.append(second(0));
    peaks.append(second(16_384));
    peaks.append(second(-32_768));
    const columns = [...peaks.columns(6, 3)].map((height) => Math.round(height * 100) / 100);
    expect(columns).toEqual([0, 0, 0.5, 0.5, 1, 1]);
  });

  it('do not depend on the chunking', () => {
    const samples = Int16Array.from({ length: 50_000 }, (_, i) => 30_000 * Math.sin(i / 700) * Math.sin(i / 9));
    const [whole, chunked] = [new Peaks(), new Peaks()];
    whole.append(samples);
    for (let start = 0; start < samples.length; start += 333) chunked.append(samples.subarray(start, start + 333));
    expect(chunked.columns(50, 2)).toEqual(whole.columns(50, 2));
    expect(Math.max(...whole.columns(50, 2))).toBeGreaterThan(0.8);
  });

  it('are flat beyond the speech, and stretch over more columns than peaks', () => {
    const peaks = new Peaks();
    peaks.append(second(32_767));
    expect([...peaks.columns(4, 4)]).toEqual([1, 0, 0, 0]);
    expect([...peaks.columns(400, 1)].every((height) => height === 1)).toBe(true);
    expect([...new Peaks().columns(2, 0)]).toEqual([0, 0]);
  });

  it('keep long speech', () => {
    const peaks = new Peaks();
    for (let i = 0; i < 60; i++) peaks.append(second(i < 30 ? 0 : 32_767));
    expect([...peaks.columns(2, 60)]).toEqual([0, 1]);
  });
});
