import { CheckpointError } from './checkpoint-error.ts';
import { type PickledTensor, unpickleTensor } from './pickle.ts';
import type { FloatTensor } from './pytorch-writer.ts';
import { readZip } from './zip.ts';

/**
 * Reads a file that holds one tensor, as `torch.save` writes it. Nothing in the file is executed: its pickle may build
 * a tensor of float32, float16 or bfloat16 and nothing else. Views with strides of their own are read in their own
 * order; the result is dense.
 *
 * @throws CheckpointError for everything else; the memory taken is bounded by the length of the file
 */
export function readTensor(file: Uint8Array): FloatTensor {
  const files = readZip(file);
  const pickleName = [...files.keys()].find((name) => name.endsWith('/data.pkl'));
  if (pickleName === undefined) throw new CheckpointError('The archive holds no data.pkl.');
  const folder = pickleName.slice(0, -'data.pkl'.length);

  const byteOrder = files.get(`${folder}byteorder`);
  if (byteOrder !== undefined && Buffer.from(byteOrder).toString('latin1') !== 'little') {
    throw new CheckpointError('The tensor is not little-endian.');
  }
  const tensor = unpickleTensor(files.get(pickleName)!);
  const storage = files.get(`${folder}data/${tensor.storage.key}`);
  if (storage === undefined) throw new CheckpointError("The archive does not hold the tensor's data.");
  return { dims: tensor.dims, data: gather(tensor, floats(storage, tensor.storage.type)) };
}

const elementBytes = { float32: 4, float16: 2, bfloat16: 2 };

/** One element of a storage, as a number. */
function floats(bytes: Uint8Array, type: PickledTensor['storage']['type']): { length: number; at(i: number): number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = elementBytes[type];
  const at = {
    float32: (i: number) => view.getFloat32(i * 4, true),
    float16: (i: number) => float16(view.getUint16(i * 2, true)),
    bfloat16: (i: number) => bfloat16(view.getUint16(i * 2, true)),
  }[type];
  return { length: Math.floor(bytes.length / size), at };
}

/** IEEE 754 half precision: 1 sign bit, 5 of the exponent, 10 of the fraction. */
function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const scratch = new DataView(new ArrayBuffer(4));

/** The upper half of a float32. */
function bfloat16(bits: number): number {
  scratch.setUint32(0, bits * 65_536);
  return scratch.getFloat32(0);
}

function gather(
  { dims, strides, offset }: PickledTensor,
  storage: { length: number; at(i: number): number },
): Float32Array {
  if (dims.includes(0)) return new Float32Array();
  const elements = dims.reduce((product, dim) => product * dim, 1);
  // A stride of 0 repeats elements: a few bytes could ask for any amount of memory.
  if (elements > storage.length) throw new CheckpointError('The tensor has more elements than the file holds.');
  const last = dims.reduce((sum, dim, axis) => sum + (dim - 1) * strides[axis]!, offset);
  if (last >= storage.length) throw new CheckpointError("The tensor reaches beyond the end of the file's data.");

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
