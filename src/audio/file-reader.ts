import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteRange } from './byte-range.ts';

const BLOCK = 64 * 1024;

/** Random access to a file, or to a part of it, for parsers of headers; reads blocks. Calls block, as FFmpeg's do. */
export class FileReader {
  readonly size: number;
  /** Where the part begins in the file. */
  readonly base: number;
  /** Whether it is the whole file. */
  readonly isWhole: boolean;
  readonly #file: number;
  readonly #block = Buffer.alloc(BLOCK);
  #start = 0;
  #length = 0;

  /**
   * @param part of the file; by default all of it
   * @throws the error of the file system if the file cannot be opened
   */
  constructor(path: string, part?: ByteRange) {
    this.#file = openSync(path, 'r');
    const { size } = fstatSync(this.#file);
    const { start, end } = part ?? { start: 0, end: size };
    this.base = start;
    this.size = Math.max(0, Math.min(end, size) - start);
    this.isWhole = this.size === size;
  }

  /**
   * Reads up to `length` bytes, at most 64 KiB; fewer at the end of the part.
   * @param offset from the start of the part
   * @returns bytes that are valid until the next call
   */
  read(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      this.#start = offset;
      const wanted = Math.max(0, Math.min(BLOCK, this.size - offset));
      this.#length = readSync(this.#file, this.#block, 0, wanted, this.base + offset);
    }
    const from = offset - this.#start;
    return this.#block.subarray(from, Math.max(from, Math.min(from + length, this.#length)));
  }

  close(): void {
    closeSync(this.#file);
  }
}
