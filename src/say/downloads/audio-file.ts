import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AudioFormat } from '../../audio/formats.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { isMp3Frame, mp3InfoFrame } from '../../audio/mp3.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../../audio/wav.ts';
import type { HearsayError } from '../../errors.ts';
import { storageError } from '../../files/storage-full.ts';
import { createTemporaryFile } from '../../files/temporary-directory.ts';

export interface FileLimit {
  bytes: number;
  /** Error thrown by a `write` beyond the limit. */
  error: HearsayError;
}

/** Ends the name of a file that is being written. */
export const PART = '.part';

/** Size of the write buffer: encoders return a few hundred bytes at a time. */
const WRITE_BYTES = 64 * 1024;

/** Speech written to disk while it is synthesized, under an unguessable name. */
export class AudioFile {
  readonly format: AudioFormat;
  /** Name of the file: 32 hexadecimal digits and the format. */
  readonly name: string;
  /** Path of the finished file, once it is published. */
  readonly #target: string;
  #path: string;
  readonly #file: FileHandle;
  readonly #limit: FileLimit | undefined;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #writtenBytes = 0;
  #closed = false;
  #header: Uint8Array | undefined;
  /** Bytes reserved at the start, for a header that is known only when the file is finished. */
  #reservedBytes = 0;

  /** Creates an empty file in a directory, named `<name>.part` until it is published. */
  static async create(directory: string, format: AudioFormat, limit?: FileLimit): Promise<AudioFile> {
    const name = `${randomBytes(16).toString('hex')}.${format}`;
    const target = join(directory, name);
    const file = await createTemporaryFile(target + PART).catch(throwStorageError);
    return new AudioFile(format, name, target, file, limit);
  }

  private constructor(format: AudioFormat, name: string, target: string, file: FileHandle, limit?: FileLimit) {
    this.format = format;
    this.name = name;
    this.#target = target;
    this.#path = target + PART;
    this.#file = file;
    this.#limit = limit;
  }

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#reservedBytes + this.#writtenBytes + this.#pendingBytes;
  }

  /** Not for concurrent calls. @throws HearsayError `storage_full`, and that of the limit */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#limit && this.bytes + bytes.length > this.#limit.bytes) throw this.#limit.error;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
  }

  /** Replaces the first bytes of the file when it is finished. */
  replaceHeader(bytes: Uint8Array): void {
    this.#header = bytes;
  }

  /** Discards everything written. */
  async restart(): Promise<void> {
    this.#header = undefined;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#writtenBytes = 0;
    this.#reservedBytes = 0;
    await this.#file.truncate(0);
  }

  /** Writes pending bytes, and the header with values that were unknown until now: length, and in FLAC the checksum. */
  async finish(): Promise<void> {
    await this.#flush();
    if (this.#reservedBytes > 0) {
      const { buffer } = await this.#file.read(Buffer.alloc(4), 0, 4, this.#reservedBytes);
      await this.#writeAt(mp3InfoFrame(buffer, this.#writtenBytes), 0);
    }
    if (this.format === 'wav' && this.bytes >= WAV_HEADER_BYTES) {
      await this.#writeAt(wavHeader(OUTPUT_RATE, this.bytes - WAV_HEADER_BYTES), 0);
    }
    const header = this.#header;
    if (header && this.bytes >= header.length) await this.#writeAt(header, this.#reservedBytes);
    await this.#close();
  }

  /**
   * Gives a finished file its name, so that others find only complete files.
   * @param timeMs time of the file, in milliseconds since the epoch
   */
  async publish(timeMs: number): Promise<void> {
    await utimes(this.#path, timeMs / 1000, timeMs / 1000);
    await rename(this.#path, this.#target);
    this.#path = this.#target;
  }

  /** Opens the finished file for reading. */
  async read(): Promise<Readable> {
    const file = await open(this.#path);
    // Ends with the last byte. While a stream looks for more, a client that has all of them may close the connection, and
    // would count as disconnected.
    return file.createReadStream({ end: Math.max(this.bytes - 1, 0) });
  }

  /** Closes and removes the file; open readers can continue. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    if (this.#writtenBytes === 0 && this.format === 'mp3' && isMp3Frame(bytes)) {
      this.#reservedBytes = mp3InfoFrame(bytes, 0).length;
    }
    await this.#writeAt(bytes, this.#reservedBytes + this.#writtenBytes);
    this.#writtenBytes += bytes.length;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  async #writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) {
      const { bytesWritten } = await this.#file
        .write(bytes, offset, bytes.length - offset, position + offset)
        .catch(throwStorageError);
      offset += bytesWritten;
    }
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file.close();
  }
}

function throwStorageError(error: unknown): never {
  throw storageError(error, 'The disk is full: the speech was not saved.');
}
