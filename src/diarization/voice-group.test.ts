import { expect, it } from 'vitest';
import { groupOf, joined } from './voice-group.ts';

it('groups grow by a sample in constant time', () => {
  const embedding = Float32Array.of(1, 0);
  let group = groupOf(embedding, 1, 0);
  for (let index = 1; index < 100_000; index++) group = joined(group, groupOf(embedding, 1, index));
  expect(group).toEqual({
    count: 100_000,
    first: 0,
    sum: Float64Array.of(100_000, 0),
    weight: 100_000,
    squares: 100_000,
  });
});
