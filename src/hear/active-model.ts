import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { createDirectory } from '../files/create-directory.ts';
import { isMissing } from '../files/missing.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isStorageFull } from '../files/storage-full.ts';

/** In DATA_DIR. */
export const ACTIVE_MODEL_FILE = 'active_model';

/** Reads the last activated model from DATA_DIR; undefined if there is none. */
export async function readActiveModel(dataDir: string): Promise<string | undefined> {
  try {
    const name = (await readFile(join(dataDir, ACTIVE_MODEL_FILE), 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Stores the active model atomically: a crash leaves the old one or the new one.
 * @throws HearsayError `storage_full`; `internal_error` if DATA_DIR cannot be written
 */
export async function persistActiveModel(dataDir: string, name: string): Promise<void> {
  try {
    await createDirectory(dataDir);
    await replaceFile(join(dataDir, ACTIVE_MODEL_FILE), `${name}\n`);
  } catch (cause) {
    if (isStorageFull(cause)) {
      throw new HearsayError('storage_full', 'The disk is full: the model was not activated.', { cause });
    }
    const { syscall, code } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    const message = `DATA_DIR is not writable (${code}): the model was not activated.`;
    throw new HearsayError('internal_error', message, { cause });
  }
}
