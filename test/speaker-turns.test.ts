import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { VoiceSample } from '../src/contracts/speakers.ts';

// The built one: its thread is JavaScript.
const { findTurnsApart }: typeof import('../src/diarization/turn-finder.ts') = await import(
  new URL('../dist/diarization/turn-finder.js', import.meta.url).href
);

/** Two voices in turns of ten samples. */
const samplesOf = (count: number): VoiceSample[] =>
  Array.from({ length: count }, (_, index) => ({
    start: index * 12_000,
    end: index * 12_000 + 24_000,
    embedding: Float32Array.from({ length: 16 }, (_, i) => (i === Math.floor(index / 10) % 2 ? 1 : 0)),
  }));
const never = new AbortController().signal;

it('finds the turns of minutes at once and of longer recordings in a thread, alike', async () => {
  const [short, long] = await Promise.all(
    [60, 200].map((count) => findTurnsApart({ samples: samplesOf(count), options: {} }, never)),
  );
  expect(long!.length).toBe(20);
  expect(long!.slice(0, 5)).toEqual(short!.slice(0, 5));
  expect(long!.map(({ speaker }) => speaker)).toEqual(Array.from({ length: 20 }, (_, index) => index % 2));
});

it('ends with its job, and does not hold up others', async () => {
  const controller = new AbortController();
  const found = findTurnsApart({ samples: samplesOf(20_000), options: {} }, controller.signal);
  const started = performance.now();
  await sleep(1);
  controller.abort(new Error('gone'));
  await expect(found).rejects.toThrow('gone');
  // A guard against waiting for the result.
  expect(performance.now() - started).toBeLessThan(5000);
  await expect(findTurnsApart({ samples: samplesOf(500), options: {} }, controller.signal)).rejects.toThrow('gone');
});

it('reports a failure', async () => {
  const broken = samplesOf(200).map(({ start, end }) => ({ start, end })) as VoiceSample[];
  await expect(findTurnsApart({ samples: broken, options: {} }, never)).rejects.toThrow();
});
