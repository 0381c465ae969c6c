import { describe, expect, it } from 'vitest';
import { romanToDigits } from './roman-numerals.ts';

describe('romanToDigits', () => {
  it('reads what it would write', () => {
    expect(romanToDigits('MCMXCIV')).toBe('1994');
    expect(romanToDigits('XLIX')).toBe('49');
  });

  it.each(['', 'IIII', 'VX', 'IC', 'ABC', 'I'.repeat(1000)])('refuses %j', (numeral) => {
    expect(romanToDigits(numeral)).toBeUndefined();
  });
});
