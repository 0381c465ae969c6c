import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeTensor } from './pytorch-writer.ts';

interface Entry {
  name: string;
  start: number;
  content: Buffer;
}

/** Follows the local headers up to the central directory. */
function entries(zip: Buffer): Entry[] {
  const result: Entry[] = [];
  for (let offset = 0; zip.readUInt32LE(offset) === 0x04034b50; ) {
    const size = zip.readUInt32LE(offset + 18);
    const nameEnd = offset + 30 + zip.readUInt16LE(offset + 26);
    const start = nameEnd + zip.readUInt16LE(offset + 28);
    const content = zip.subarray(start, start + size);
    expect(zip.readUInt16LE(offset + 8)).toBe(0);
    expect(zip.readUInt32LE(offset + 22)).toBe(size);
    expect(zip.readUInt32LE(offset + 14)).toBe(crc32(content));
    result.push({ name: zip.toString('utf8', offset + 30, nameEnd), start, content });
    offset = start + size;
  }
  return result;
}

const data = Float32Array.of(0, 1.5, -2, 1e30, -1e-30, Math.PI);
const zip = Buffer.from(writeTensor('voice', { dims: [2, 3], data }));

describe('writeTensor', () => {
  it('writes the files that torch.load expects, with aligned data', () => {
    const files = entries(zip);
    expect(files.map(({ name }) => name)).toEqual([
      'voice/data.pkl',
      'voice/byteorder',
      'voice/data/0',
      'voice/version',
    ]);
    expect(files.map(({ start }) => start % 64)).toEqual([0, 0, 0, 0]);
    expect(files[1]!.content.toString()).toBe('little');
    expect(files[3]!.content.toString()).toBe('3\n');
    expect(files[2]!.content).toHaveLength(24);
    expect(Array.from(data, (_, i) => files[2]!.content.readFloatLE(i * 4))).toEqual([...data]);
  });

  it('writes a matching central directory', () => {
    const end = zip.length - 22;
    expect(zip.readUInt32LE(end)).toBe(0x06054b50);
    expect([zip.readUInt16LE(end + 8), zip.readUInt16LE(end + 10)]).toEqual([4, 4]);
    let position = zip.readUInt32LE(end + 16);
    expect(position + zip.readUInt32LE(end + 12)).toBe(end);
    for (const { name, content } of entries(zip)) {
      expect(zip.readUInt32LE(position)).toBe(0x02014b50);
      expect(zip.readUInt32LE(position + 16)).toBe(crc32(content));
      expect(zip.readUInt32LE(position + 24)).toBe(content.length);
      expect(zip.toString('utf8', position + 46, position + 46 + name.length)).toBe(name);
      expect(zip.readUInt32LE(zip.readUInt32LE(position + 42))).toBe(0x04034b50);
      position += 46 + name.length;
    }
    expect(position).toBe(end);
  });

  it('pickles what rebuilds the tensor', () => {
    expect(entries(zip)[0]!.content.toString('latin1')).toBe(
      [
        '\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(',
        '(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuJ\x06\0\0\0tQ',
        'J\0\0\0\0',
        '(J\x02\0\0\0J\x03\0\0\0t',
        '(J\x03\0\0\0J\x01\0\0\0t',
        '\x89ccollections\nOrderedDict\n)RtR.',
      ].join(''),
    );
  });

  it('writes the same bytes each time', () => {
    expect(Buffer.from(writeTensor('voice', { dims: [2, 3], data }))).toEqual(zip);
  });

  it('refuses dimensions that do not fit', () => {
    expect(() => writeTensor('voice', { dims: [2, 2], data })).toThrow(RangeError);
  });
});
