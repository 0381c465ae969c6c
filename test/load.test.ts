import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drive, formBody, probe } from '../benchmarks/load.mjs';
import { type Clip, writeMedia } from './fixtures/media.ts';
import { endAll, startHear, until } from './fixtures/service.ts';
import { hasSpeech, readSpeech, speechFile, spokenWords } from './fixtures/speech.ts';

/** The short form of benchmarks/hear-load.bench.mjs and hear-long.bench.mjs, which measure the speed. */
let folder: string;
let reading: Clip;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-'));
  if (hasSpeech) reading = { samples: await readSpeech(speechFile('two_cities.wav')), sampleRate: 16_000 };
});
afterAll(async () => {
  await endAll();
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, from: number, to: number, times = 1): Promise<string> {
  const path = join(folder, name);
  const part = reading.samples.subarray(from * 16_000, to * 16_000);
  const samples = new Float32Array(part.length * times);
  for (let index = 0; index < times; index++) samples.set(part, index * part.length);
  await writeMedia(path, 'wav s16', { samples, sampleRate: 16_000 });
  return path;
}

describe.skipIf(!hasSpeech)('under load', () => {
  it('answers only 200, queue_full or queue_timeout, and stays healthy', async () => {
    const hear = await startHear({ MAX_CONCURRENCY: '2', QUEUE_SIZE: '4', QUEUE_TIMEOUT_SECONDS: '1' });
    await hear.ready();
    const bodies = await Promise.all(
      [await write('4s.wav', 1, 5), await write('8s.wav', 12, 20), await write('44s.wav', 0, 44)].map(async (path) =>
        formBody(await readFile(path)),
      ),
    );
    const engines = hear.engines();
    const endProbe = probe(hear.url);
    const {
      200: done,
      queue_full,
      queue_timeout,
      ...other
    } = await drive(hear.url, {
      clients: 8 * 6,
      seconds: 5,
      bodies,
      pauseMs: 200,
    });
    const { latencies, wrong } = await endProbe();
    expect(other).toEqual({});
    expect(done).toBeGreaterThan(0);
    expect(queue_full).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    expect(latencies.length).toBeGreaterThan(0);
    expect(hear.engines()).toEqual(engines);
    expect([await hear.metric('hearsay_queue_active'), await hear.metric('hearsay_queue_waiting')]).toEqual([0, 0]);
    expect(await hear.tempFiles()).toEqual([]);
    await hear.stop();
  });

  it('answers a clip beside eight long files', async () => {
    const hear = await startHear();
    await hear.ready();
    const clip = await write('clip.wav', 1, 5);
    const alone = await (await hear.post({ file: clip })).json();
    // Four minutes each: the engine needs far longer for them than for the clip.
    const file = await readFile(await write('long.wav', 0, 44, 6));
    const hangUp = new AbortController();
    let ended = 0;
    const files = await Promise.all(
      Array.from({ length: 8 }, () => hear.post({ file, fields: { stream: 'true' }, signal: hangUp.signal })),
    );
    for (const { body } of files) {
      const reader = body!.getReader();
      expect(Buffer.from((await reader.read()).value!).toString()).toContain('transcript.text.delta');
      void (async () => {
        while (!(await reader.read()).done);
        ended++;
      })().catch(() => {});
    }
    expect(await (await hear.post({ file: clip })).json()).toEqual(alone);
    expect(spokenWords((alone as { text: string }).text).length).toBeGreaterThan(5);
    expect(ended).toBe(0);
    expect(await hear.metric('hearsay_queue_active')).toBe(8);
    hangUp.abort();
    await until(async () => (await hear.metric('hearsay_queue_active')) === 0, 'the files are given up');
    await hear.stop();
  });
});
