import { isDirectory } from '../files/entry.ts';

/** Whether an output is a folder: it exists, or its name ends with a slash. */
export async function isFolder(path: string): Promise<boolean> {
  return /[/\\]$/.test(path) || isDirectory(path);
}
