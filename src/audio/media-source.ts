import { AVIO_FLAG_READ } from 'node-av/constants';
import { InputFormat, IOContext } from 'node-av/lib';
import type { HearsayError } from '../errors.ts';
import type { ByteRange } from './byte-range.ts';
import { invalidAudio } from './errors.ts';
import { FileReader } from './file-reader.ts';
import { checkMp4Index } from './mp4-index.ts';
import { nextOggLink } from './ogg-links.ts';
import { withoutTags } from './tags.ts';

const MOV = 'mov,mp4,m4a,3gp,3g2,mj2';
const MATROSKA = 'matroska,webm';

/** How to open a file, or a part of it, by FFmpeg. */
export interface MediaSource {
  url: string;
  format: InputFormat;
  protocols: string;
  /** Further options of the demuxer. */
  options: Record<string, number>;
  /** Whether the container's clock starts at 0, rather than with its first packet. */
  startsAtZero: boolean;
  /** Whether the container has one clock from start to end. */
  hasOneClock: boolean;
  /** Whether the index is missing or cut off. */
  isIncomplete: boolean;
}

/** A potentially hostile file, checked before FFmpeg opens it. */
export class MediaFile {
  readonly #path: string;
  readonly #reader: FileReader;
  readonly #parts: ByteRange[];

  /**
   * @param path absolute
   * @param part of the file; by default all of it
   * @throws HearsayError `invalid_audio` for an empty file; the error of the file system if it cannot be read
   */
  constructor(path: string, part?: ByteRange) {
    this.#path = path;
    this.#reader = new FileReader(path, part);
    try {
      if (this.#reader.size === 0) throw invalidAudio('The file is empty.');
      this.#parts = withoutTags(this.#reader);
      if (this.#parts.length === 0) throw invalidAudio('The file has tags only.');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * The file without its tags.
   * @throws HearsayError `invalid_audio` for an unknown format or an implausible index
   */
  source(): MediaSource {
    return this.#source(this.#parts);
  }

  /**
   * The rest of a chained Ogg file, from the link after a position on.
   * @param url of the source that ended, @param position in it
   */
  nextLink({ url, format }: MediaSource, position: number): MediaSource | undefined {
    const [range] = this.#parts;
    if (format.name !== 'ogg' || !range || this.#parts.length > 1) return undefined;
    const { base } = this.#reader;
    const from = Number(/^subfile,,start,(\d+),/.exec(url)?.[1] ?? base) - base + position;
    const start = nextOggLink(this.#reader, range, from);
    return start === undefined ? undefined : this.#source([{ start, end: range.end }]);
  }

  close(): void {
    this.#reader.close();
  }

  #source(parts: ByteRange[]): MediaSource {
    const [range] = parts as [ByteRange];
    const { base, size } = this.#reader;
    const isWhole = this.#reader.isWhole && parts.length === 1 && range.start === 0 && range.end === size;
    const inFile = parts.map(({ start, end }) => ({ start: base + start, end: base + end }));
    const url = isWhole ? this.#path : urlOf(this.#path, inFile);
    const format = probe(url);
    if (!format) throw notAudio(this.#reader);
    const { name } = format;
    const isMov = name === MOV;
    const facts = isMov ? checkMp4Index(this.#reader, range) : undefined;
    return {
      url,
      format,
      protocols: isWhole ? 'file' : parts.length === 1 ? 'file,subfile' : 'file,subfile,concat',
      options: facts?.hasWildEdits ? { ignore_editlist: 1 } : {},
      startsAtZero: facts?.isFragmented === false || name === MATROSKA,
      hasOneClock: isMov || name === MATROSKA,
      isIncomplete: facts?.isIncomplete ?? false,
    };
  }
}

/** A file name without the file, as `curl -F file=speech.mp3` sends it. */
const NAME_ALONE = /^(?!\w+:\/\/)[^\p{Cc}]{0,250}[^\p{Cc}./\\]\.[a-z\d]{2,4}$/iu;
const MAX_NAME_BYTES = 1000;

function notAudio(reader: FileReader): HearsayError {
  const text = reader.size <= MAX_NAME_BYTES ? reader.read(0, reader.size).toString().trim() : '';
  if (!NAME_ALONE.test(text)) return invalidAudio('The file is not audio in a supported format.');
  const hint = text.startsWith('@')
    ? 'Only curl -F reads the file named after an @; other programs must send its content.'
    : `With curl, put an @ before the name: @${text}`;
  return invalidAudio(`The file is not audio but the text "${text}". ${hint}`);
}

/** FFmpeg's own guess, by the content alone. */
function probe(url: string): InputFormat | null {
  const io = new IOContext();
  if (io.open2Sync(url, AVIO_FLAG_READ) < 0) return null;
  try {
    return InputFormat.probeBufferSync(io);
  } finally {
    io.closepSync();
  }
}

/** Parts of a file as one, by FFmpeg's protocols `subfile` and `concat`; the latter knows no path with a `|`. */
function urlOf(path: string, parts: ByteRange[]): string {
  const urls = parts.map(({ start, end }) => `subfile,,start,${start},end,${end},,:${path}`);
  return urls.length === 1 ? urls[0]! : `concat:${urls.join('|')}`;
}
