/** The first and the last of the requested bytes. */
interface RequestedBytes {
  from: number;
  to: number;
}

const single = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Reads a `Range` header (RFC 9110, section 14): one range of bytes. Several ranges, other units and malformed headers are
 * ignored, as the RFC allows.
 * @param size of the whole, in bytes
 * @returns undefined for the whole; `unsatisfiable` for a range beyond the end
 */
export function byteRange(header: string | undefined, size: number): RequestedBytes | 'unsatisfiable' | undefined {
  const [, first, last] = single.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - length), to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return 'unsatisfiable';
  return { from, to: Math.min(last === '' ? size - 1 : Number(last), size - 1) };
}
