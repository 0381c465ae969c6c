import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Location of a constant's bytes: ONNX's `TensorProto.external_data`. */
export interface ExternalBytes {
  /** File name in the directory of the model. */
  location: string;
  offset: number;
  length: number;
}

/** Alignment in bytes. With page-aligned offsets onnxruntime maps the file instead of reading it. */
const PAGE = 4096;

/**
 * A file of constants next to an `.onnx` file, whose protobuf is limited to 2 GB. Constants are written while the graph
 * is built: one at a time is in memory.
 */
export class ExternalData {
  readonly #location: string;
  readonly #file: number;
  #length = 0;

  /** @param path of a new file in the directory of the model @throws if it exists */
  constructor(path: string) {
    this.#location = basename(path);
    this.#file = openSync(path, 'wx');
  }

  /** Writes the bytes of one constant. */
  append(bytes: Uint8Array): ExternalBytes {
    const offset = Math.ceil(this.#length / PAGE) * PAGE;
    // A call writes at most 2 GB.
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, offset + written);
    }
    this.#length = offset + bytes.length;
    return { location: this.#location, offset, length: bytes.length };
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * Writes a graph as `<name>.onnx` and its large constants as `<name>.weights`.
 * @param build writes constants to `external` and returns the bytes of the model
 */
export async function writeGraph(
  folder: string,
  name: string,
  build: (external: ExternalData) => Uint8Array | Promise<Uint8Array>,
): Promise<void> {
  const external = new ExternalData(join(folder, `${name}.weights`));
  try {
    await writeFile(join(folder, `${name}.onnx`), await build(external));
  } finally {
    external.close();
  }
}
