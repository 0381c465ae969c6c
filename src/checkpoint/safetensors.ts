import { join } from 'node:path';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { exists } from '../files/entry.ts';
import { parseJsonText } from '../files/json.ts';
import { unusableFile } from './checkpoint-error.ts';
import { type ElementType, headerBytes, LENGTH_BYTES, parseHeader, type StoredTensor } from './safetensors-header.ts';
import { type FloatType, WeightsFile } from './weights-file.ts';

const SINGLE = 'model.safetensors';
const INDEX = 'model.safetensors.index.json';
const floatTypes: Readonly<Record<ElementType, FloatType>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' };

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

interface TensorInFile extends StoredTensor {
  file: WeightsFile;
}

/** A safetensors checkpoint of one or several files, which stay open until it is closed. */
export class SafetensorsCheckpoint {
  readonly #files: readonly WeightsFile[];
  readonly #tensors: ReadonlyMap<string, TensorInFile>;

  private constructor(files: readonly WeightsFile[], tensors: ReadonlyMap<string, TensorInFile>) {
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
    const files: WeightsFile[] = [];
    try {
      const tensors = new Map<string, TensorInFile>();
      for (const name of names) {
        const file = await WeightsFile.open(directory, name);
        files.push(file);
        for (const [tensor, stored] of await readHeader(file)) {
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
    await file.fillFloats(values, floatTypes[type], start);
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

/** File names by tensor. */
async function readIndex(directory: string): Promise<Map<string, string>> {
  if (!(await exists(join(directory, INDEX)))) {
    throw new HearsayError('model_load_failed', `The checkpoint has neither ${SINGLE} nor ${INDEX}.`);
  }
  const file = await WeightsFile.open(directory, INDEX);
  const content = Buffer.alloc(file.bytes);
  await file.fill(content, 0).finally(() => file.close());
  let json: unknown;
  try {
    json = parseJsonText(content.toString('utf8'));
  } catch {
    throw unusableFile(INDEX, 'it is not JSON');
  }
  const { success, data } = indexSchema.safeParse(json);
  if (!success) throw unusableFile(INDEX, 'its weight_map is not a map of tensors to files');
  const files = new Map(Object.entries(data.weight_map));
  if (files.size === 0) throw unusableFile(INDEX, 'its weight_map is empty');
  for (const name of files.values()) {
    // Only a plain name: an index must not open files elsewhere.
    if (!/^[\w-][\w.-]*\.safetensors$/.test(name))
      throw unusableFile(INDEX, `${name} is not the name of a file in its directory`);
  }
  return files;
}

async function readHeader(file: WeightsFile): Promise<Map<string, StoredTensor>> {
  if (file.bytes < LENGTH_BYTES) throw unusableFile(file.name, 'it is shorter than the length of its header');
  const length = Buffer.alloc(LENGTH_BYTES);
  await file.fill(length, 0);
  const header = Buffer.alloc(headerBytes(length, file.name, file.bytes));
  await file.fill(header, LENGTH_BYTES);
  return parseHeader(header, file.name, file.bytes);
}

async function closeAll(files: readonly WeightsFile[]): Promise<void> {
  await Promise.all(files.map((file) => file.close()));
}
