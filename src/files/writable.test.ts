import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { whyNotWritable } from './writable.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'writable-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

it('whyNotWritable creates the directory and leaves nothing in it', async () => {
  const directory = join(parent, 'a/b');
  expect(await whyNotWritable(directory)).toBeUndefined();
  expect(readdirSync(directory)).toEqual([]);
});

it('whyNotWritable names the error of a file in the place of the directory', async () => {
  const path = join(parent, 'file');
  writeFileSync(path, '');
  expect(await whyNotWritable(path)).toBe('EEXIST');
  expect(await whyNotWritable(join(path, 'data'))).toBe('ENOTDIR');
});

// Even root cannot create files there, although its permissions say so.
it.skipIf(!existsSync('/proc/self'))('whyNotWritable finds a read-only directory of root', async () => {
  expect(await whyNotWritable('/proc')).toBeDefined();
});
