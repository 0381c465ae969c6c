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

/**
 * A zip archive of texts, uncompressed.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
 */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const files = entries.map(({ name, content }) => ({ name: encoder.encode(name), bytes: encoder.encode(content) }));
  const size = files.reduce(
    (sum, { name, bytes }) => sum + LOCAL_HEADER_BYTES + ENTRY_HEADER_BYTES + 2 * name.length + bytes.length,
    END_BYTES,
  );
  const archive = new Uint8Array(size);
  const view = new DataView(archive.buffer);
  /** What the headers of a file have in common, from its version to its sizes and the length of its name. */
  const describe = (at: number, { name, bytes }: (typeof files)[number]) => {
    view.setUint16(at, VERSION, true);
    view.setUint16(at + 2, UTF8_NAMES, true);
    view.setUint16(at + 8, DATE, true);
    view.setUint32(at + 10, crc32(bytes), true);
    view.setUint32(at + 14, bytes.length, true);
    view.setUint32(at + 18, bytes.length, true);
    view.setUint16(at + 22, name.length, true);
  };
  let at = 0;
  const offsets = files.map((file) => {
    const start = at;
    view.setUint32(at, 0x04034b50, true);
    describe(at + 4, file);
    archive.set(file.name, at + LOCAL_HEADER_BYTES);
    archive.set(file.bytes, at + LOCAL_HEADER_BYTES + file.name.length);
    at += LOCAL_HEADER_BYTES + file.name.length + file.bytes.length;
    return start;
  });
  const directory = at;
  for (const [index, file] of files.entries()) {
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 4, VERSION, true);
    describe(at + 6, file);
    view.setUint32(at + 42, offsets[index]!, true);
    archive.set(file.name, at + ENTRY_HEADER_BYTES);
    at += ENTRY_HEADER_BYTES + file.name.length;
  }
  view.setUint32(at, 0x06054b50, true);
  view.setUint16(at + 8, files.length, true);
  view.setUint16(at + 10, files.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return archive;
}

/** CRC-32 with the reversed polynomial 0xEDB88320, as ISO 3309 has it. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
