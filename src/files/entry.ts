import { stat } from 'node:fs/promises';

/** Whether a path is that of a regular file, or of a link to one. */
export function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

/** Whether a path is that of a directory, or of a link to one. */
export function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** Whether a path can be found, links followed. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
