import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'active_model';

/** The model that was activated last, as written under the data folder; undefined where none was. */
export async function readActiveModel(dataDir: string): Promise<string | undefined> {
  try {
    const name = (await readFile(join(dataDir, fileName), 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the choice so that a crash at any moment leaves the old one or the new one. Not for concurrent calls. */
export async function persistActiveModel(dataDir: string, name: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, fileName);
  const temporary = `${path}.new`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(`${name}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const folder = await open(dataDir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
