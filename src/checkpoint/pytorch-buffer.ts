import { CheckpointError } from './checkpoint-error.ts';
import { type PickledTensor, type PickledTree, unpickle } from './pickle.ts';
import { checkByteOrder, findPickle, leavesOf } from './pytorch-archive.ts';
import type { FloatTensor } from './pytorch-writer.ts';
import { readStorage } from './storage.ts';
import { readZip } from './zip.ts';

/** A tensor of a file, read on demand. */
export interface StoredTensor {
  dims: readonly number[];
  /** Dense, in row-major order. @throws CheckpointError if it is not float32, float16 or bfloat16, or damaged */
  read(): Float32Array;
}

/**
 * Reads a file with one tensor of float32, float16 or bfloat16, as `torch.save` writes it. Executes nothing in the file,
 * and bounds memory by its length. The result is dense, whatever the strides.
 *
 * @throws CheckpointError for any other content
 */
export function readTensor(file: Uint8Array): FloatTensor {
  const archive = new TensorArchive(file);
  const tensor = unpickle(archive.pickle);
  if (!isTensor(tensor)) throw new CheckpointError('The checkpoint has content other than one tensor.');
  return { dims: tensor.dims, data: archive.read(tensor) };
}

/**
 * Reads a file with nested dictionaries of tensors, as `torch.save` writes the state of modules. The nested names are
 * joined by dots.
 *
 * @throws CheckpointError for any other content, and if two tensors have the same name
 */
export function readStateDictionary(file: Uint8Array): Map<string, StoredTensor> {
  const archive = new TensorArchive(file);
  const tree = unpickle(archive.pickle);
  if (!(tree instanceof Map)) throw new CheckpointError('The checkpoint has a single tensor.');
  const tensors = new Map<string, StoredTensor>();
  for (const [name, leaf] of leavesOf(tree)) {
    if (!isTensor(leaf)) throw new CheckpointError('The checkpoint has content other than tensors.');
    tensors.set(name, { dims: leaf.dims, read: () => archive.read(leaf) });
  }
  return tensors;
}

function isTensor(tree: PickledTree): tree is PickledTensor {
  return typeof tree === 'object' && !(tree instanceof Map);
}

/** The zip archive of `torch.save`: a pickle and one file per storage. */
class TensorArchive {
  readonly pickle: Uint8Array;
  readonly #files: Map<string, Uint8Array>;
  readonly #directory: string;

  constructor(file: Uint8Array) {
    this.#files = readZip(file);
    const { pickle, directory } = findPickle([...this.#files.keys()]);
    this.pickle = this.#files.get(pickle)!;
    this.#directory = directory;
    const byteOrder = this.#files.get(`${directory}byteorder`);
    if (byteOrder !== undefined) checkByteOrder(byteOrder);
  }

  read(tensor: PickledTensor): Float32Array {
    const storage = this.#files.get(`${this.#directory}data/${tensor.storage.key}`);
    if (storage === undefined) throw new CheckpointError("The archive does not have the tensor's data.");
    return readStorage(tensor, storage);
  }
}
