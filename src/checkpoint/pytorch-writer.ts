import { crc32 } from 'node:zlib';

/** A tensor of 32-bit floats in row-major order. */
export interface FloatTensor {
  dims: number[];
  data: Float32Array;
}

/** torch.save aligns the data of each file, so that it can be mapped. */
const ALIGNMENT = 64;
const LOCAL_HEADER_BYTES = 30;
const UTF8_NAMES = 0x0800;
/** 1 January 1980, the zero of zip's calendar, for reproducible files. */
const DATE = 0x21;
/** Extra field for padding, as torch writes it; readers skip unknown fields. */
const PADDING_FIELD = 0x4246;

/**
 * Writes one tensor as a file for `torch.load`, also with `weights_only=True`: an uncompressed zip archive with a pickle
 * of the shape and the raw little-endian floats.
 *
 * @param name directory in the archive, which torch names after the file; without a slash
 * @throws RangeError if the dimensions do not match the number of elements
 */
export function writeTensor(name: string, { dims, data }: FloatTensor): Uint8Array {
  if (dims.reduce((product, dim) => product * dim, 1) !== data.length) {
    throw new RangeError(`A tensor of ${dims.join(' × ')} does not have ${data.length} elements.`);
  }
  return writeZip([
    [`${name}/data.pkl`, pickle(dims, data.length)],
    [`${name}/byteorder`, Buffer.from('little')],
    [`${name}/data/0`, littleEndian(data)],
    [`${name}/version`, Buffer.from('3\n')],
  ]);
}

function littleEndian(data: Float32Array): Buffer {
  const bytes = Buffer.alloc(data.length * 4);
  for (let i = 0; i < data.length; i++) bytes.writeFloatLE(data[i]!, i * 4);
  return bytes;
}

/**
 * `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, backward_hooks)` in protocol 2. The storage is a
 * persistent id with the name of the data file.
 */
function pickle(dims: number[], elements: number): Buffer {
  const strides = dims.map((_, index) => dims.slice(index + 1).reduce((product, dim) => product * dim, 1));
  const text = (value: string) =>
    Buffer.concat([Buffer.from('X'), uint32(Buffer.byteLength(value)), Buffer.from(value)]);
  const integer = (value: number) => Buffer.concat([Buffer.from('J'), uint32(value)]);
  const global = (module: string, attribute: string) => Buffer.from(`c${module}\n${attribute}\n`);
  const tuple = (...items: Buffer[]) => Buffer.concat([Buffer.from('('), ...items, Buffer.from('t')]);
  const storage = tuple(text('storage'), global('torch', 'FloatStorage'), text('0'), text('cpu'), integer(elements));
  return Buffer.concat([
    Buffer.from([0x80, 2]),
    global('torch._utils', '_rebuild_tensor_v2'),
    tuple(
      Buffer.concat([storage, Buffer.from('Q')]),
      integer(0),
      tuple(...dims.map(integer)),
      tuple(...strides.map(integer)),
      Buffer.from([0x89]),
      Buffer.concat([global('collections', 'OrderedDict'), Buffer.from(')R')]),
    ),
    Buffer.from('R.'),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function writeZip(files: [name: string, content: Buffer][]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const append = (...buffers: Buffer[]) => {
    for (const buffer of buffers) {
      parts.push(buffer);
      offset += buffer.length;
    }
  };

  for (const [name, content] of files) {
    const nameBytes = Buffer.from(name);
    const start = offset + LOCAL_HEADER_BYTES + nameBytes.length + 4;
    const padding = Buffer.alloc(4 + ((ALIGNMENT - (start % ALIGNMENT)) % ALIGNMENT));
    padding.writeUInt16LE(PADDING_FIELD, 0);
    padding.writeUInt16LE(padding.length - 4, 2);
    // Local and central headers share the fields from "version needed" to the extra field length.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);

    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), Buffer.from(common), central, nameBytes);

    common.writeUInt16LE(padding.length, 24);
    append(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, padding, content);
  }

  const start = offset;
  append(...directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset - start, 12);
  end.writeUInt32LE(start, 16);
  append(end);
  return Buffer.concat(parts);
}
