import type { HearsayError } from '../errors.ts';
import type { ByteRange } from './byte-range.ts';
import { invalidAudio } from './errors.ts';
import type { FileReader } from './file-reader.ts';

const MAX_CHUNKS = 10_000;
/** Maximum number of tags to skip; each takes one more open file. */
const MAX_TAGS = 8;

/**
 * The parts of a file without its ID3v2 tags: those in front, whatever follows, and in chunks of WAV and AIFF. FFmpeg
 * inflates their compressed frames, a thousandfold and without an interrupt, and nothing here needs them.
 *
 * @throws HearsayError `invalid_audio` for a file with too many of them
 */
export function withoutTags(file: FileReader): ByteRange[] {
  let start = 0;
  for (let length = tagLength(file, 0); length > 0; length = tagLength(file, start)) start += length;
  const parts: ByteRange[] = [];
  for (const tag of taggedChunks(file, start)) {
    parts.push({ start, end: tag.start });
    start = tag.end;
    if (parts.length > MAX_TAGS) throw tooManyChunks();
  }
  parts.push({ start, end: file.size });
  return parts.filter((part) => part.end > part.start);
}

/** Length of the ID3v2 tag at an offset, 0 if there is none (https://id3.org/id3v2.4.0-structure, 3.1). */
function tagLength(file: FileReader, offset: number): number {
  const head = file.read(offset, 10);
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3' || head[3] === 0xff || head[4] === 0xff) return 0;
  const digits = [...head.subarray(6)];
  if (digits.some((digit) => digit > 0x7f)) return 0;
  const hasFooter = (head[5]! & 0x10) !== 0;
  return 10 + digits.reduce((sum, digit) => sum * 128 + digit) + (hasFooter ? 10 : 0);
}

function* taggedChunks(file: FileReader, start: number): Generator<ByteRange> {
  const head = file.read(start, 12);
  const [form, kind] = [head.toString('latin1', 0, 4), head.toString('latin1', 8, 12)];
  const isWav = ['RIFF', 'RIFX', 'RF64', 'BW64'].includes(form) && kind === 'WAVE';
  if (!isWav && !(form === 'FORM' && ['AIFF', 'AIFC'].includes(kind))) return;
  const isBigEndian = form === 'RIFX' || form === 'FORM';
  let dataSize = 0;
  let chunks = 0;
  for (let offset = start + 12; offset + 8 <= file.size; chunks++) {
    if (chunks === MAX_CHUNKS) throw tooManyChunks();
    const chunk = file.read(offset, 24);
    const id = chunk.toString('latin1', 0, 4).toLowerCase();
    let size = isBigEndian ? chunk.readUInt32BE(4) : chunk.readUInt32LE(4);
    if (id === 'ds64' && chunk.length === 24) dataSize = Number(chunk.readBigUInt64LE(16));
    if (id === 'data' && (size === 0 || size === 0xffffffff)) {
      // A stream of unknown length takes the rest of the file.
      if (dataSize === 0) return;
      size = dataSize;
    }
    const end = Math.min(file.size, offset + 8 + size + (size % 2));
    if (id === 'id3 ') yield { start: offset, end };
    offset = end;
  }
}

function tooManyChunks(): HearsayError {
  return invalidAudio('The file has too many tags.');
}
