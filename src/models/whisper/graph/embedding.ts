import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'embedding.f32';

/** Writes a float32 table `[rows, width]` into a directory, for `EmbeddingRows`. */
export function writeEmbeddingRows(directory: string, table: Float32Array): void {
  const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
  const file = openSync(join(directory, FILE), 'w');
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } finally {
    closeSync(file);
  }
}

/**
 * Rows of a table on disk. A step needs one of 50,000 rows; the page cache holds those in use, instead of 265 MB in memory
 * for large-v3.
 */
export class EmbeddingRows {
  readonly #file: number;
  readonly #row: Float32Array;
  readonly #bytes: Uint8Array;

  constructor(directory: string, width: number) {
    this.#file = openSync(join(directory, FILE), 'r');
    this.#row = new Float32Array(width);
    this.#bytes = new Uint8Array(this.#row.buffer);
  }

  /** The row of an index; valid until the next call. @throws RangeError if there is no such row */
  read(index: number): Float32Array {
    const { length } = this.#bytes;
    if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`The table has no row ${index}`);
    if (readSync(this.#file, this.#bytes, 0, length, index * length) < length) {
      throw new RangeError(`The table has no row ${index}`);
    }
    return this.#row;
  }
}
