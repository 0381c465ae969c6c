import type { Dirent, Stats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isMissing } from '../files/missing.ts';
import { type Named, withDistinctStems, withoutExtension } from './distinct-stems.ts';

/** A recording to transcribe. */
export interface Recording extends Named {
  /** Whether it can be read only once, from start to end: a pipe or a device. */
  isStream: boolean;
}

export interface FoundRecordings {
  recordings: Recording[];
  /** Inputs that cannot be transcribed, as lines for the user. */
  problems: string[];
}

/** Names of files that a folder is searched for; a file that is named is always taken. */
const mediaFile =
  /^(?!\._).*\.(?:3g2|3gp|aac|ac3|aif[cf]?|amr|ape|au|avi|caf|dts|eac3|f4a|f4v|flac|flv|gsm|m2ts|m4[abv]|mka|mkv|mov|mp[1234]|mpe?g|mpga|mts|oga|ogg|ogv|opus|ra|snd|spx|tta|ts|voc|w64|wav|webm|wma|wmv|wv)$/i;
/** Extensions shared by MPEG transport streams and TypeScript. */
const sharedExtension = /\.m?ts$/i;
/** The first byte of each packet of a transport stream; a recorder may write a time of four bytes before it. */
const SYNC_BYTE = 0x47;
const PACKET_STARTS = [
  [0, 188],
  [4, 196],
] as const;

/** Finds the recordings that arguments name: files, folders with all below them, `-`. */
export async function findRecordings(names: readonly string[]): Promise<FoundRecordings> {
  const found: FoundRecordings = { recordings: [], problems: [] };
  for (const name of names) {
    const entry = name === '-' ? undefined : await entryOf(name, found.problems);
    if (name === '-') {
      found.recordings.push({ path: '-', stem: 'stdin', isStream: true });
    } else if (entry?.isDirectory()) {
      await addFolder(name, found);
    } else if (entry) {
      found.recordings.push({ path: name, stem: withoutExtension(basename(name)), isStream: !entry.isFile() });
    }
  }
  return { ...found, recordings: withDistinctStems(found.recordings, 'transcripts') };
}

async function addFolder(folder: string, { recordings, problems }: FoundRecordings): Promise<void> {
  const found: FoundRecordings = { recordings: [], problems: [] };
  await search(folder, folder, found);
  if (found.recordings.length + found.problems.length === 0) problems.push(`${folder}: the folder has no recordings`);
  recordings.push(...found.recordings.sort((a, b) => (a.path < b.path ? -1 : 1)));
  problems.push(...found.problems);
}

/** Links to folders are not followed: they may form a cycle. */
async function search(folder: string, root: string, { recordings, problems }: FoundRecordings): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    problems.push(problemOf(folder, error));
    return [] as Dirent[];
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await search(path, root, { recordings, problems });
    else if (mediaFile.test(entry.name) && (entry.isFile() || entry.isSymbolicLink())) {
      const isFile = (await entryOf(path, problems))?.isFile();
      if (!isFile || (sharedExtension.test(path) && !(await isTransportStream(path)))) continue;
      recordings.push({ path, stem: withoutExtension(relative(root, path)), isStream: false });
    }
  }
}

async function entryOf(path: string, problems: string[]): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    problems.push(problemOf(path, error));
    return undefined;
  });
}

function problemOf(path: string, error: NodeJS.ErrnoException): string {
  if (!isMissing(error)) return `${path}: ${error.message}`;
  // Node replaces bytes that are not UTF-8 with this character, and the result names no file.
  return `${path}: ${path.includes('\uFFFD') ? 'the name is not UTF-8' : 'there is no such file'}`;
}

/** Whether a file begins like an MPEG transport stream; true if it cannot be read, so that this is reported. */
async function isTransportStream(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return true;
  try {
    const { buffer } = await file.read(Buffer.alloc(197), 0, 197, 0);
    return PACKET_STARTS.some((starts) => starts.every((start) => buffer[start] === SYNC_BYTE));
  } finally {
    await file.close();
  }
}
