import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryFile, createTemporaryFolder } from './temporary-directory.ts';

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

  it.skipIf(process.platform === 'win32')('passes over what another user has left', async () => {
    const theirs = leftBehind(`hearsay-hear-${spawnSync(process.execPath, ['-e', '']).pid}-abc123`);
    // Nor may its owner remove what is in it, which will do where this is not run by root.
    chmodSync(theirs, 0o500);
    chmodSync(parent, 0o777);
    const user = process.geteuid!();
    const nobody = 65534;
    if (user === 0) process.seteuid!(nobody);
    try {
      expect(existsSync(await createTemporaryFolder(parent, 'hear'))).toBe(true);
    } finally {
      if (user === 0) process.seteuid!(user);
      chmodSync(theirs, 0o700);
    }
    expect(existsSync(theirs)).toBe(true);
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
