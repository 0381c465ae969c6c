import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AudioFile } from './audio-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audio-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function reader(text: string) {
  const file = await AudioFile.create(folder, 'pcm');
  await file.write(Buffer.from(text));
  await file.finish();
  return file.read();
}

it('ends with its last byte: a client that had read all of it counted as disconnected', async () => {
  const body = await reader('speech');
  const [bytes] = await once(body, 'data');
  expect(String(bytes)).toBe('speech');
  // Before the answer to any other read.
  await new Promise(setImmediate);
  expect(body.readableEnded).toBe(true);
});

it('may be empty', async () => {
  expect(await (await reader('')).toArray()).toEqual([]);
});
