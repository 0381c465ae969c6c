import { stat } from 'node:fs/promises';

/**
 * A text that changes whenever a file does, however it is written or replaced: for those who keep what they have read of it.
 * @throws the file system's own error, where there is no such file for one
 */
export async function fileState(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}
