const MAX_UINT32 = 0xff_ff_ff_ff;

/** A box of ISO/IEC 14496-12: its size, its type of four letters, and what is in it. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.reduce((sum, { length }) => sum + length, header.length));
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...content: Uint8Array[]): Buffer {
  return box(type, uint32((version << 24) | flags), ...content);
}

/** A few whole numbers of 16 bits, big-endian, as all that follow. */
export function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index);
  return bytes;
}

export function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
}

export function uint64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64BE(BigInt(value), 8 * index);
  return bytes;
}

/** A box of times: version 1, with 64 bits for each, only if a time needs them, since some players know version 0 alone. */
export function timedBox(type: string, flags: number, longest: number, content: (time: Times) => Uint8Array[]): Buffer {
  const isLong = longest > MAX_UINT32;
  return fullBox(type, isLong ? 1 : 0, flags, ...content(isLong ? uint64 : uint32));
}

type Times = (...values: number[]) => Buffer;

/** A table (`stts`, `stsc`, …): the number of its entries, then their fields. */
export function table(type: string, entries: readonly (readonly number[])[]): Buffer {
  return fullBox(type, 0, 0, uint32(entries.length), ...entries.map((fields) => uint32(...fields)));
}

/** The sizes of samples (`stsz`). @param sizes in bytes */
export function sampleSizes(sizes: Iterable<number> & { length: number }): Buffer {
  const bytes = Buffer.alloc(8 + 4 * sizes.length);
  bytes.writeUInt32BE(sizes.length, 4);
  let at = 8;
  for (const size of sizes) at = bytes.writeUInt32BE(size, at);
  return fullBox('stsz', 0, 0, bytes);
}

/** Where chunks begin in the file: `stco`, or `co64` beyond 4 GB. @param offsets rising */
export function chunkOffsets(offsets: readonly number[]): Buffer {
  const isLong = (offsets.at(-1) ?? 0) > MAX_UINT32;
  const bytes = Buffer.alloc(4 + (isLong ? 8 : 4) * offsets.length);
  let at = bytes.writeUInt32BE(offsets.length);
  for (const offset of offsets)
    at = isLong ? bytes.writeBigUInt64BE(BigInt(offset), at) : bytes.writeUInt32BE(offset, at);
  return fullBox(isLong ? 'co64' : 'stco', 0, 0, bytes);
}

/** A descriptor of ISO/IEC 14496-1, its length in one byte. @param content of fewer than 128 bytes */
export function descriptor(tag: number, ...content: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
}
