import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { prefetch } from './prefetch.ts';

describe('prefetch', () => {
  it('passes everything on in order, one step ahead', async () => {
    const made: number[] = [];
    async function* source() {
      for (let index = 0; index < 4; index++) {
        made.push(index);
        yield index;
      }
    }
    const seen: number[][] = [];
    for await (const item of prefetch(source())) {
      await sleep(1);
      seen.push([item, made.length]);
    }
    expect(seen).toEqual([
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 4],
    ]);
  });

  it('ends the source when its consumer leaves', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield 1;
      } finally {
        ended = true;
      }
    }
    for await (const _ of prefetch(source())) break;
    await sleep(1);
    expect(ended).toBe(true);
  });

  it('passes an error on where it belongs, and raises none that nobody awaits', async () => {
    async function* source() {
      yield 1;
      throw new Error('no voice');
    }
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const item of prefetch(source())) seen.push(item);
      })(),
    ).rejects.toThrow('no voice');
    expect(seen).toEqual([1]);
    for await (const _ of prefetch(source())) break;
    await sleep(1);
  });
});
