import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** An input that becomes one file of the output folder. */
export interface Named {
  /** `-` for standard input. */
  path: string;
  /** Path of its result below the output folder, without its extension. */
  stem: string;
}

/** A path without its extension. */
export const withoutExtension = (path: string) => join(dirname(path), basename(path, extname(path)));

/**
 * Files of the same name keep what differs: their folders, or their extensions as in `talk.mp3.srt` and `talk.wav.srt`.
 * Duplicates are dropped.
 * @param results what the files become, for the message
 * @throws UsageError if two results would still have the same name
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
    const byStem = new Map<string, File[]>();
    for (const file of distinct) byStem.set(file.stem, [...(byStem.get(file.stem) ?? []), file]);
    const longer = distinct.map((file) => {
      const sameStem = byStem.get(file.stem)!;
      return sameStem.length > 1 ? withLongerStem(file, sameStem) : file;
    });
    isStable = longer.every((file, index) => file === distinct[index]);
    distinct = longer;
  }
  const paths = new Map<string, string>();
  for (const { path, stem } of distinct) {
    const other = paths.get(stem);
    if (other !== undefined) throw new UsageError(`The ${results} of ${other} and ${path} would have the same name`);
    paths.set(stem, path);
  }
  return distinct;
}

/** A file with its folder below that of all files of its stem, or with its extension if they are in one folder. */
function withLongerStem<File extends Named>(file: File, sameStem: readonly File[]): File {
  if (file.path === '-') return file;
  const folders = sameStem.filter(({ path }) => path !== '-').map(({ path }) => dirname(resolve(path)));
  const folder = dirname(resolve(file.path));
  const isApart = folders.some((other) => other !== folder);
  const stem = isApart
    ? join(relative(commonFolder(folders), folder), basename(file.stem))
    : join(dirname(file.stem), basename(file.path));
  // Never shorter: the names of a folder that was named begin below it.
  return stem.length > file.stem.length ? { ...file, stem } : file;
}

function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let above = common;
    while (folder !== above && !folder.startsWith(join(above, sep))) above = dirname(above);
    return above;
  });
}
