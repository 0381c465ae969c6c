import { afterEach, expect, it, vi } from 'vitest';
import { shared } from './shared-answer.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('reads once for all callers, and again after two seconds', async () => {
  vi.useFakeTimers();
  let reads = 0;
  const answer = shared(async () => ++reads);
  expect(await Promise.all(Array.from({ length: 40 }, answer))).toEqual(Array(40).fill(1));
  vi.advanceTimersByTime(1999);
  expect(await answer()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await answer()).toBe(2);
});

it('counts the two seconds from the end of a long reading', async () => {
  vi.useFakeTimers();
  let finish = (_value: number) => {};
  let reads = 0;
  const answer = shared(() => {
    reads++;
    return new Promise<number>((resolve) => {
      finish = resolve;
    });
  });
  const first = answer();
  vi.advanceTimersByTime(10_000);
  const second = answer();
  finish(7);
  expect([await first, await second, await answer()]).toEqual([7, 7, 7]);
  expect(reads).toBe(1);
});

it('does not keep a failure', async () => {
  let reads = 0;
  const answer = shared(async () => {
    reads++;
    if (reads === 1) throw new Error('not yet');
    return reads;
  });
  await expect(answer()).rejects.toThrow('not yet');
  expect(await answer()).toBe(2);
});
