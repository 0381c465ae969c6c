import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './missing.ts';

const ASIDE = '.removed-';

/**
 * Removes a directory in one step, as others see it: they never find half of it. What a process that was killed meanwhile has
 * left next to it is removed, too.
 * @returns whether there was such a directory
 * @throws the error of the file system
 */
export async function removeDirectory(directory: string): Promise<boolean> {
  const parent = dirname(directory);
  const aside = await ifFound(mkdtemp(join(parent, ASIDE)));
  if (aside === undefined) return false;
  const isFound = await ifFound(rename(directory, aside).then(() => true));
  for (const name of await readdir(parent)) {
    if (name.startsWith(ASIDE)) await rm(join(parent, name), { recursive: true, force: true });
  }
  return isFound === true;
}

function ifFound<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
}
