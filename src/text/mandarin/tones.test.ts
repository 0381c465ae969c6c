import { describe, expect, it } from 'vitest';
import { toneSandhi } from './tones.ts';

describe('toneSandhi', () => {
  it.each([
    ['ni3 hao3', 'ni2 hao3'],
    ['zhan3 lan3 guan3', 'zhan2 lan2 guan3'],
    ['hen3|hao3', 'hen2|hao3'],
    ['wo3|ye3|hen3|hao3', 'wo2|ye3|hen2|hao3'],
    ['lao3 shi1|hao3', 'lao3 shi1|hao3'],
    ['ke3 yi3|xi3 zao3', 'ke2 yi3|xi2 zao3'],
    ['mai3|shui3 guo3', 'mai3|shui2 guo3'],
    ['hao3|tian1', 'hao3|tian1'],
  ])('%s', (words, expected) => {
    const syllables = words.split('|').map((word) => word.split(' '));
    expect(
      toneSandhi(syllables)
        .map((word) => word.join(' '))
        .join('|'),
    ).toBe(expected);
  });
});
