import type { ByteRange } from './byte-range.ts';
import type { FileReader } from './file-reader.ts';

const HEADER = 27;
const CAPTURE = Buffer.from('OggS');
/** Flag of the first page of a stream. */
const FIRST_PAGE = 2;
const SEARCH = 64 * 1024;

/**
 * Finds the next link of a chained Ogg file (RFC 3533, section 4): the first page of a stream that comes after other
 * pages than first ones.
 *
 * @param from within a page of the previous link, or at one
 * @returns the offset of the link, or undefined
 */
export function nextOggLink(file: FileReader, { start, end }: ByteRange, from: number): number | undefined {
  let isBeyondHead = from > start;
  for (let offset = nextPage(file, from, end); offset !== undefined; ) {
    const head = file.read(offset, HEADER + 255);
    if (head.length < HEADER) return undefined;
    const isFirst = (head[5]! & FIRST_PAGE) !== 0;
    if (isFirst && isBeyondHead && offset > from) return offset;
    if (!isFirst) isBeyondHead = true;
    const lacing = head.subarray(HEADER, HEADER + head[26]!);
    const length = HEADER + lacing.length + lacing.reduce((sum, bytes) => sum + bytes, 0);
    offset = nextPage(file, offset + length, end);
  }
  return undefined;
}

/** Offset of the next page from an offset on. */
function nextPage(file: FileReader, from: number, end: number): number | undefined {
  for (let offset = from; offset < end; ) {
    const bytes = file.read(offset, SEARCH);
    const found = bytes.indexOf(CAPTURE);
    if (found >= 0) return offset + found;
    if (bytes.length <= CAPTURE.length) return undefined;
    offset += bytes.length - (CAPTURE.length - 1);
  }
  return undefined;
}
