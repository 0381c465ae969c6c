import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { createDirectory } from '../files/create-directory.ts';
import { isMissing } from '../files/missing.ts';
import { assertOk, get, type HubAccess, type HubResponse, hostOf, Interruption, withRetries } from './request.ts';

export interface HubFile {
  /** Path in the repository, with `/` separators. */
  path: string;
  /** Bytes. */
  size: number;
  /** Hex SHA-256 of the content, if the hub states it. */
  sha256?: string | undefined;
  /** Hex git blob id of the content (SHA-1 of `blob <size>\0` and the content), if the hub states it. */
  gitBlob?: string | undefined;
}

export interface FileSource {
  access: HubAccess;
  repository: string;
  commit: string;
  url: string;
}

/** An attempt that downloaded this many new bytes resets the retries. */
const PROGRESS_BYTES = 1 << 20;

/**
 * Downloads one file to `<target>.<hash, or commit>.part`, resuming an existing part, and renames it to `target` once
 * its size and stated hash are right.
 *
 * @param onPosition receives the number of bytes on disk whenever it changes
 * @throws HearsayError `model_load_failed`; `signal.reason`; the error of a failed file operation
 */
export async function downloadFile(
  source: FileSource,
  file: HubFile,
  target: string,
  signal: AbortSignal,
  onPosition: (bytes: number) => void,
): Promise<void> {
  const part = `${target}.${file.sha256 ?? file.gitBlob ?? source.commit}.part`;
  await createDirectory(dirname(target));
  for (let tries = 0; tries < 2; tries++) {
    const inode = await fillPart(source, file, part, signal, onPosition);
    if (inode === undefined) {
      await rm(part, { force: true });
    } else if (await moveIntoPlace(part, target, { inode, size: file.size })) {
      await removeOtherParts(part, target);
      return;
    }
  }
  throw new HearsayError(
    'model_load_failed',
    `${file.path} of ${source.repository} was downloaded twice, and its content does not match what the hub ${hostOf(source.access)} lists. Try again, or check HF_ENDPOINT and any proxy.`,
  );
}

/** Whether the file on disk has the size and the stated hash. */
export async function matchesFile(path: string, file: HubFile, signal: AbortSignal): Promise<boolean> {
  if ((await fileSize(path)) !== file.size) return false;
  const hash = hashFor(file);
  if (hash !== undefined && file.size > 0) await hashBytes(hash, createReadStream(path, upTo(file.size)), signal);
  return matches(hash, file);
}

/** Size in bytes; undefined if there is no such file. */
export async function fileSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Bytes of the files and parts of files in a directory; 0 if it cannot be read. */
export async function downloadedBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  // Hidden files are not part of the repository: the manifest, and its replacement.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const sizes = await Promise.all(files.map((entry) => fileSize(join(entry.parentPath, entry.name))));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** Downloads the rest of the part. @returns the number of its inode; undefined if its content is wrong */
async function fillPart(
  source: FileSource,
  file: HubFile,
  part: string,
  signal: AbortSignal,
  onPosition: (bytes: number) => void,
): Promise<number | undefined> {
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT, 0o666);
  try {
    const { ino, size } = await handle.stat();
    let position = size;
    if (position > file.size) return undefined;
    let hash = hashFor(file);
    // By its handle: another process may have moved the part into place.
    const bytes = () => handle.createReadStream({ ...upTo(position), start: 0, autoClose: false });
    if (hash !== undefined && position > 0) await hashBytes(hash, bytes(), signal);
    onPosition(position);

    const startOver = () => {
      position = 0;
      hash = hashFor(file);
      onPosition(position);
    };
    const append = async ({ read }: HubResponse) => {
      for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
        if (position + chunk.length > file.size) return false;
        await write(handle, chunk, position);
        hash?.update(chunk);
        position += chunk.length;
        onPosition(position);
      }
      if (position < file.size)
        throw new Interruption(`only ${position} of ${file.size} bytes of ${file.path} arrived`);
      return true;
    };
    const attempt = () =>
      get(source.access, source.url, position, signal, async (received) => {
        const { response } = received;
        const unusable = response.status === 416 || (response.status === 206 && !continues(response, position, file));
        if (unusable) {
          startOver();
          throw new Interruption(`${file.path} could not be resumed`);
        }
        assertOk(source.access, response, source.repository, file.path);
        if (response.status !== 206) startOver();
        return append(received);
      });

    let best = position;
    const progressed = () => {
      const enough = position - best >= PROGRESS_BYTES;
      if (enough) best = position;
      return enough;
    };
    if (position < file.size && !(await withRetries(source.access, signal, attempt, progressed))) return undefined;
    // Sync, so that a power cut after the rename loses no content.
    await handle.sync();
    return matches(hash, file) ? ino : undefined;
  } finally {
    await handle.close();
  }
}

/** Whether a 206 response continues this file at `position`. */
function continues(response: Response, position: number, file: HubFile): boolean {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  return position > 0 && Number(start) === position && (total === '*' || Number(total) === file.size);
}

/** Writes at a position instead of appending, so that two processes may download the same file. */
async function write(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position + written);
    written += bytesWritten;
  }
}

/**
 * Another process that downloads the same file may already have moved the part, and a third one may have begun another
 * of the same name, which must not be mistaken for it.
 * @returns whether the file is in place
 */
async function moveIntoPlace(
  part: string,
  target: string,
  { inode, size }: { inode: number; size: number },
): Promise<boolean> {
  const found = await stat(part).catch(() => undefined);
  if (found?.ino === inode) {
    try {
      await rename(part, target);
      return true;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return (await fileSize(target)) === size;
}

/** Removes parts of older versions of a file. */
async function removeOtherParts(part: string, target: string): Promise<void> {
  const directory = dirname(target);
  const prefix = `${basename(target)}.`;
  for (const name of await readdir(directory)) {
    const rest = name.startsWith(prefix) && name !== basename(part) ? name.slice(prefix.length) : '';
    if (/^[0-9a-f]{40,64}\.part$/.test(rest)) await rm(join(directory, name), { force: true });
  }
}

function hashFor(file: HubFile): Hash | undefined {
  if (file.sha256 !== undefined) return createHash('sha256');
  if (file.gitBlob !== undefined) return createHash('sha1').update(`blob ${file.size}\0`);
  return undefined;
}

/** Options of a stream of the first bytes of a file, at least one. */
const upTo = (size: number) => ({ end: size - 1, highWaterMark: 1 << 20 });

async function hashBytes(hash: Hash, bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
}

function matches(hash: Hash | undefined, file: HubFile): boolean {
  return hash === undefined || hash.digest('hex') === (file.sha256 ?? file.gitBlob);
}
