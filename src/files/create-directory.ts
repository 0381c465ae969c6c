import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDirectory } from './entry.ts';
import { isMissing } from './missing.ts';

/**
 * Creates a directory and those above it, unless they are there. Node's `recursive` never ends where a parent takes no
 * directories, as /proc does.
 * @param mode of the new directories
 * @throws the error of the file system
 */
export async function createDirectory(path: string, mode?: number): Promise<void> {
  try {
    await createUnlessThere(path, mode);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const parent = dirname(path);
    // It may be there by now, made by another process, or take no directories.
    if (!(await isDirectory(parent))) await createDirectory(parent, mode);
    await createUnlessThere(path, mode);
  }
}

async function createUnlessThere(path: string, mode?: number): Promise<void> {
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    if (!(await isDirectory(path))) throw error;
  });
}
