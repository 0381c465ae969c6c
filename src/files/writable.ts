import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDirectory } from './create-directory.ts';

/**
 * Creates the directory if it is missing, and a file in it for a moment: permissions alone are not enough, for example on a
 * read-only file system.
 * @returns the code of the error, such as `EROFS`; undefined if files can be written
 */
export async function whyNotWritable(directory: string): Promise<string | undefined> {
  const probe = join(directory, `${randomUUID()}.part`);
  try {
    await createDirectory(directory);
    await writeFile(probe, '');
    await rm(probe);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
