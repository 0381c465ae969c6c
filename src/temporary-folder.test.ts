import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTemporaryFile, createTemporaryFolder } from './temporary-folder.ts';

// The superuser, who runs tests in containers, may remove everything.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const rm: typeof real.rm = (path, options) =>
    String(path).endsWith('-others') ? Promise.reject(new Error('EPERM')) : real.rm(path, options);
  return { ...real, rm };
});

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'temporary-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function leftBehind(name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'upload'), 'somebody speaking');
  return folder;
}

describe('createTemporaryFolder', () => {
  it('makes the folder, and its parent where it is missing', async () => {
    const folder = await createTemporaryFolder(join(parent, 'a/b'), 'hear');
    expect(folder.startsWith(join(parent, `a/b/hearsay-hear-${process.pid}-`))).toBe(true);
    expect(existsSync(folder)).toBe(true);
  });

  it('removes what a crashed process has left, and nothing else', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const crashed = leftBehind(`hearsay-hear-${dead}-abc123`);
    const samePidAsBefore = leftBehind(`hearsay-hear-${process.pid}-abc123`);
    const others = [
      leftBehind(`hearsay-hear-${process.ppid}-abc123`),
      leftBehind(`hearsay-say-${dead}-abc123`),
      leftBehind(`hearsay-hear-${dead}-abc123-notes`),
      leftBehind('recordings'),
    ];
    await createTemporaryFolder(parent, 'hear');
    expect(existsSync(crashed)).toBe(false);
    expect(existsSync(samePidAsBefore)).toBe(false);
    for (const folder of others) expect(existsSync(folder), folder).toBe(true);
  });

  it('leaves what another user has left behind', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const foreign = leftBehind(`hearsay-hear-${dead}-others`);
    expect(existsSync(await createTemporaryFolder(parent, 'hear'))).toBe(true);
    expect(existsSync(foreign)).toBe(true);
  });
});

it('createTemporaryFile makes its folder again, and never takes a file that is there', async () => {
  const path = join(parent, 'gone', 'upload');
  const file = await createTemporaryFile(path);
  await file.writeFile('somebody speaking');
  await file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(createTemporaryFile(path)).rejects.toThrow('EEXIST');
});
