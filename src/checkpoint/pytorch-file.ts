import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { HearsayError } from '../errors.ts';
import { CheckpointError, unusableFile } from './checkpoint-error.ts';
import { type PickledTensor, unpickle } from './pickle.ts';
import { checkByteOrder, findPickle, leavesOf } from './pytorch-archive.ts';
import { readStorage } from './storage.ts';
import { WeightsFile } from './weights-file.ts';
import { contentStart, findDirectory, LOCAL_BYTES, MAX_END_BYTES, readDirectory, type ZipEntry } from './zip.ts';

/** A directory of 65,535 files, the most there can be, takes 5 to 10 MB. */
const MAX_DIRECTORY_BYTES = 2 ** 25;
/** A pickle of a thousand tensors takes 0.2 MB. */
const MAX_PICKLE_BYTES = 2 ** 25;
/** More than any tensor of a model that runs here. */
const MAX_CONTENT_BYTES = 2 ** 31;

/**
 * A file with nested dictionaries of tensors and integers, as `torch.save` writes it. Reads one tensor at a time, and stays
 * open until it is closed. Executes nothing in the file.
 */
export class PyTorchFile {
  /** By name; the nested names are joined by dots. */
  readonly integers: ReadonlyMap<string, number>;
  readonly #file: WeightsFile;
  readonly #tensors: ReadonlyMap<string, PickledTensor>;
  /** By key. */
  readonly #storages: ReadonlyMap<string, ZipEntry>;

  private constructor(file: WeightsFile, contents: Contents) {
    this.#file = file;
    this.integers = contents.integers;
    this.#tensors = contents.tensors;
    this.#storages = contents.storages;
  }

  /**
   * Reads the index of the file, but no tensor.
   * @throws HearsayError `model_load_failed` that names the file and the problem
   */
  static async open(path: string): Promise<PyTorchFile> {
    const file = await WeightsFile.open(dirname(path), basename(path));
    try {
      return new PyTorchFile(file, await readContents(file));
    } catch (error) {
      await file.close();
      throw explain(error, file.name);
    }
  }

  /** Names of all tensors. */
  get names(): readonly string[] {
    return [...this.#tensors.keys()];
  }

  /** @throws HearsayError `model_load_failed` if there is no such tensor */
  shape(name: string): readonly number[] {
    return this.#tensor(name).dims;
  }

  /**
   * Reads one tensor in row-major order, into a new array, and verifies the checksum of its data.
   * @throws HearsayError `model_load_failed` if there is no such tensor, its shape differs, or it is damaged
   */
  async read(name: string, expectedShape: readonly number[]): Promise<Float32Array> {
    const tensor = this.#tensor(name);
    const { dims, storage } = tensor;
    if (String(expectedShape) !== String(dims)) {
      throw unusableFile(this.#file.name, `the tensor ${name} has shape [${dims}] instead of [${expectedShape}]`);
    }
    const entry = this.#storages.get(storage.key);
    if (entry === undefined) throw unusableFile(this.#file.name, `it has no data of the tensor ${name}`);
    try {
      return readStorage(tensor, await readContent(this.#file, entry));
    } catch (error) {
      throw explain(error, this.#file.name, `the tensor ${name} cannot be read: `);
    }
  }

  #tensor(name: string): PickledTensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw new HearsayError('model_load_failed', `The checkpoint has no tensor ${name}.`);
    return tensor;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

interface Contents {
  integers: Map<string, number>;
  tensors: Map<string, PickledTensor>;
  storages: Map<string, ZipEntry>;
}

async function readContents(file: WeightsFile): Promise<Contents> {
  const entries = await readEntries(file);
  const { pickle, directory } = findPickle([...entries.keys()]);
  const byteOrder = entries.get(`${directory}byteorder`);
  if (byteOrder) checkByteOrder(await readContent(file, byteOrder));
  if (entries.get(pickle)!.bytes > MAX_PICKLE_BYTES) throw new CheckpointError('Its pickle is too long.');
  const tree = unpickle(await readContent(file, entries.get(pickle)!));
  if (!(tree instanceof Map)) throw new CheckpointError('The checkpoint has a single tensor.');
  const integers = new Map<string, number>();
  const tensors = new Map<string, PickledTensor>();
  for (const [name, leaf] of leavesOf(tree)) {
    if (typeof leaf === 'number') integers.set(name, leaf);
    else tensors.set(name, leaf);
  }
  const prefix = `${directory}data/`;
  const data = [...entries].filter(([name]) => name.startsWith(prefix));
  return { integers, tensors, storages: new Map(data.map(([name, entry]) => [name.slice(prefix.length), entry])) };
}

async function readEntries(file: WeightsFile): Promise<Map<string, ZipEntry>> {
  const tail = Buffer.alloc(Math.min(MAX_END_BYTES, file.bytes));
  await file.fill(tail, file.bytes - tail.length);
  const { start, end, count } = findDirectory(tail, file.bytes);
  if (start > end || end - start > MAX_DIRECTORY_BYTES) throw new CheckpointError('Its zip directory is damaged.');
  const directory = Buffer.alloc(end - start);
  await file.fill(directory, start);
  return new Map(readDirectory(directory, count, file.bytes).map((entry) => [entry.name, entry]));
}

/** Reads a file of the archive. @throws CheckpointError if it is damaged */
async function readContent(file: WeightsFile, entry: ZipEntry): Promise<Uint8Array> {
  if (entry.bytes > MAX_CONTENT_BYTES) throw new CheckpointError(`Its ${entry.name} has ${entry.bytes} bytes.`);
  if (entry.header + LOCAL_BYTES > file.bytes) throw new CheckpointError('Its zip directory is damaged.');
  const local = Buffer.alloc(LOCAL_BYTES);
  await file.fill(local, entry.header);
  const start = contentStart(local, entry);
  if (start + entry.bytes > file.bytes) throw new CheckpointError(`Its ${entry.name} exceeds the file.`);
  const content = new Uint8Array(entry.bytes);
  await file.fill(content, start);
  if (crc32(content) !== entry.checksum) throw new CheckpointError(`The checksum of its ${entry.name} differs.`);
  return content;
}

/** Names the file in the errors of damaged content. */
function explain(error: unknown, file: string, what = ''): unknown {
  if (!(error instanceof CheckpointError)) return error;
  const [first, ...rest] = error.message.replace(/\.$/, '');
  return unusableFile(file, what + first!.toLowerCase() + rest.join(''), error);
}
