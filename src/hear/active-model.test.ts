import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { persistActiveModel, readActiveModel } from './active-model.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hearsay-active-'));
});
afterEach(() => rm(parent, { recursive: true }));

it('stores the last choice and creates its directory', async () => {
  const folder = join(parent, 'data');
  expect(await readActiveModel(folder)).toBeUndefined();
  await persistActiveModel(folder, 'small');
  await persistActiveModel(folder, 'openai/whisper-tiny');
  expect(await readActiveModel(folder)).toBe('openai/whisper-tiny');
  expect(await readdir(folder)).toEqual(['active_model']);
});

it('ignores a blank file and leftovers of a crash', async () => {
  await writeFile(join(parent, 'active_model'), '\n');
  await writeFile(join(parent, 'active_model.0.part'), 'a long name that was cut');
  expect(await readActiveModel(parent)).toBeUndefined();
  await persistActiveModel(parent, 'base');
  expect(await readActiveModel(parent)).toBe('base');
});

it('names DATA_DIR if it cannot write', async () => {
  await mkdir(join(parent, 'active_model'));
  await expect(persistActiveModel(parent, 'base')).rejects.toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining('DATA_DIR'),
  });
  // No partial file stays behind.
  expect(await readdir(parent)).toEqual(['active_model']);
});
