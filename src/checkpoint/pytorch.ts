import { CheckpointError } from './checkpoint-error.ts';
import { float16 } from './floats.ts';
import { type PickledTensor, type PickledTree, unpickle } from './pickle.ts';
import type { FloatTensor } from './pytorch-writer.ts';
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
  if (tensor instanceof Map) throw new CheckpointError('The checkpoint has content other than one tensor.');
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
  const tensors = new Map<string, StoredTensor>();
  const collect = (tree: PickledTree, name: string) => {
    if (tree instanceof Map) {
      for (const [key, branch] of tree) collect(branch, name === '' ? key : `${name}.${key}`);
      return;
    }
    if (tensors.has(name)) throw new CheckpointError(`The checkpoint has two tensors ${name}.`);
    tensors.set(name, { dims: tree.dims, read: () => archive.read(tree) });
  };
  const tree = unpickle(archive.pickle);
  if (!(tree instanceof Map)) throw new CheckpointError('The checkpoint has a single tensor.');
  collect(tree, '');
  return tensors;
}

/** The zip archive of `torch.save`: a pickle and one file per storage. */
class TensorArchive {
  readonly pickle: Uint8Array;
  readonly #files: Map<string, Uint8Array>;
  readonly #directory: string;

  constructor(file: Uint8Array) {
    this.#files = readZip(file);
    const pickleName = [...this.#files.keys()].find((name) => name.endsWith('/data.pkl'));
    if (pickleName === undefined) throw new CheckpointError('The archive has no data.pkl.');
    this.pickle = this.#files.get(pickleName)!;
    this.#directory = pickleName.slice(0, -'data.pkl'.length);
    const byteOrder = this.#files.get(`${this.#directory}byteorder`);
    if (byteOrder !== undefined && Buffer.from(byteOrder).toString('latin1') !== 'little') {
      throw new CheckpointError('The tensor is not little-endian.');
    }
  }

  read(tensor: PickledTensor): Float32Array {
    const { key, type } = tensor.storage;
    if (type === 'other') throw new CheckpointError('The tensor is not float32, float16 or bfloat16.');
    const storage = this.#files.get(`${this.#directory}data/${key}`);
    if (storage === undefined) throw new CheckpointError("The archive does not have the tensor's data.");
    return gather(tensor, floats(storage, type));
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const elementBytes = { float32: 4, float16: 2, bfloat16: 2 };

/** The elements of a storage as numbers. */
interface Elements {
  length: number;
  at(index: number): number;
  /** Copies `count` elements. */
  slice(start: number, count: number): Float32Array;
}

function floats(bytes: Uint8Array, type: keyof typeof elementBytes): Elements {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = elementBytes[type];
  const at = {
    float32: (i: number) => view.getFloat32(i * 4, true),
    float16: (i: number) => float16(view.getUint16(i * 2, true)),
    bfloat16: (i: number) => bfloat16(view.getUint16(i * 2, true)),
  }[type];
  const slice = (start: number, count: number) => {
    if (type !== 'float32' || !LITTLE_ENDIAN) return Float32Array.from({ length: count }, (_, i) => at(start + i));
    // Copy the bytes, which may be unaligned.
    return new Float32Array(new Uint8Array(bytes.subarray(start * size, (start + count) * size)).buffer);
  };
  return { length: Math.floor(bytes.length / size), at, slice };
}

const scratch = new DataView(new ArrayBuffer(4));

/** The upper half of a float32. */
function bfloat16(bits: number): number {
  scratch.setUint32(0, bits * 65_536);
  return scratch.getFloat32(0);
}

function gather({ dims, strides, offset }: PickledTensor, storage: Elements): Float32Array {
  if (dims.includes(0)) return new Float32Array();
  const elements = dims.reduce((product, dim) => product * dim, 1);
  // With a stride of 0, a few bytes could request any amount of memory.
  if (elements > storage.length) throw new CheckpointError('The tensor has more elements than the file.');
  const last = dims.reduce((sum, dim, axis) => sum + (dim - 1) * strides[axis]!, offset);
  if (last >= storage.length) throw new CheckpointError('The tensor exceeds the data of the file.');

  if (strides.every((stride, axis) => stride === denseStride(dims, axis) || dims[axis] === 1)) {
    return storage.slice(offset, elements);
  }
  const data = new Float32Array(elements);
  const index = dims.map(() => 0);
  let position = offset;
  for (let i = 0; i < elements; i++) {
    data[i] = storage.at(position);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      position += strides[axis]!;
      if (++index[axis]! < dims[axis]!) break;
      position -= strides[axis]! * dims[axis]!;
      index[axis] = 0;
    }
  }
  return data;
}

/** The stride of an axis in a dense tensor. */
function denseStride(dims: readonly number[], axis: number): number {
  return dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
}
