import { expect, it } from 'vitest';
import { free } from './session.ts';

it('free gives memory back at once, with all that shares it', () => {
  const before = process.memoryUsage().arrayBuffers;
  const arrays = Array.from({ length: 4 }, () => new Float32Array(1_000_000).fill(1));
  const part = arrays[0]!.subarray(10, 20);
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThanOrEqual(16_000_000);
  free(arrays.slice(0, 3));
  expect([...arrays, part].map(({ length }) => length)).toEqual([0, 0, 0, 1_000_000, 0]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
});
