import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'embedding.f32';

/** Writes a table `[rows, width]` of float32 into a folder, for `EmbeddingRows`. */
export function writeEmbeddingRows(folder: string, table: Float32Array): void {
  const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
  const file = openSync(join(folder, FILE), 'w');
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } finally {
    closeSync(file);
  }
}

/**
 * Rows of a table on disk. A step needs one of 50,000 rows, so that the table (265 MB for large-v3) is not worth holding
 * in memory: the system keeps what is used.
 */
export class EmbeddingRows {
  readonly #file: number;
  readonly #row: Float32Array;
  readonly #bytes: Uint8Array;

  constructor(folder: string, width: number) {
    this.#file = openSync(join(folder, FILE), 'r');
    this.#row = new Float32Array(width);
    this.#bytes = new Uint8Array(this.#row.buffer);
  }

  /** The row of that index; valid until the next call. @throws RangeError where the table has none */
  read(index: number): Float32Array {
    const { length } = this.#bytes;
    if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`There is no row ${index}`);
    if (readSync(this.#file, this.#bytes, 0, length, index * length) < length) {
      throw new RangeError(`The table has no row ${index}`);
    }
    return this.#row;
  }
}
