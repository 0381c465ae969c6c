import { describe, expect, it } from 'vitest';
import { compressionRatio, loopLength } from './repetition.ts';

describe('loopLength', () => {
  const repeat = (phrase: number[], times: number) => Array.from({ length: times }, () => phrase).flat();

  it('finds a repeated phrase', () => {
    expect(loopLength([1, 2, ...repeat([7, 8, 9, 10, 11, 12], 4)])).toBe(18);
    expect(loopLength(repeat([5], 24))).toBe(23);
  });

  it('ignores repetitions of normal speech', () => {
    expect(loopLength(repeat([5], 10))).toBe(0);
    expect(loopLength(repeat([5, 6, 7], 5))).toBe(0);
    expect(loopLength(repeat([5, 6, 7, 8, 9, 10, 11, 12, 13, 14], 3))).toBe(0);
    expect(loopLength(Array.from({ length: 100 }, (_, index) => index))).toBe(0);
  });
});

describe('compressionRatio', () => {
  it('matches zlib in Python', () => {
    // len(b) / len(zlib.compress(b)) of the same texts.
    expect(compressionRatio('And so my fellow Americans')).toBeCloseTo(0.76470588, 6);
    expect(compressionRatio('Grüße, 世界. '.repeat(20))).toBeCloseTo(10.96774194, 6);
    expect(compressionRatio('')).toBe(0);
  });
});
