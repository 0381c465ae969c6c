import { basename, dirname, extname, join, resolve } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** What becomes one file of the output folder. */
export interface Named {
  /** `-` for standard input. */
  path: string;
  /** Path of its result below the output folder, without its extension. */
  stem: string;
}

/** A path without its extension. */
export const withoutExtension = (path: string) => join(dirname(path), basename(path, extname(path)));

/**
 * Files that differ in their extension only keep it: `talk.mp3.srt` and `talk.wav.srt`. What is named twice is taken once.
 * @param results what the files become, for the message
 * @throws UsageError if two results would still have one name
 */
export function withDistinctStems<File extends Named>(files: readonly File[], results: string): File[] {
  const once = new Map<string, File>();
  for (const file of files) {
    const key = file.path === '-' ? '-' : resolve(file.path);
    if (!once.has(key)) once.set(key, file);
  }
  let distinct = [...once.values()];
  // Repeated, since a longer name may be that of another file: `talk.mp3`, `talk.wav` and `talk.mp3.wav`.
  for (let isStable = false; !isStable; ) {
    const count = new Map<string, number>();
    for (const { stem } of distinct) count.set(stem, (count.get(stem) ?? 0) + 1);
    const longer = distinct.map((file) => (count.get(file.stem)! > 1 ? withExtension(file) : file));
    isStable = longer.every((file, index) => file === distinct[index]);
    distinct = longer;
  }
  const paths = new Map<string, string>();
  for (const { path, stem } of distinct) {
    const other = paths.get(stem);
    if (other !== undefined) throw new UsageError(`The ${results} of ${other} and ${path} would have one name`);
    paths.set(stem, path);
  }
  return distinct;
}

function withExtension<File extends Named>(file: File): File {
  const stem = join(dirname(file.stem), basename(file.path));
  return file.path === '-' || file.stem === stem ? file : { ...file, stem };
}
