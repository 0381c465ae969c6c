import { describe, expect, it } from 'vitest';
import { cardinal, designation, fraction, ordinal, year } from './numbers.ts';

describe('cardinal', () => {
  it('names quintillions and spells larger numbers digit by digit', () => {
    expect(cardinal(`999${'000'.repeat(6)}`)).toBe('nine hundred ninety nine quintillion');
    expect(cardinal('1000002000000000000')).toBe('one quintillion two trillion');
    expect(cardinal('9007199254740993')).toBe(
      'nine quadrillion seven trillion one hundred ninety nine billion two hundred fifty four million seven hundred ' +
        'forty thousand nine hundred ninety three',
    );
    expect(cardinal(`1${'000'.repeat(7)}`)).toBe(`one${' zero'.repeat(21)}`);
  });

  it('ignores leading zeros', () => {
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
  ['0', 'zeroth'],
  ['1000000000000000', 'one quadrillionth'],
  ['2000000000000000003', 'two quintillion third'],
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

it('fraction names small denominators and says others with over', () => {
  expect(fraction('3', '2')).toBe('three halves');
  expect(fraction('1', '0')).toBe('one over zero');
  expect(fraction('5', '123')).toBe('five over one hundred twenty three');
});
