import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDirectory } from './create-directory.ts';

const folder = mkdtempSync(join(tmpdir(), 'create-directory-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('creates a directory and its parents, and leaves one that is there', async () => {
  const path = join(folder, 'a/b/c');
  await Promise.all([createDirectory(path, 0o700), createDirectory(path, 0o700), createDirectory(join(folder, 'a/b'))]);
  await createDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('fails where no directory can be', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'nowhere'), link);
  for (const [path, code] of [
    [file, 'EEXIST'],
    [join(file, 'below'), 'ENOTDIR'],
    [link, 'EEXIST'],
    // Node's own `recursive` does not end here.
    ['/proc/hearsay/data', 'ENOENT'],
  ] as const) {
    await expect(createDirectory(path), path).rejects.toMatchObject({ code });
  }
});
