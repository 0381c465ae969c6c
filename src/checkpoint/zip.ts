import { crc32 } from 'node:zlib';
import { CheckpointError } from './checkpoint-error.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
/** The value is in a 64-bit field (Zip64). */
const ZIP64 = 0xffffffff;

/**
 * Reads the files of an uncompressed zip archive, by name, as views of the given bytes. Verifies their checksums.
 * @throws CheckpointError if it is damaged, compressed or larger than 4 GB
 */
export function readZip(archive: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, Uint8Array>();
  let position = bytes.readUInt32LE(end + 16);
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (position + 46 > end || bytes.readUInt32LE(position) !== CENTRAL) throw damaged();
    const method = bytes.readUInt16LE(position + 10);
    const checksum = bytes.readUInt32LE(position + 16);
    const size = bytes.readUInt32LE(position + 24);
    const nameBytes = bytes.readUInt16LE(position + 28);
    const local = bytes.readUInt32LE(position + 42);
    const nameEnd = position + 46 + nameBytes;
    if (nameEnd > end) throw damaged();
    const name = bytes.toString('utf8', position + 46, nameEnd);
    if (method !== 0 || bytes.readUInt32LE(position + 20) !== size) {
      throw new CheckpointError('The archive is compressed.');
    }
    if (size === ZIP64 || local === ZIP64) throw new CheckpointError('The archive is larger than 4 GB.');
    const content = contentAt(bytes, local, size);
    total += size;
    // Bounds the work on checksums if many names share the same bytes.
    if (total > bytes.length) throw damaged();
    if (crc32(content) !== checksum) throw damaged();
    files.set(name, content);
    position = nameEnd + bytes.readUInt16LE(position + 30) + bytes.readUInt16LE(position + 32);
  }
  return files;
}

function contentAt(bytes: Buffer, local: number, size: number): Buffer {
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) throw damaged();
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + size > bytes.length) throw damaged();
  return bytes.subarray(start, start + size);
}

/** Finds the end record of the archive, which a comment may follow. */
function findEnd(bytes: Buffer): number {
  const last = bytes.length - END_BYTES;
  for (let position = last; position >= Math.max(0, last - MAX_COMMENT_BYTES); position--) {
    if (
      bytes.readUInt32LE(position) === END &&
      position + END_BYTES + bytes.readUInt16LE(position + 20) === bytes.length
    ) {
      return position;
    }
  }
  throw new CheckpointError('The file is not a PyTorch checkpoint (no zip archive).');
}

function damaged(): CheckpointError {
  return new CheckpointError('The file is damaged.');
}
