import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where a constant's bytes lie: ONNX's `TensorProto.external_data`. */
export interface ExternalBytes {
  /** File name, beside the model's own. */
  location: string;
  offset: number;
  length: number;
}

/** Offsets are whole pages, so that onnxruntime maps the file instead of reading it. */
const PAGE = 4096;

/**
 * A file of constants beside an `.onnx` file, which as a protobuf may not exceed 2 GB. It is written while the graph is
 * built, so that no more than one constant need be in memory.
 */
export class ExternalData {
  readonly #location: string;
  readonly #file: number;
  #length = 0;

  /** @param path of a file that does not exist yet, in the folder of the model */
  constructor(path: string) {
    this.#location = basename(path);
    this.#file = openSync(path, 'wx');
  }

  /** Writes the bytes of one constant; returns where they lie. */
  append(bytes: Uint8Array): ExternalBytes {
    const offset = Math.ceil(this.#length / PAGE) * PAGE;
    // One call writes 2 GB at most.
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
 * Writes a graph as `<name>.onnx`, with its large constants in `<name>.weights` beside it.
 * @param build builds the graph, whose constants go to `external` as they come; returns the bytes of the model
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
