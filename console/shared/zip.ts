export interface ZipEntry {
  /** Path inside the archive. */
  name: string;
  content: string;
}

const LOCAL_HEADER_BYTES = 30;
const ENTRY_HEADER_BYTES = 46;
const END_BYTES = 22;
/** Version 2.0, as for any archive. */
const VERSION = 20;
const UTF8_NAMES = 1 << 11;
/** 1 January 1980, the first day that the format knows: archives of the same content are the same. */
const DATE = (1 << 5) | 1;

/** What the headers tell of a file. */
interface FileFacts {
  name: Uint8Array;
  crc: number;
  bytes: number;
}

/**
 * A zip archive of texts, uncompressed.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
 */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const files = entries.map(({ name, content }) => {
    const bytes = encoder.encode(content);
    const facts = { name: encoder.encode(name), crc: crc32(bytes), bytes: bytes.length };
    parts.push(localHeader(facts), bytes);
    return facts;
  });
  parts.push(directory(files));
  const archive = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    archive.set(part, at);
    at += part.length;
  }
  return archive;
}

/** Offsets have 32 bits. */
const MAX_ARCHIVE_BYTES = 4_000_000_000;

/**
 * A zip archive of files of any kind, uncompressed. Holds one of them in memory at a time.
 * @throws RangeError if they are larger than an archive can be
 */
export async function zipFiles(files: readonly { name: string; content: Blob }[]): Promise<Blob> {
  if (files.reduce((sum, { content }) => sum + content.size, 0) > MAX_ARCHIVE_BYTES || files.length > 0xffff)
    throw new RangeError('The files are larger than an archive can be.');
  const encoder = new TextEncoder();
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const all: FileFacts[] = [];
  for (const { name, content } of files) {
    const bytes = new Uint8Array(await content.arrayBuffer());
    const facts = { name: encoder.encode(name), crc: crc32(bytes), bytes: bytes.length };
    all.push(facts);
    parts.push(localHeader(facts), content);
  }
  return new Blob([...parts, directory(all)], { type: 'application/zip' });
}

/** What both headers of a file have in common, from its version to the length of its name. */
function describe(view: DataView, at: number, { name, crc, bytes }: FileFacts): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8_NAMES, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, bytes, true);
  view.setUint32(at + 18, bytes, true);
  view.setUint16(at + 22, name.length, true);
}

function localHeader(file: FileFacts): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(LOCAL_HEADER_BYTES + file.name.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x04034b50, true);
  describe(view, 4, file);
  header.set(file.name, LOCAL_HEADER_BYTES);
  return header;
}

/** The central directory of files that stand one after the other, and its end. */
function directory(files: readonly FileFacts[]): Uint8Array<ArrayBuffer> {
  const size = files.reduce((sum, { name }) => sum + ENTRY_HEADER_BYTES + name.length, 0);
  const bytes = new Uint8Array(size + END_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  let offset = 0;
  for (const file of files) {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, VERSION, true);
    describe(view, at + 6, file);
    view.setUint32(at + 42, offset, true);
    bytes.set(file.name, at + ENTRY_HEADER_BYTES);
    at += ENTRY_HEADER_BYTES + file.name.length;
    offset += LOCAL_HEADER_BYTES + file.name.length + file.bytes;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, files.length, true);
  view.setUint16(at + 10, files.length, true);
  view.setUint32(at + 12, at, true);
  view.setUint32(at + 16, offset, true);
  return bytes;
}

/** CRC-32 with the reversed polynomial 0xEDB88320, as ISO 3309 has it. */
export function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
