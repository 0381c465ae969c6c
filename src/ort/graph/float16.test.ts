import { expect, it } from 'vitest';
import { float16 } from '../../checkpoint/floats.ts';
import { narrowToFloat16 } from './float16.ts';

const narrowed = (...values: number[]) => [...narrowToFloat16(Float32Array.from(values))].map(float16);

it('narrowToFloat16 keeps every number of half precision', () => {
  const halves = Array.from({ length: 2 ** 16 }, (_, bits) => bits).filter((bits) => ((bits >> 10) & 31) < 31);
  expect([...narrowToFloat16(Float32Array.from(halves, float16))]).toEqual(halves);
});

it('narrowToFloat16 rounds to the nearest, ties to even', () => {
  const step = 2 ** -10;
  expect(narrowed(1 + 0.49 * step, 1 + 0.5 * step, 1 + 1.5 * step, 1 + 0.51 * step, -(1 + 1.5 * step))).toEqual([
    1,
    1,
    1 + 2 * step,
    1 + step,
    -(1 + 2 * step),
  ]);
  // The next exponent, and multiples of the smallest number.
  expect(narrowed(2 - 2 ** -12, 2 ** -14 - 2 ** -26, 1.5 * 2 ** -24, 0.5 * 2 ** -24, 2 ** -30)).toEqual([
    2,
    2 ** -14,
    2 * 2 ** -24,
    0,
    0,
  ]);
});

it.each([65_505, -1e9, Number.POSITIVE_INFINITY, Number.NaN])('narrowToFloat16 refuses %d', (value) => {
  expect(() => narrowed(1, value)).toThrow(RangeError);
});
