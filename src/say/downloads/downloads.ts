import { constants } from 'node:fs';
import { access, open, readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type AudioFormat, contentTypes } from '../../audio/formats.ts';
import { ConfigError } from '../../config/variables.ts';
import { HearsayError } from '../../errors.ts';
import { createDirectory } from '../../files/create-directory.ts';
import { isMissing } from '../../files/missing.ts';
import { AudioFile, PART } from './audio-file.ts';

export interface DownloadsOptions {
  /** An existing directory: of this process, or one that replicas share. */
  folder: string;
  /** Seconds that a complete file is kept. */
  ttlSeconds: number;
  /** Total bytes of complete files in the directory. */
  maxBytes: number;
}

/** A complete file, open for reading; `read` or `close` it. */
export interface Download {
  readonly name: string;
  readonly format: AudioFormat;
  /** Size in bytes. */
  readonly bytes: number;
  /**
   * Reads the file, then closes it.
   * @param from the first byte
   * @param to the last byte, before the end of the file
   */
  read(from: number, to: number): Readable;
  close(): Promise<void>;
}

const NAME = /^[\da-f]{32}\.[a-z\d]{1,8}$/;
/** Milliseconds after which an unchanged part counts as left behind by a process that has ended. */
const MAX_PART_AGE_MS = 24 * 3600 * 1000;

/**
 * Complete files of speech, kept in a directory until they expire. Their names, sizes and times on disk are the only
 * state, so that any replica that shares the directory serves and removes any of them.
 */
export class Downloads {
  readonly folder: string;
  readonly #options: DownloadsOptions;
  readonly #timer: NodeJS.Timeout;
  #lastTimeMs = 0;

  constructor(options: DownloadsOptions) {
    this.folder = options.folder;
    this.#options = options;
    const intervalMs = Math.min(60_000, options.ttlSeconds * 250);
    this.#timer = setInterval(() => void this.#sweep().catch(() => {}), intervalMs).unref();
  }

  /** Creates a file, which `keep` completes. @throws HearsayError `storage_full`, also if it grows too large */
  create(format: AudioFormat): Promise<AudioFile> {
    const { maxBytes: bytes } = this.#options;
    const error = new HearsayError('storage_full', `The file would exceed the limit of ${bytes} bytes.`);
    return AudioFile.create(this.folder, format, { bytes, error });
  }

  /** Completes a file and offers it for download; removes older ones beyond the limit. */
  async keep(file: AudioFile): Promise<void> {
    await file.finish();
    // Give each file its own time: the clock of a file system may be coarse.
    this.#lastTimeMs = Math.max(Date.now(), this.#lastTimeMs + 1);
    await file.publish(this.#lastTimeMs);
    // The file is complete; a later sweep removes what this one cannot, for example without open files left.
    await this.#sweep().catch(() => {});
  }

  /** Opens a complete file by name; undefined if there is none, or if it has expired. */
  async find(name: string): Promise<Download | undefined> {
    const format = extname(name).slice(1);
    if (!NAME.test(name) || !isAudioFormat(format)) return undefined;
    const path = join(this.folder, name);
    const file = await open(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!file) return undefined;
    const { size: bytes, mtimeMs } = await file.stat().catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    if (this.#isExpired(mtimeMs)) {
      await file.close();
      await rm(path, { force: true }).catch(() => {});
      return undefined;
    }
    return {
      name,
      format,
      bytes,
      // End at the last byte, because the client may disconnect before another read.
      read: (start, end) => file.createReadStream({ start, ...(end >= start && { end }) }),
      close: () => file.close(),
    };
  }

  /** Stops sweeping; the owner of the directory removes it. */
  close(): void {
    clearInterval(this.#timer);
  }

  #isExpired(mtimeMs: number): boolean {
    return Date.now() - mtimeMs >= this.#options.ttlSeconds * 1000;
  }

  /** Removes expired files, and the oldest ones beyond the limit. Replicas may do so at the same time. */
  async #sweep(): Promise<void> {
    const files: { path: string; bytes: number; mtimeMs: number }[] = [];
    for (const name of await readdir(this.folder)) {
      const isPart = name.endsWith(PART);
      if (!NAME.test(isPart ? name.slice(0, -PART.length) : name)) continue;
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found) continue;
      const { size: bytes, mtimeMs } = found;
      const isGone = isPart ? Date.now() - mtimeMs > MAX_PART_AGE_MS : this.#isExpired(mtimeMs);
      if (isGone) await remove(path);
      else if (!isPart) files.push({ path, bytes, mtimeMs });
    }
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= this.#options.maxBytes) return;
      total -= bytes;
      await remove(path);
    }
  }
}

/**
 * Creates a directory that replicas share, unless it exists.
 * @throws ConfigError naming DOWNLOAD_DIR if it cannot be written
 */
export async function createDownloadDirectory(path: string): Promise<string> {
  try {
    await createDirectory(path);
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(`DOWNLOAD_DIR must be a writable directory, not ${JSON.stringify(path)}: ${reason}`);
  }
}

function isAudioFormat(format: string): format is AudioFormat {
  return Object.hasOwn(contentTypes, format);
}

/** A later sweep removes a file that could not be removed. */
function remove(path: string): Promise<void> {
  return rm(path, { force: true }).catch(() => {});
}
