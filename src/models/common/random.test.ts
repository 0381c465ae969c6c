import { expect, it } from 'vitest';
import { seededRandom, seedOf } from './random.ts';

it('seededRandom draws the same numbers for the same seed, from 0 to below 1', () => {
  const draws = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
  expect(draws(7)).toEqual(draws(7));
  expect(draws(7)).not.toEqual(draws(8));
  expect(Math.min(...draws(7))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...draws(7))).toBeLessThan(1);
});

it('seedOf depends on every number and their order', () => {
  const words = Array.from({ length: 1000 }, (_, index) => index);
  expect(seedOf(words)).toBe(seedOf(Uint32Array.from(words)));
  expect(seedOf([...words.slice(0, -1), 1000])).not.toBe(seedOf(words));
  expect(seedOf(words.toReversed())).not.toBe(seedOf(words));
});
