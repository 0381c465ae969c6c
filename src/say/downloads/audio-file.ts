import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AudioFormat } from '../../audio/formats.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { isMp3Frame, mp3InfoFrame } from '../../audio/mp3.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../../audio/wav.ts';
import { HearsayError } from '../../errors.ts';
import { isStorageFull } from '../../files/storage-full.ts';
import { createTemporaryFile } from '../../files/temporary-directory.ts';

export interface FileLimit {
  bytes: number;
  /** Thrown by a `write` beyond the limit. */
  error: HearsayError;
}

/** Collects the few hundred bytes that encoders give at a time. */
const WRITE_BYTES = 64 * 1024;

/** Speech written to disk while it is synthesized, under an unguessable name. */
export class AudioFile {
  readonly format: AudioFormat;
  /** Name of the file: 32 hexadecimal digits and the format. */
  readonly name: string;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #limit: FileLimit | undefined;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #writtenBytes = 0;
  #closed = false;
  #header: Uint8Array | undefined;
  /** Precedes the written bytes in the finished file. */
  #prefix: Buffer = Buffer.alloc(0);

  /** Creates an empty file in a temporary directory. */
  static async create(directory: string, format: AudioFormat, limit?: FileLimit): Promise<AudioFile> {
    const name = `${randomBytes(16).toString('hex')}.${format}`;
    const path = join(directory, name);
    const file = await createTemporaryFile(path).catch(throwStorageError);
    return new AudioFile(format, name, path, file, limit);
  }

  private constructor(format: AudioFormat, name: string, path: string, file: FileHandle, limit: FileLimit | undefined) {
    this.format = format;
    this.name = name;
    this.#path = path;
    this.#file = file;
    this.#limit = limit;
  }

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#prefix.length + this.#writtenBytes + this.#pendingBytes;
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
    await this.#file.truncate(0);
  }

  /** Writes pending bytes, and the header with what was unknown until now: length, and in FLAC the checksum. */
  async finish(): Promise<void> {
    await this.#flush();
    if (this.format === 'mp3') {
      const { buffer } = await this.#file.read(Buffer.alloc(4), 0, 4, 0);
      if (isMp3Frame(buffer)) this.#prefix = mp3InfoFrame(buffer, this.bytes);
    }
    if (this.format === 'wav' && this.bytes >= WAV_HEADER_BYTES) {
      await this.#file.write(wavHeader(OUTPUT_RATE, this.bytes - WAV_HEADER_BYTES), 0, WAV_HEADER_BYTES, 0);
    }
    const header = this.#header;
    if (header && this.bytes >= header.length) await this.#file.write(header, 0, header.length, 0);
    await this.#close();
  }

  /**
   * Opens the finished file for reading.
   * @param from the first byte
   * @param to the last byte, before the end of the file
   */
  async read(from = 0, to = this.bytes - 1): Promise<Readable> {
    const prefix = this.#prefix.subarray(from, to + 1);
    const start = Math.max(0, from - this.#prefix.length);
    const end = to - this.#prefix.length;
    const file = await open(this.#path);
    // An end at the last byte: the client may hang up before another read.
    const stream = end >= start ? file.createReadStream({ start, end }) : file.createReadStream({ start: this.bytes });
    // Nothing is read before this.
    if (prefix.length > 0) stream.unshift(prefix);
    return stream;
  }

  /** Closes and removes the file; open readers can continue. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    for (let offset = 0; offset < bytes.length; ) {
      const position = this.#writtenBytes + offset;
      const { bytesWritten } = await this.#file
        .write(bytes, offset, bytes.length - offset, position)
        .catch(throwStorageError);
      offset += bytesWritten;
    }
    this.#writtenBytes += bytes.length;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file.close();
  }
}

function throwStorageError(error: NodeJS.ErrnoException): never {
  if (!isStorageFull(error)) throw error;
  throw new HearsayError('storage_full', 'The disk is full: the speech was not saved.', { cause: error });
}
