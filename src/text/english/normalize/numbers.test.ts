import { describe, expect, it } from 'vitest';
import { cardinal, designation, fraction, ordinal, year } from './numbers.ts';

describe('cardinal', () => {
  it('reaches quintillions, and goes digit by digit beyond', () => {
    expect(cardinal(`999${'000'.repeat(6)}`)).toBe('nine hundred ninety nine quintillion');
    expect(cardinal(`1${'000'.repeat(7)}`)).toBe(`one${' zero'.repeat(21)}`);
  });

  it('takes leading zeros for nothing', () => {
    expect(cardinal('0012')).toBe('twelve');
    expect(cardinal('000')).toBe('zero');
  });
});

it.each([
  ['1', 'first'],
  ['12', 'twelfth'],
  ['30', 'thirtieth'],
  ['101', 'one hundred first'],
  ['1000000', 'one millionth'],
])('ordinal %s', (digits, words) => expect(ordinal(digits)).toBe(words));

it.each([
  ['1000', 'one thousand'],
  ['1066', 'ten sixty six'],
  ['1800', 'eighteen hundred'],
  ['1901', 'nineteen oh one'],
  ['2009', 'two thousand nine'],
  ['2010', 'twenty ten'],
  ['44', 'forty four'],
])('year %s', (digits, words) => expect(year(digits)).toBe(words));

it.each([
  ['7', 'seven'],
  ['95', 'ninety five'],
  ['320', 'three twenty'],
  ['505', 'five oh five'],
  ['700', 'seven hundred'],
  ['007', 'zero zero seven'],
  ['12345', 'one two three four five'],
])('designation %s', (digits, words) => expect(designation(digits)).toBe(words));

it('names fractions, and says the others with over', () => {
  expect(fraction('3', '2')).toBe('three halves');
  expect(fraction('1', '0')).toBe('one over zero');
  expect(fraction('5', '123')).toBe('five over one hundred twenty three');
});
