import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK = 64 * 1024;

/** Random access to a file for parsers of headers; reads blocks. Calls block, as FFmpeg's do. */
export class FileReader {
  readonly size: number;
  readonly #file: number;
  readonly #block = Buffer.alloc(BLOCK);
  #start = 0;
  #length = 0;

  /** @throws the error of the file system if the file cannot be opened */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  /**
   * Reads up to `length` bytes, at most 64 KiB; fewer at the end of the file.
   * @returns bytes that are valid until the next call
   */
  read(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      this.#start = offset;
      this.#length = readSync(this.#file, this.#block, 0, BLOCK, offset);
    }
    const from = offset - this.#start;
    return this.#block.subarray(from, Math.max(from, Math.min(from + length, this.#length)));
  }

  close(): void {
    closeSync(this.#file);
  }
}
