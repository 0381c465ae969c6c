import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { prefetch } from './prefetch.ts';

/** An item that is ready after some milliseconds. */
const ready = (item: number, milliseconds = 0) => {
  const done = sleep(milliseconds, item);
  return () => done;
};

describe('prefetch', () => {
  it.each([1, 2, 3])('yields everything in order, %i ahead', async (count) => {
    let started = 0;
    async function* source() {
      for (; started < 4; ) yield ready(started++);
    }
    const seen: number[][] = [];
    for await (const item of prefetch(source(), count)) {
      await sleep(1);
      seen.push([item, started]);
    }
    expect(seen).toEqual([0, 1, 2, 3].map((index) => [index, Math.min(4, index + 1 + count)]));
  });

  it('starts several items at the same time, and waits for the next one in order', async () => {
    let [inFlight, maxInFlight] = [0, 0];
    async function* source() {
      for (const milliseconds of [40, 5, 20, 5, 5]) {
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        const item = ready(milliseconds, milliseconds);
        void item().then(() => inFlight--);
        yield item;
      }
    }
    const seen: number[] = [];
    for await (const item of prefetch(source(), 3)) seen.push(item);
    expect(seen).toEqual([40, 5, 20, 5, 5]);
    expect(maxInFlight).toBe(3);
  });

  it('ends the source when its consumer leaves', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield ready(1);
      } finally {
        ended = true;
      }
    }
    for await (const _ of prefetch(source(), 2)) break;
    await sleep(1);
    expect(ended).toBe(true);
  });

  it.each([1, 3])(
    'throws an error of the source in its turn, and none that is not awaited, %i ahead',
    async (count) => {
      async function* source() {
        yield ready(1);
        throw new Error('no voice');
      }
      const seen: number[] = [];
      await expect(
        (async () => {
          for await (const item of prefetch(source(), count)) seen.push(item);
        })(),
      ).rejects.toThrow('no voice');
      expect(seen).toEqual([1]);
      for await (const _ of prefetch(source(), count)) break;
      await sleep(1);
    },
  );
});
