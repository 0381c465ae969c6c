import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { unusableFile } from './checkpoint-error.ts';
import { widenBfloat16, widenFloat16 } from './floats.ts';
import { elementBytes, headerBytes, LENGTH_BYTES, parseHeader, type StoredTensor } from './safetensors-header.ts';

const SINGLE = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';
/** Bytes to convert at a time, so that no tensor is in memory twice. */
const CHUNK_BYTES = 2 ** 20;

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

interface TensorInFile extends StoredTensor {
  file: OpenFile;
}

interface OpenFile {
  name: string;
  handle: FileHandle;
}

/** A safetensors checkpoint of one or several files, which stay open until it is closed. */
export class SafetensorsCheckpoint {
  readonly #files: readonly OpenFile[];
  readonly #tensors: ReadonlyMap<string, TensorInFile>;

  private constructor(files: readonly OpenFile[], tensors: ReadonlyMap<string, TensorInFile>) {
    this.#files = files;
    this.#tensors = tensors;
  }

  /**
   * Reads only the headers of `model.safetensors`, or of the files in `model.safetensors.index.json`.
   *
   * @throws HearsayError `model_load_failed` that names the file or the tensor and the problem
   */
  static async open(directory: string): Promise<SafetensorsCheckpoint> {
    const index = (await exists(join(directory, SINGLE))) ? undefined : await readIndex(directory);
    const names = index === undefined ? [SINGLE] : [...new Set(index.values())];
    const files: OpenFile[] = [];
    try {
      const tensors = new Map<string, TensorInFile>();
      for (const name of names) {
        const { handle, bytes } = await openFile(directory, name);
        const file = { name, handle };
        files.push(file);
        for (const [tensor, stored] of await readHeader(file, bytes)) {
          if (tensors.has(tensor)) throw unusableFile(name, `another file also has the tensor ${tensor}`);
          tensors.set(tensor, { ...stored, file });
        }
      }
      for (const [tensor, name] of index ?? []) {
        if (tensors.get(tensor)?.file.name !== name) throw unusableFile(name, `the tensor ${tensor} is missing`);
      }
      return new SafetensorsCheckpoint(files, tensors);
    } catch (error) {
      await closeAll(files);
      throw error;
    }
  }

  /** Names of all tensors. */
  get names(): readonly string[] {
    return [...this.#tensors.keys()];
  }

  has(name: string): boolean {
    return this.#tensors.has(name);
  }

  /** @throws HearsayError if there is no such tensor */
  shape(name: string): readonly number[] {
    return this.#tensor(name).shape;
  }

  /**
   * Reads one tensor in row-major order, into a new array.
   *
   * @throws HearsayError if there is no such tensor, its shape differs, or the file was truncated
   */
  async read(name: string, expectedShape?: readonly number[]): Promise<Float32Array> {
    const { type, shape, elements, start, file } = this.#tensor(name);
    if (expectedShape !== undefined && String(expectedShape) !== String(shape)) {
      throw unusableFile(file.name, `the tensor ${name} has shape [${shape}] instead of [${expectedShape}]`);
    }
    const values = new Float32Array(elements);
    if (type === 'F32') {
      await readFully(file, Buffer.from(values.buffer), start);
      return values;
    }
    const widen = type === 'F16' ? widenFloat16 : widenBfloat16;
    const chunk = new Uint16Array(Math.min(elements, CHUNK_BYTES / elementBytes[type]));
    for (let done = 0; done < elements; done += chunk.length) {
      const part = chunk.subarray(0, elements - done);
      await readFully(file, Buffer.from(part.buffer, 0, part.byteLength), start + done * elementBytes[type]);
      widen(part, values.subarray(done, done + part.length));
    }
    return values;
  }

  async close(): Promise<void> {
    await closeAll(this.#files);
  }

  #tensor(name: string): TensorInFile {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) {
      throw new HearsayError('model_load_failed', `The checkpoint has no tensor ${name}.`);
    }
    return tensor;
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** File names by tensor. */
async function readIndex(directory: string): Promise<Map<string, string>> {
  if (!(await exists(join(directory, INDEX)))) {
    throw new HearsayError('model_load_failed', `The checkpoint has neither ${SINGLE} nor ${INDEX}.`);
  }
  const { handle, bytes } = await openFile(directory, INDEX);
  const content = Buffer.alloc(bytes);
  await readFully({ name: INDEX, handle }, content, 0).finally(() => handle.close());
  let json: unknown;
  try {
    json = JSON.parse(content.toString('utf8'));
  } catch (cause) {
    throw unusableFile(INDEX, 'it is not JSON', cause);
  }
  const { success, data } = indexSchema.safeParse(json);
  if (!success) throw unusableFile(INDEX, 'its weight_map is not a map of tensors to files');
  const files = new Map(Object.entries(data.weight_map));
  if (files.size === 0) throw unusableFile(INDEX, 'its weight_map is empty');
  for (const file of files.values()) {
    // Only a plain name: an index must not open files elsewhere.
    if (!/^[\w-][\w.-]*\.safetensors$/.test(file))
      throw unusableFile(INDEX, `${file} is not the name of a file in its directory`);
  }
  return files;
}

/** Opens a regular file; opening a pipe would block forever. */
async function openFile(directory: string, name: string): Promise<{ handle: FileHandle; bytes: number }> {
  const path = join(directory, name);
  try {
    const { size } = await stat(path).then((stats) => {
      if (!stats.isFile()) throw new Error('Not a regular file');
      return stats;
    });
    return { handle: await open(path), bytes: size };
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw unusableFile(name, isMissing ? 'it is missing' : 'it cannot be opened', cause);
  }
}

async function readHeader(file: OpenFile, fileBytes: number): Promise<Map<string, StoredTensor>> {
  if (fileBytes < LENGTH_BYTES) throw unusableFile(file.name, 'it is shorter than the length of its header');
  const length = Buffer.alloc(LENGTH_BYTES);
  await readFully(file, length, 0);
  const header = Buffer.alloc(headerBytes(length, file.name, fileBytes));
  await readFully(file, header, LENGTH_BYTES);
  return parseHeader(header, file.name, fileBytes);
}

/** A read is limited to 2 GB and may return fewer bytes than requested. */
const MAX_READ_BYTES = 2 ** 30;

async function readFully({ name, handle }: OpenFile, target: Buffer, position: number): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const bytes = Math.min(target.length - done, MAX_READ_BYTES);
    const { bytesRead } = await handle.read(target, done, bytes, position + done).catch((cause: unknown) => {
      throw unusableFile(name, 'it cannot be read', cause);
    });
    if (bytesRead === 0) throw unusableFile(name, 'it was truncated');
    done += bytesRead;
  }
}

async function closeAll(files: readonly OpenFile[]): Promise<void> {
  await Promise.all(files.map(({ handle }) => handle.close()));
}
