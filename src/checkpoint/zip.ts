import { crc32 } from 'node:zlib';
import { CheckpointError } from './checkpoint-error.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const MOST_COMMENT_BYTES = 65_535;
/** Stands where the true value is in a 64-bit field. */
const ELSEWHERE = 0xffffffff;

/**
 * The files of a zip archive that compresses none of them, by name, as parts of the given bytes. Their checksums are
 * right.
 * @throws CheckpointError where it is damaged, compressed or larger than 4 GB
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
    if (size === ELSEWHERE || local === ELSEWHERE) throw new CheckpointError('The archive is larger than 4 GB.');
    const content = contentAt(bytes, local, size);
    total += size;
    // Many names for the same bytes would make the checksums a long piece of work.
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

/** The record at the end of the archive; a comment may follow it. */
function findEnd(bytes: Buffer): number {
  const last = bytes.length - END_BYTES;
  for (let position = last; position >= Math.max(0, last - MOST_COMMENT_BYTES); position--) {
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
