import { expect, it } from 'vitest';
import { difference } from './difference.mjs';

const of = (errors: number[]) => errors.map((each) => ({ words: 20, errors: each }));

it('is the difference of the word error rates', () => {
  expect(difference(of([1, 2, 0, 5]), of([0, 2, 0, 2])).points).toBe(5);
});

it('may be chance if a few stretches make it', () => {
  const { points, from, to } = difference(of([4, 0, 0, 1, 0, 0, 0, 0]), of([0, 1, 0, 0, 0, 1, 0, 1]));
  expect(points).toBeGreaterThan(0);
  expect(from).toBeLessThan(0);
  expect(to).toBeGreaterThan(points);
});

it('is no chance if most stretches have it', () => {
  const errors = Array.from({ length: 40 }, (_, index) => index % 3);
  const { from, to } = difference(of(errors), of(errors.map((each) => each + 1)));
  expect([from, to]).toEqual([-5, -5]);
});

it('compares the same text only', () => {
  expect(() => difference(of([1]), of([1, 2]))).toThrow('not of the same text');
});
