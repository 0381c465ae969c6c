import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HearsayError } from '../errors.ts';
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

/** An attempt that brought this many new bytes resets the retries. */
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
  await mkdir(dirname(target), { recursive: true });
  for (let tries = 0; tries < 2; tries++) {
    if (await fillPart(source, file, part, signal, onPosition)) {
      await moveIntoPlace(part, target, file.size);
      await removeParts(target);
      return;
    }
    await rm(part, { force: true });
  }
  throw new HearsayError(
    'model_load_failed',
    `${file.path} of ${source.repository} arrived twice with other content than the hub ${hostOf(source.access)} states. Try again, or check HF_ENDPOINT and any proxy.`,
  );
}

/** Whether the file on disk has the size and the stated hash. */
export async function matchesFile(path: string, file: HubFile, signal: AbortSignal): Promise<boolean> {
  if ((await fileSize(path)) !== file.size) return false;
  const hash = hashFor(file);
  if (hash !== undefined) await hashFile(hash, path, file.size, signal);
  return matches(hash, file);
}

/** Size in bytes; undefined if there is no such file. */
export async function fileSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Bytes of the files and parts of files in a directory; 0 if it cannot be read. */
export async function downloadedBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  // Hidden files are not the repository's: the manifest, and what replaces it.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const sizes = await Promise.all(files.map((entry) => fileSize(join(entry.parentPath, entry.name))));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** Downloads the rest of the part. @returns whether its content is right */
async function fillPart(
  source: FileSource,
  file: HubFile,
  part: string,
  signal: AbortSignal,
  onPosition: (bytes: number) => void,
): Promise<boolean> {
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT, 0o666);
  try {
    let position = (await handle.stat()).size;
    if (position > file.size) return false;
    let hash = hashFor(file);
    if (hash !== undefined) await hashFile(hash, part, position, signal);
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
    if (position < file.size && !(await withRetries(source.access, signal, attempt, progressed))) return false;
    // After the rename, a power cut must not lose content.
    await handle.sync();
    return matches(hash, file);
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

async function moveIntoPlace(part: string, target: string, size: number): Promise<void> {
  try {
    await rename(part, target);
  } catch (error) {
    // Another process has already moved the same content.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && (await fileSize(target)) === size) return;
    throw error;
  }
}

/** Removes parts of older versions of a file. */
async function removeParts(target: string): Promise<void> {
  const directory = dirname(target);
  const prefix = `${basename(target)}.`;
  for (const name of await readdir(directory)) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^[0-9a-f]{40,64}\.part$/.test(rest)) await rm(join(directory, name), { force: true });
  }
}

function hashFor(file: HubFile): Hash | undefined {
  if (file.sha256 !== undefined) return createHash('sha256');
  if (file.gitBlob !== undefined) return createHash('sha1').update(`blob ${file.size}\0`);
  return undefined;
}

async function hashFile(hash: Hash, path: string, size: number, signal: AbortSignal): Promise<void> {
  if (size === 0) return;
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 1 << 20 })) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
}

function matches(hash: Hash | undefined, file: HubFile): boolean {
  return hash === undefined || hash.digest('hex') === (file.sha256 ?? file.gitBlob);
}
