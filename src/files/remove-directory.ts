import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './missing.ts';

const ASIDE = '.removed-';

/**
 * Removes a directory, or the link to one, in one step, as others see it: they never find half of it. What a process that was
 * killed meanwhile has left next to it is removed, too.
 * @returns whether there was such a directory
 * @throws the error of the file system
 */
export async function removeDirectory(directory: string): Promise<boolean> {
  const parent = dirname(directory);
  try {
    await rename(directory, join(parent, `${ASIDE}${randomUUID()}`));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  for (const name of await readdir(parent)) {
    if (name.startsWith(ASIDE)) await rm(join(parent, name), { recursive: true, force: true });
  }
  return true;
}
