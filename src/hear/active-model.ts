import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';

const fileName = 'active_model';

/** Reads the model activated last from DATA_DIR; undefined if there was none. */
export async function readActiveModel(dataDir: string): Promise<string | undefined> {
  try {
    const name = (await readFile(join(dataDir, fileName), 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Stores the active model atomically: a crash leaves the old one or the new one. */
export async function persistActiveModel(dataDir: string, name: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await replaceFile(join(dataDir, fileName), `${name}\n`);
}
