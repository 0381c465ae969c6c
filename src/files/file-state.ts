import { stat } from 'node:fs/promises';

/**
 * A text that changes whenever the file is written or replaced, for caches of its content.
 * @throws the file system's error, for example if there is no such file
 */
export async function fileState(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}
