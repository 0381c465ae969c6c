import { describe, expect, it } from 'vitest';
import { Peaks } from './peaks.ts';

const second = (height: number) => new Int16Array(24_000).fill(height);

describe('Peaks', () => {
  it('are the highest of each part, by their distance from zero', () => {
    const peaks = new Peaks();
    peaks.append(second(0));
    peaks.append(second(16_384));
    peaks.append(second(-32_768));
    const columns = [...peaks.columns(6, 3)].map((height) => Math.round(height * 100) / 100);
    expect(columns).toEqual([0, 0, 0.5, 0.5, 1, 1]);
  });

  it('do not depend on how the samples arrive', () => {
    const samples = Int16Array.from({ length: 50_000 }, (_, i) => 30_000 * Math.sin(i / 700) * Math.sin(i / 9));
    const [whole, pieces] = [new Peaks(), new Peaks()];
    whole.append(samples);
    for (let at = 0; at < samples.length; at += 333) pieces.append(samples.subarray(at, at + 333));
    expect(pieces.columns(50, 2)).toEqual(whole.columns(50, 2));
    expect(Math.max(...whole.columns(50, 2))).toBeGreaterThan(0.8);
  });

  it('leave what has not been spoken yet flat, and stretch where columns outnumber them', () => {
    const peaks = new Peaks();
    peaks.append(second(32_767));
    expect([...peaks.columns(4, 4)]).toEqual([1, 0, 0, 0]);
    expect([...peaks.columns(400, 1)].every((height) => height === 1)).toBe(true);
    expect([...new Peaks().columns(2, 0)]).toEqual([0, 0]);
  });

  it('hold hours', () => {
    const peaks = new Peaks();
    for (let i = 0; i < 60; i++) peaks.append(second(i < 30 ? 0 : 32_767));
    expect([...peaks.columns(2, 60)]).toEqual([0, 1]);
  });
});
