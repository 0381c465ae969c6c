import { CheckpointError } from './checkpoint-error.ts';
import { float16 } from './floats.ts';
import { type PickledTensor, type PickledTree, unpickle } from './pickle.ts';
import type { FloatTensor } from './pytorch-writer.ts';
import { readZip } from './zip.ts';

/** A tensor of a file, whose elements are read when they are asked for. */
export interface StoredTensor {
  dims: readonly number[];
  /** Dense, in row-major order. @throws CheckpointError where it is not of float32, float16 or bfloat16, or damaged */
  read(): Float32Array;
}

/**
 * Reads a file that holds one tensor, as `torch.save` writes it. Nothing in the file is executed: its pickle may build
 * a tensor of float32, float16 or bfloat16 and nothing else. Views with strides of their own are read in their own
 * order; the result is dense.
 *
 * @throws CheckpointError for everything else; the memory taken is bounded by the length of the file
 */
export function readTensor(file: Uint8Array): FloatTensor {
  const archive = new TensorArchive(file);
  const tensor = unpickle(archive.pickle);
  if (tensor instanceof Map) throw new CheckpointError('The checkpoint holds something else than one tensor.');
  return { dims: tensor.dims, data: archive.read(tensor) };
}

/**
 * The tensors of a file that holds dictionaries of them, as `torch.save` writes the state of modules: by their names,
 * joined by dots where dictionaries lie in dictionaries.
 *
 * @throws CheckpointError for everything else, and where two tensors have the same name
 */
export function readStateDictionary(file: Uint8Array): Map<string, StoredTensor> {
  const archive = new TensorArchive(file);
  const tensors = new Map<string, StoredTensor>();
  const collect = (tree: PickledTree, name: string) => {
    if (tree instanceof Map) {
      for (const [key, branch] of tree) collect(branch, name === '' ? key : `${name}.${key}`);
      return;
    }
    if (tensors.has(name)) throw new CheckpointError(`The checkpoint holds two tensors ${name}.`);
    tensors.set(name, { dims: tree.dims, read: () => archive.read(tree) });
  };
  const tree = unpickle(archive.pickle);
  if (!(tree instanceof Map)) throw new CheckpointError('The checkpoint holds a single tensor.');
  collect(tree, '');
  return tensors;
}

/** The zip archive that `torch.save` writes: a pickle, and a file for each storage. */
class TensorArchive {
  readonly pickle: Uint8Array;
  readonly #files: Map<string, Uint8Array>;
  readonly #folder: string;

  constructor(file: Uint8Array) {
    this.#files = readZip(file);
    const pickleName = [...this.#files.keys()].find((name) => name.endsWith('/data.pkl'));
    if (pickleName === undefined) throw new CheckpointError('The archive holds no data.pkl.');
    this.pickle = this.#files.get(pickleName)!;
    this.#folder = pickleName.slice(0, -'data.pkl'.length);
    const byteOrder = this.#files.get(`${this.#folder}byteorder`);
    if (byteOrder !== undefined && Buffer.from(byteOrder).toString('latin1') !== 'little') {
      throw new CheckpointError('The tensor is not little-endian.');
    }
  }

  read(tensor: PickledTensor): Float32Array {
    const { key, type } = tensor.storage;
    if (type === 'other') throw new CheckpointError('The tensor is not of float32, float16 or bfloat16.');
    const storage = this.#files.get(`${this.#folder}data/${key}`);
    if (storage === undefined) throw new CheckpointError("The archive does not hold the tensor's data.");
    return gather(tensor, floats(storage, type));
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const elementBytes = { float32: 4, float16: 2, bfloat16: 2 };

/** The elements of a storage as numbers. */
interface Elements {
  length: number;
  at(index: number): number;
  /** So many of them from the first one on. */
  from(start: number, count: number): Float32Array;
}

function floats(bytes: Uint8Array, type: keyof typeof elementBytes): Elements {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = elementBytes[type];
  const at = {
    float32: (i: number) => view.getFloat32(i * 4, true),
    float16: (i: number) => float16(view.getUint16(i * 2, true)),
    bfloat16: (i: number) => bfloat16(view.getUint16(i * 2, true)),
  }[type];
  const from = (start: number, count: number) => {
    if (type !== 'float32' || !LITTLE_ENDIAN) return Float32Array.from({ length: count }, (_, i) => at(start + i));
    // A copy of the bytes, because they need not lie at a multiple of four.
    return new Float32Array(new Uint8Array(bytes.subarray(start * size, (start + count) * size)).buffer);
  };
  return { length: Math.floor(bytes.length / size), at, from };
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
  // A stride of 0 repeats elements: a few bytes could ask for any amount of memory.
  if (elements > storage.length) throw new CheckpointError('The tensor has more elements than the file holds.');
  const last = dims.reduce((sum, dim, axis) => sum + (dim - 1) * strides[axis]!, offset);
  if (last >= storage.length) throw new CheckpointError("The tensor reaches beyond the end of the file's data.");

  if (strides.every((stride, axis) => stride === stepOf(dims, axis) || dims[axis] === 1)) {
    return storage.from(offset, elements);
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

/** Elements from one index of an axis to the next, where the tensor is dense. */
function stepOf(dims: readonly number[], axis: number): number {
  return dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
}
