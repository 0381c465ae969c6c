import { type FileHandle, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createDirectory } from './create-directory.ts';
import { isMissing } from './missing.ts';

/**
 * Creates a directory for the temporary files of this process. Removes those of dead processes on this host: after a crash
 * they may hold recordings.
 * @param service part of the name; only directories with the same one are removed
 * @param host name of the host: containers that share the parent number their processes alike
 */
export async function createTemporaryDirectory(
  parent: string,
  service: string,
  host: string = hostname(),
): Promise<string> {
  await createDirectory(parent);
  const prefix = `hearsay-${service}-${host.replace(/[^\w.-]/g, '_')}-`;
  const pattern = /^(\d+)-\w{6}$/;
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number(pattern.exec(name.slice(prefix.length))?.[1]) : 0;
    if (!pid || (pid !== process.pid && isRunning(pid))) continue;
    // In a shared parent, another user's directory cannot be removed.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

/**
 * Opens a new file in a temporary directory for reading and writing. Recreates the directory if it is gone: systems
 * remove old temporary files after days.
 */
export async function createTemporaryFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx+', 0o600);
  return create().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await createDirectory(dirname(path), 0o700);
    return create();
  });
}

/** Whether a process of this machine, or of this container, exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
