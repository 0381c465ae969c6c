import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file in an existing directory atomically: readers see the old content or the new, even after a crash or a
 * power cut. Leaves nothing behind if it fails.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, content, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // Not every file system supports this; without it a power cut may restore the old content.
  await syncDirectory(dirname(path)).catch(() => {});
}

/** Makes the names in a directory survive a power cut. @throws the error of the file system */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
