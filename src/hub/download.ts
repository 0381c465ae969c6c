import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { get, type HubAccess, type HubAnswer, hostOf, Interruption, refuseFailure, retrying } from './request.ts';

export interface HubFile {
  /** Name inside the repository, with `/` between folders. */
  path: string;
  /** Bytes. */
  size: number;
  /** Hex SHA-256 of the content, where the hub states one. */
  sha256?: string | undefined;
  /** Hex git blob id of the content (SHA-1 of `blob <size>\0` and the content), where the hub states one. */
  gitBlob?: string | undefined;
}

export interface FileSource {
  access: HubAccess;
  repository: string;
  commit: string;
  url: string;
}

/** An attempt that brought this many new bytes is not counted against the retries. */
const PROGRESS_BYTES = 1 << 20;

/**
 * Downloads one file to `target`, by way of `<target>.<hash, or commit>.part` beside it. A part that is there already
 * is continued. The file gets its name only when its size and the hash that the hub states are right.
 *
 * @param onPosition bytes of this file on disk, whenever that changes
 * @throws HearsayError `model_load_failed`, `signal.reason`, or the error of a failed file operation
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
    if (await receive(source, file, part, signal, onPosition)) {
      await moveIntoPlace(part, target, file.size);
      await removeParts(target);
      return;
    }
    await rm(part, { force: true });
  }
  throw new HearsayError(
    'model_load_failed',
    `${file.path} of ${source.repository} came twice with another content than the hub ${hostOf(source.access)} states. Try again, or check HF_ENDPOINT and what lies between.`,
  );
}

/** Whether the file on disk is the one the hub describes: its size, and its hash where one is stated. */
export async function isFile(path: string, file: HubFile, signal: AbortSignal): Promise<boolean> {
  if ((await sizeOf(path)) !== file.size) return false;
  const hash = hashFor(file);
  if (hash !== undefined) await hashFile(hash, path, file.size, signal);
  return matches(hash, file);
}

/** Size of the file in bytes, undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Fills the part; whether its content is right. */
async function receive(
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
    const append = async ({ read }: HubAnswer) => {
      for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
        if (position + chunk.length > file.size) return false;
        await write(handle, chunk, position);
        hash?.update(chunk);
        position += chunk.length;
        onPosition(position);
      }
      if (position < file.size) throw new Interruption(`only ${position} of ${file.size} bytes of ${file.path} came`);
      return true;
    };
    const attempt = () =>
      get(source.access, source.url, position, signal, async (answer) => {
        const { response } = answer;
        const unusable = response.status === 416 || (response.status === 206 && !continues(response, position, file));
        if (unusable) {
          startOver();
          throw new Interruption(`${file.path} could not be continued`);
        }
        refuseFailure(source.access, response, source.repository, file.path);
        if (response.status !== 206) startOver();
        return append(answer);
      });

    let best = position;
    const progressed = () => {
      const enough = position - best >= PROGRESS_BYTES;
      if (enough) best = position;
      return enough;
    };
    if (position < file.size && !(await retrying(source.access, signal, attempt, progressed))) return false;
    // A file that has its name must survive a power cut with its content.
    await handle.sync();
    return matches(hash, file);
  } finally {
    await handle.close();
  }
}

/** Whether a 206 answer holds the rest of this very file. */
function continues(response: Response, position: number, file: HubFile): boolean {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  return position > 0 && Number(start) === position && (total === '*' || Number(total) === file.size);
}

/**
 * Writes at a stated position rather than at the end: another process that downloads the same file then writes the same
 * bytes to the same places, and neither harms the other.
 */
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
    // Another process was faster with the same content.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && (await sizeOf(target)) === size) return;
    throw error;
  }
}

/** Removes parts of former versions of a file. */
async function removeParts(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = `${basename(target)}.`;
  for (const name of await readdir(folder)) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^[0-9a-f]{40,64}\.part$/.test(rest)) await rm(join(folder, name), { force: true });
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
