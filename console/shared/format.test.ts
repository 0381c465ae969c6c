import { describe, expect, it } from 'vitest';
import { byteSize, clock, fileTime, snippet, spokenLength } from './format.ts';

describe('durations', () => {
  it('clock shows hours, minutes and seconds', () => {
    expect([0, 7.9, 65, 3599.99, 3725].map(clock)).toEqual(['0:00', '0:07', '1:05', '59:59', '1:02:05']);
    expect([Number.NaN, Number.POSITIVE_INFINITY, -1].map(clock)).toEqual(['–', '–', '–']);
  });

  it('spokenLength rounds to a readable unit', () => {
    expect([0.04, 4.24, 42.4, 59.6, 90, 3780].map(spokenLength)).toEqual([
      ...['0 s', '4.2 s', '42 s', '60 s', '2 min', '1 h 3 min'],
    ]);
    expect(spokenLength(Number.POSITIVE_INFINITY)).toBe('of unknown length');
  });
});

it('fileTime is in the time zone of the browser', () => {
  expect(fileTime(new Date(2026, 0, 5, 9, 5, 0))).toBe('2026-01-05-09-05-00');
  expect(fileTime(new Date(2026, 11, 31, 23, 59, 59))).toBe('2026-12-31-23-59-59');
});

it('byteSize counts in powers of 1000', () => {
  expect([0, 512, 999, 1000, 3_400_000, 999_600, 12e9, 5e15].map(byteSize)).toEqual([
    ...['0 B', '512 B', '999 B', '1.0 kB', '3.4 MB', '1.0 MB', '12 GB', '5000 TB'],
  ]);
});

describe('snippet', () => {
  it('joins lines', () => {
    expect(snippet(' a\n\tb  c ', 10)).toBe('a b c');
  });

  it('cuts between characters', () => {
    expect(snippet('😀😀😀😀', 3)).toBe('😀😀…');
    expect(snippet('abc', 3)).toBe('abc');
    expect(snippet('a'.repeat(1_000_000), 5)).toBe('aaaa…');
  });
});
