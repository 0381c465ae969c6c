import { describe, expect, it } from 'vitest';
import { romanToDigits, romanValue } from './roman-numerals.ts';

describe('romanToDigits', () => {
  it('reads well-formed numerals', () => {
    expect(romanToDigits('MCMXCIV')).toBe('1994');
    expect(romanToDigits('XLIX')).toBe('49');
  });

  it.each(['', 'IIII', 'VX', 'IC', 'ABC', 'I'.repeat(1000)])('rejects %j', (numeral) => {
    expect(romanToDigits(numeral)).toBeUndefined();
  });
});

describe('romanValue', () => {
  it('reads numerals that are not well formed', () => {
    expect(romanValue('IIII')).toBe(4);
    expect(romanValue('XIX')).toBe(19);
  });
});
