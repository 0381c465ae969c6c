import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PendingChunk, SpokenAudio } from '../../contracts/synthesis.ts';
import { prefetch } from './prefetch.ts';

const spoken = (length: number): SpokenAudio => ({ samples: new Float32Array(length), words: [] });
const at = (length: number, milliseconds = 0): PendingChunk => {
  const done = sleep(milliseconds, spoken(length));
  return { audio: () => done };
};

async function lengths(source: AsyncIterable<SpokenAudio>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { samples } of source) seen.push(samples.length);
  return seen;
}

describe('prefetch', () => {
  it.each([1, 2, 3])('passes everything on in order, %i ahead', async (parts) => {
    let begun = 0;
    async function* source() {
      for (; begun < 4; ) yield at(begun++);
    }
    const seen: number[][] = [];
    for await (const { samples } of prefetch(source(), parts)) {
      await sleep(1);
      seen.push([samples.length, begun]);
    }
    expect(seen).toEqual([0, 1, 2, 3].map((index) => [index, Math.min(4, index + 1 + parts)]));
  });

  it('has several spoken at the same time, and waits for the one whose turn it is', async () => {
    let [under, most] = [0, 0];
    async function* source() {
      for (const milliseconds of [40, 5, 20, 5, 5]) {
        most = Math.max(most, ++under);
        const part = at(milliseconds, milliseconds);
        void part.audio().then(() => under--);
        yield part;
      }
    }
    expect(await lengths(prefetch(source(), 3))).toEqual([40, 5, 20, 5, 5]);
    expect(most).toBe(3);
  });

  it('ends the source when its consumer leaves', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield at(1);
      } finally {
        ended = true;
      }
    }
    for await (const _ of prefetch(source(), 2)) break;
    await sleep(1);
    expect(ended).toBe(true);
  });

  it.each([1, 3])(
    'passes an error on where it belongs, and raises none that nobody awaits, %i ahead',
    async (parts) => {
      async function* source() {
        yield at(1);
        throw new Error('no voice');
      }
      const seen: number[] = [];
      await expect(
        (async () => {
          for await (const { samples } of prefetch(source(), parts)) seen.push(samples.length);
        })(),
      ).rejects.toThrow('no voice');
      expect(seen).toEqual([1]);
      for await (const _ of prefetch(source(), parts)) break;
      await sleep(1);
    },
  );
});
