import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder of its own for this process's temporary files. Folders of processes that are gone, which a crash may have left
 * behind with somebody's recordings in them, are removed.
 */
export async function createTemporaryFolder(parent: string, service: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const owner = new RegExp(`^hearsay-${service}-(\\d+)-\\w{6}$`);
  for (const name of await readdir(parent)) {
    const pid = Number(owner.exec(name)?.[1]);
    if (pid && (pid === process.pid || !isRunning(pid))) await rm(join(parent, name), { recursive: true, force: true });
  }
  return mkdtemp(join(parent, `hearsay-${service}-${process.pid}-`));
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
