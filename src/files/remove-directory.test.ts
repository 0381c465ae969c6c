import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeDirectory } from './remove-directory.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'remove-'));
});
afterEach(() => rm(parent, { recursive: true }));

it('removes a directory recursively, with leftovers of an earlier removal', async () => {
  for (const name of ['model/deep', 'other', '.removed-abc/deep']) await mkdir(join(parent, name), { recursive: true });
  await writeFile(join(parent, 'model/deep/weights'), 'w');
  expect(await removeDirectory(join(parent, 'model'))).toBe(true);
  expect(await readdir(parent)).toEqual(['other']);
});

it('does nothing if there is no directory', async () => {
  expect(await removeDirectory(join(parent, 'model'))).toBe(false);
  expect(await removeDirectory(join(parent, 'nowhere/model'))).toBe(false);
  expect(await readdir(parent)).toEqual([]);
});

it('removes what two remove at once', async () => {
  await mkdir(join(parent, 'model/deep'), { recursive: true });
  const both = await Promise.all([removeDirectory(join(parent, 'model')), removeDirectory(join(parent, 'model'))]);
  expect(both.sort()).toEqual([false, true]);
  expect(await readdir(parent)).toEqual([]);
});

it('removes a link, not the directory that it leads to', async () => {
  await mkdir(join(parent, 'disk/model'), { recursive: true });
  await symlink(join(parent, 'disk/model'), join(parent, 'model'));
  expect(await removeDirectory(join(parent, 'model'))).toBe(true);
  expect(await readdir(parent)).toEqual(['disk']);
  expect(await readdir(join(parent, 'disk'))).toEqual(['model']);
});
