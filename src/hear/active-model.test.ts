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

it('remembers the last choice, in a folder that it makes', async () => {
  const folder = join(parent, 'data');
  expect(await readActiveModel(folder)).toBeUndefined();
  await persistActiveModel(folder, 'small');
  await persistActiveModel(folder, 'openai/whisper-tiny');
  expect(await readActiveModel(folder)).toBe('openai/whisper-tiny');
  expect(await readdir(folder)).toEqual(['active_model']);
});

it('takes blanks for nothing and survives what a crash left behind', async () => {
  await writeFile(join(parent, 'active_model'), '\n');
  await writeFile(join(parent, 'active_model.0.part'), 'a long name that was cut');
  expect(await readActiveModel(parent)).toBeUndefined();
  await persistActiveModel(parent, 'base');
  expect(await readActiveModel(parent)).toBe('base');
});

it('says when it cannot write', async () => {
  await mkdir(join(parent, 'active_model'));
  await expect(persistActiveModel(parent, 'base')).rejects.toThrow();
  // Nothing half written stays where there may be no room for it.
  expect(await readdir(parent)).toEqual(['active_model']);
});
