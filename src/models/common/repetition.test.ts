import { describe, expect, it } from 'vitest';
import { compressionRatio, loopLength, repeatedShare } from './repetition.ts';

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

describe('repeatedShare', () => {
  const sentence = [1, 2, 3, 4, 5, 6, 7];

  it('counts the tokens of phrases that have come before', () => {
    expect(repeatedShare([...sentence, ...sentence, 8])).toBe(7 / 15);
    expect(repeatedShare([...sentence, 9, ...sentence, 9, ...sentence])).toBe(15 / 23);
  });

  it('ignores words and short phrases that come again', () => {
    expect(repeatedShare([...sentence, 8, 1, 2, 3, 4])).toBe(0);
    expect(repeatedShare(sentence)).toBe(0);
    expect(repeatedShare([])).toBe(0);
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
