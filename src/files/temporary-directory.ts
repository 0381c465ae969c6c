import { type FileHandle, mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A folder of its own for this process's temporary files. Folders of processes that are gone, which a crash may have left
 * behind with somebody's recordings in them, are removed.
 */
export async function createTemporaryFolder(parent: string, service: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const owner = new RegExp(`^hearsay-${service}-(\\d+)-\\w{6}$`);
  for (const name of await readdir(parent)) {
    const pid = Number(owner.exec(name)?.[1]);
    if (!pid || (pid !== process.pid && isRunning(pid))) continue;
    // In a folder that users share, some are not ours to remove.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  return mkdtemp(join(parent, `hearsay-${service}-${process.pid}-`));
}

/**
 * Opens a new file, for reading and writing, in such a folder. Where that is gone it is made again: systems remove what
 * has lain in their temporary folder for days.
 */
export async function createTemporaryFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx+', 0o600);
  return create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return create();
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
