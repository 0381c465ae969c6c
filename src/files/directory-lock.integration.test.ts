import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectoryLocked, lockDirectory } from './directory-lock.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

describe('lockDirectory', () => {
  it.each(['short', 'long'.repeat(40)])('locks a directory with a %s name until it is unlocked', async (name) => {
    const directory = join(parent, name);
    const unlock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryLocked);
    expect(await readdir(directory)).toEqual(['lock']);
    await unlock();
    expect(await readdir(directory)).toEqual([]);
    await (await lockDirectory(directory))();
  });

  it('is free at once when its process was killed, and refused while that is stopped', async () => {
    const directory = join(parent, 'killed');
    const script = join(parent, 'lock.mjs');
    const url = new URL('../../dist/files/directory-lock.js', import.meta.url).href;
    await writeFile(
      script,
      `import { lockDirectory } from '${url}'; await lockDirectory(process.argv[2]); process.send('locked'); setInterval(() => {}, 1000);`,
    );
    const child = fork(fileURLToPath(new URL(`file://${script}`)), [directory]);
    await once(child, 'message');
    child.kill('SIGSTOP');
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryLocked);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDirectory(directory))();
  });

  it('goes to one of many that ask at the same time', async () => {
    const directory = join(parent, 'many');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)));
    const locks = results.filter((result) => result.status === 'fulfilled');
    expect(locks).toHaveLength(1);
    await locks[0]!.value();
  });
});
