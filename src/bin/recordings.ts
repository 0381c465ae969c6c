import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** A recording to transcribe. */
export interface Recording {
  /** `-` for standard input. */
  path: string;
  /** Path of its transcript below the output folder, without its extension. */
  stem: string;
}

export interface FoundRecordings {
  recordings: Recording[];
  /** What cannot be transcribed, as lines for the user. */
  problems: string[];
}

/** Names of files that a folder is searched for; a file that is named is always taken. */
const mediaFile =
  /\.(?:3g2|3gp|aac|ac3|aif[cf]?|amr|ape|au|avi|caf|dts|eac3|f4a|f4v|flac|flv|gsm|m2ts|m4[abv]|mka|mkv|mov|mp[1234]|mpe?g|mpga|mts|oga|ogg|ogv|opus|ra|snd|spx|tta|ts|voc|w64|wav|webm|wma|wmv|wv)$/i;

/** Finds the recordings that arguments name: files, folders with all below them, `-`. */
export async function findRecordings(names: readonly string[]): Promise<FoundRecordings> {
  const found: FoundRecordings = { recordings: [], problems: [] };
  for (const name of names) {
    if (name === '-') {
      found.recordings.push({ path: '-', stem: 'stdin' });
      continue;
    }
    const entry = await stat(name).catch((error: NodeJS.ErrnoException) => error);
    if (entry instanceof Error) {
      found.problems.push(`${name}: ${entry.code === 'ENOENT' ? 'there is no such file' : entry.message}`);
    } else if (entry.isDirectory()) {
      const files = await mediaFilesIn(name);
      if (files.length === 0) found.problems.push(`${name}: the folder has no recordings`);
      for (const file of files) found.recordings.push({ path: join(name, file), stem: withoutExtension(file) });
    } else {
      found.recordings.push({ path: name, stem: withoutExtension(basename(name)) });
    }
  }
  return { ...found, recordings: withDistinctStems(found.recordings) };
}

async function mediaFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && mediaFile.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const withoutExtension = (path: string) => join(dirname(path), basename(path, extname(path)));

/**
 * Recordings that differ in their extension only keep it: `talk.mp3.srt` and `talk.wav.srt`.
 * @throws UsageError if two transcripts would still have one name
 */
function withDistinctStems(recordings: readonly Recording[]): Recording[] {
  const count = new Map<string, number>();
  for (const { stem } of recordings) count.set(stem, (count.get(stem) ?? 0) + 1);
  const distinct = recordings.map(({ path, stem }) => ({
    path,
    stem: count.get(stem) === 1 ? stem : stem + extname(path),
  }));
  const paths = new Map<string, string>();
  for (const { path, stem } of distinct) {
    const other = paths.get(stem);
    if (other !== undefined) throw new UsageError(`The transcripts of ${other} and ${path} would have one name`);
    paths.set(stem, path);
  }
  return distinct;
}
