import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HearsayError } from '../errors.ts';
import { isMissing } from '../files/missing.ts';
import { MAX_POINTER_BYTES, refusePointer, unusableFile } from './checkpoint-error.ts';
import { widenBfloat16, widenFloat16 } from './floats.ts';

/** Floats as files store them. */
export type FloatType = 'float32' | 'float16' | 'bfloat16';

/** Bytes to convert at a time, so that no tensor is in memory twice. */
const CHUNK_BYTES = 2 ** 20;
/** A read is limited to 2 GB. */
const MAX_READ_BYTES = 2 ** 30;

/** A file of a checkpoint that is open for reading. Numbers in it are little-endian. */
export class WeightsFile {
  /** For messages. */
  readonly name: string;
  /** Its size. */
  readonly bytes: number;
  readonly #handle: FileHandle;

  private constructor(name: string, bytes: number, handle: FileHandle) {
    this.name = name;
    this.bytes = bytes;
    this.#handle = handle;
  }

  /**
   * Opens a regular file; opening a pipe would block forever.
   * @throws HearsayError `model_load_failed` that names the file, also for a pointer of Git LFS
   */
  static async open(directory: string, name: string): Promise<WeightsFile> {
    const path = join(directory, name);
    let file: WeightsFile;
    try {
      const stats = await stat(path);
      if (!stats.isFile()) throw new Error('Not a regular file');
      file = new WeightsFile(name, stats.size, await open(path));
    } catch (cause) {
      throw cannotBeOpened(name, cause);
    }
    try {
      await file.#refusePointer();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #refusePointer(): Promise<void> {
    if (this.bytes > MAX_POINTER_BYTES) return;
    const content = new Uint8Array(this.bytes);
    await this.fill(content, 0);
    refusePointer(this.name, content);
  }

  /** Fills `target` from a byte offset. @throws HearsayError `model_load_failed` if the file ends before */
  async fill(target: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < target.length; ) {
      const bytes = Math.min(target.length - done, MAX_READ_BYTES);
      const { bytesRead } = await this.#handle.read(target, done, bytes, position + done).catch((cause: unknown) => {
        throw unusableFile(this.name, 'it cannot be read', cause);
      });
      if (bytesRead === 0) throw unusableFile(this.name, 'it was truncated');
      done += bytesRead;
    }
  }

  /** Fills `values` with floats of a type from a byte offset. @throws HearsayError as `fill` */
  async fillFloats(values: Float32Array, type: FloatType, position: number): Promise<void> {
    if (type === 'float32') return this.fill(bytesOf(values), position);
    const widen = type === 'float16' ? widenFloat16 : widenBfloat16;
    const chunk = new Uint16Array(Math.min(values.length, CHUNK_BYTES / 2));
    for (let done = 0; done < values.length; done += chunk.length) {
      const part = chunk.subarray(0, values.length - done);
      await this.fill(bytesOf(part), position + done * 2);
      widen(part, values.subarray(done, done + part.length));
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** A HearsayError `model_load_failed` for a file of a checkpoint that is not there or may not be read. */
export function cannotBeOpened(name: string, cause: unknown): HearsayError {
  if (isMissing(cause)) return unusableFile(name, 'it is missing', cause);
  const { code } = cause as NodeJS.ErrnoException;
  return unusableFile(name, code === undefined ? 'it cannot be opened' : `it cannot be opened (${code})`, cause);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
