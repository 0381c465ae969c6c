import { crc32 } from './zip.ts';

/** A file that cannot be read; its message is for people. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

interface Entry {
  /** Offset of its local header. */
  at: number;
  method: number;
  isEncrypted: boolean;
  crc: number;
  /** Bytes in the archive. */
  packed: number;
  /** Bytes of its content. */
  size: number;
}

const MAX_ENTRIES = 20_000;
const MAX_DIRECTORY_BYTES = 16_000_000;
/** Content of all entries read together: an archive of a few kilobytes can inflate to gigabytes. */
const MAX_CONTENT_BYTES = 200_000_000;
const MAX_COMMENT_BYTES = 0xffff;
const LOCAL_HEADER_BYTES = 30;
const ENTRY_HEADER_BYTES = 46;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

const damaged = () => new UnreadableFile('The file is damaged or incomplete.');

/**
 * Reads a zip archive, one entry at a time.
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
 */
export class ZipArchive {
  readonly #file: Blob;
  readonly #entries: ReadonlyMap<string, Entry>;
  #contentBytes = 0;

  private constructor(file: Blob, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws UnreadableFile if the file is not an archive, or none that this reads */
  static async open(file: Blob): Promise<ZipArchive> {
    const { at, bytes, count } = await findDirectory(file);
    const view = await viewOf(file, at, bytes);
    return new ZipArchive(file, readDirectory(view, count));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * The content of an entry; undefined if there is none of this name.
   * @throws UnreadableFile if it is encrypted, damaged or too large
   */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    if (entry.isEncrypted) throw new UnreadableFile('The file is encrypted.');
    this.#contentBytes += entry.size;
    if (this.#contentBytes > MAX_CONTENT_BYTES) throw new UnreadableFile('The file is too large.');
    const header = await viewOf(this.#file, entry.at, LOCAL_HEADER_BYTES);
    if (header.getUint32(0, true) !== 0x04034b50) throw damaged();
    const start = entry.at + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
    const packed = this.#file.slice(start, start + entry.packed);
    if (packed.size !== entry.packed) throw damaged();
    const content = await unpack(packed, entry);
    if (crc32(content) !== entry.crc) throw damaged();
    return content;
  }
}

async function findDirectory(file: Blob): Promise<{ at: number; bytes: number; count: number }> {
  const tail = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES);
  const view = await viewOf(file, tail, file.size - tail);
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    const [count, bytes, start] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ];
    if (start === 0xffffffff || count > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES)
      throw new UnreadableFile('The file is too large.');
    if (start + bytes > file.size) throw damaged();
    return { at: start, bytes, count };
  }
  throw damaged();
}

function readDirectory(view: DataView<ArrayBuffer>, count: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_HEADER_BYTES > view.byteLength || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const nameEnd = at + ENTRY_HEADER_BYTES + view.getUint16(at + 28, true);
    if (nameEnd > view.byteLength) throw damaged();
    const name = decoder.decode(
      new Uint8Array(view.buffer, at + ENTRY_HEADER_BYTES, nameEnd - at - ENTRY_HEADER_BYTES),
    );
    entries.set(name, {
      at: view.getUint32(at + 42, true),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
    });
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Inflates no more than the directory says. */
async function unpack(packed: Blob, { method, size }: Entry): Promise<Uint8Array<ArrayBuffer>> {
  if (method !== STORED && method !== DEFLATED) throw new UnreadableFile('The file is compressed in an unknown way.');
  const stream =
    method === STORED ? packed.stream() : packed.stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const content = new Uint8Array(size);
  let filled = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damaged();
    });
    if (done) break;
    if (filled + value.length > size) {
      await reader.cancel().catch(() => {});
      throw damaged();
    }
    content.set(value, filled);
    filled += value.length;
  }
  if (filled < size) throw damaged();
  return content;
}

async function viewOf(file: Blob, at: number, bytes: number): Promise<DataView<ArrayBuffer>> {
  const view = new DataView(await file.slice(at, at + bytes).arrayBuffer());
  if (view.byteLength < bytes) throw damaged();
  return view;
}
