import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryDirectory, createTemporaryFile } from './temporary-directory.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'temporary-directory-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function makeStale(name: string): string {
  const directory = join(parent, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'upload'), 'a recording');
  return directory;
}

describe('createTemporaryDirectory', () => {
  it('creates the directory and its missing parents', async () => {
    const directory = await createTemporaryDirectory(join(parent, 'a/b'), 'hear');
    expect(directory.startsWith(join(parent, `a/b/hearsay-hear-${hostname()}-${process.pid}-`))).toBe(true);
    expect(existsSync(directory)).toBe(true);
  });

  it('removes only directories of dead processes of the same service', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const crashed = makeStale(`hearsay-hear-${hostname()}-${dead}-abc123`);
    const samePidAsBefore = makeStale(`hearsay-hear-${hostname()}-${process.pid}-abc123`);
    const others = [
      makeStale(`hearsay-hear-${hostname()}-${process.ppid}-abc123`),
      makeStale(`hearsay-say-${hostname()}-${dead}-abc123`),
      makeStale(`hearsay-hear-${hostname()}-${dead}-abc123-notes`),
      makeStale('recordings'),
    ];
    await createTemporaryDirectory(parent, 'hear');
    expect(existsSync(crashed)).toBe(false);
    expect(existsSync(samePidAsBefore)).toBe(false);
    for (const directory of others) expect(existsSync(directory), directory).toBe(true);
  });

  it('removed the directory of a container with the same process id: hosts that share the parent keep theirs', async () => {
    const theirs = await createTemporaryDirectory(parent, 'hear', 'replica-1');
    const dead = makeStale(`hearsay-hear-replica-1-${spawnSync(process.execPath, ['-e', '']).pid}-abc123`);
    const ours = await createTemporaryDirectory(parent, 'hear', 'replica');
    for (const directory of [theirs, dead, ours]) expect(existsSync(directory), directory).toBe(true);
    await createTemporaryDirectory(parent, 'hear', 'replica-1');
    expect([existsSync(theirs), existsSync(dead), existsSync(ours)]).toEqual([false, false, true]);
  });

  it.skipIf(process.platform === 'win32')('ignores a stale directory of another user', async () => {
    const theirs = makeStale(`hearsay-hear-${hostname()}-${spawnSync(process.execPath, ['-e', '']).pid}-abc123`);
    // Without root, a read-only directory of our own takes the place of another user's.
    chmodSync(theirs, 0o500);
    chmodSync(parent, 0o777);
    const user = process.geteuid!();
    const otherUser = 65534;
    if (user === 0) process.seteuid!(otherUser);
    try {
      expect(existsSync(await createTemporaryDirectory(parent, 'hear'))).toBe(true);
    } finally {
      if (user === 0) process.seteuid!(user);
      chmodSync(theirs, 0o700);
    }
    expect(existsSync(theirs)).toBe(true);
  });
});

it('createTemporaryFile recreates its directory and never overwrites a file', async () => {
  const path = join(parent, 'gone', 'upload');
  const file = await createTemporaryFile(path);
  await file.writeFile('a recording');
  await file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(createTemporaryFile(path)).rejects.toThrow('EEXIST');
});
