import type { HearsayError } from '../errors.ts';
import type { ByteRange } from './byte-range.ts';
import { invalidAudio } from './errors.ts';
import type { FileReader } from './file-reader.ts';

/** FFmpeg takes 24 to 60 bytes for each. Four hours of 5 ms packets are 3 million. */
const MAX_SAMPLES = 4_000_000;
const MAX_BOXES = 2_000_000;
const MAX_DEPTH = 16;
const MAX_EDITS = 1000;
/** A segment's length is rounded; one that is longer than its media repeats some. */
const EDIT_SLACK = 1.1;

const CONTAINERS = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf']);

/** Timing information of an MP4 file. */
export interface Mp4Facts {
  /** Whether the edit list would multiply the work. */
  hasWildEdits: boolean;
  /** Whether samples lie in movie fragments, whose clock need not start at 0. */
  isFragmented: boolean;
  /** Whether the index is missing or ends with the file, as in a recording that was cut off: it is often written last. */
  isIncomplete: boolean;
}

/** The error for a file that cannot be read and `isIncomplete`. */
export function incompleteFile(cause?: unknown): HearsayError {
  return invalidAudio('The file is incomplete: its index is missing or cut off.', cause);
}

interface Box extends ByteRange {
  type: string;
  /** Whether the file ends before the box does. */
  isTruncated: boolean;
}

/** The tables of one track. */
class Track {
  isAudio = false;
  /** Units per second. */
  timescale = 0;
  samples = 0;
  chunks = 0;
  edits: bigint[] = [];
  hasWildEdits = false;
  times: Box | undefined;
  chunkRuns: Box | undefined;
}

/**
 * Checks what the index of an MP4 or QuickTime file claims (ISO/IEC 14496-12), before FFmpeg allocates it: a few bytes
 * can claim millions of samples.
 *
 * @throws HearsayError `invalid_audio` for an index that the file cannot have
 */
export function checkMp4Index(file: FileReader, range: ByteRange): Mp4Facts {
  return new IndexCheck(file, range).run();
}

class IndexCheck {
  readonly #file: FileReader;
  readonly #range: ByteRange;
  readonly #facts: Mp4Facts = { hasWildEdits: false, isFragmented: false, isIncomplete: false };
  readonly #types = new Set<string>();
  #boxes = 0;
  #samples = 0;
  #movieTimescale = 0;

  constructor(file: FileReader, range: ByteRange) {
    this.#file = file;
    this.#range = range;
  }

  run(): Mp4Facts {
    try {
      this.#walk(this.#range, 0, new Track());
    } catch (error) {
      throw this.#facts.isIncomplete ? incompleteFile(error) : error;
    }
    // Pictures have a `meta` instead.
    this.#facts.isIncomplete ||= this.#types.has('mdat') && !this.#types.has('moov') && !this.#types.has('meta');
    return this.#facts;
  }

  #walk({ start, end }: ByteRange, depth: number, track: Track): void {
    for (let offset = start; offset + 8 <= end; ) {
      if (++this.#boxes > MAX_BOXES || depth > MAX_DEPTH) throw invalidIndex();
      const head = this.#file.read(offset, 16);
      let size = head.readUInt32BE(0);
      let headLength = 8;
      if (size === 1 && head.length === 16) {
        size = Number(head.readBigUInt64BE(8));
        headLength = 16;
      } else if (size === 0) size = end - offset;
      if (size < headLength) return;
      const box = {
        type: head.toString('latin1', 4, 8),
        start: offset + headLength,
        end: Math.min(end, offset + size),
        isTruncated: offset + size > this.#range.end,
      };
      this.#visit(box, depth, track);
      offset = box.end;
    }
  }

  #visit(box: Box, depth: number, track: Track): void {
    if (depth === 0) this.#types.add(box.type);
    if (box.type === 'moov' && box.isTruncated) this.#facts.isIncomplete = true;
    if (box.type === 'trak') {
      const own = new Track();
      this.#walk(box, depth + 1, own);
      this.#finish(own);
    } else if (CONTAINERS.has(box.type)) {
      if (box.type === 'moof') this.#facts.isFragmented = true;
      this.#walk(box, depth + 1, track);
    } else {
      this.#readTable(box, track);
    }
  }

  #readTable(box: Box, track: Track): void {
    switch (box.type) {
      case 'cmov':
        throw invalidAudio('A compressed movie header is not supported.');
      case 'mvhd':
        this.#movieTimescale = this.#timescale(box);
        break;
      case 'mdhd':
        track.timescale = this.#timescale(box);
        break;
      case 'hdlr':
        track.isAudio ||= this.#file.read(box.start + 8, 4).toString('latin1') === 'soun';
        break;
      case 'stsz':
        track.samples = this.#count(box, this.#uint32(box, 4) === 0 ? 4 : 0, 8);
        break;
      case 'stz2':
        track.samples = this.#count(box, (this.#uint32(box, 4) & 0xff) / 8, 8);
        break;
      case 'stts':
        this.#count(box, 8);
        track.times = box;
        break;
      case 'stsc':
        this.#count(box, 12);
        track.chunkRuns = box;
        break;
      case 'ctts':
        this.#count(box, 8);
        break;
      case 'stss':
        this.#count(box, 4);
        break;
      case 'stco':
        track.chunks = this.#count(box, 4);
        break;
      case 'co64':
        track.chunks = this.#count(box, 8);
        break;
      case 'elst':
        this.#readEdits(box, track);
        break;
      case 'trun':
        this.#readRun(box);
        break;
    }
  }

  /** The number of entries of a table, which must lie in its box. */
  #count(box: Box, bytesPerEntry: number, at = 4): number {
    const count = this.#uint32(box, at);
    const bytes = count * bytesPerEntry;
    if (bytes > box.end - box.start - at - 4 || (bytes > 0 && count > MAX_SAMPLES)) throw invalidIndex();
    return count;
  }

  #timescale(box: Box): number {
    const isLong = this.#uint32(box, 0) >>> 24 === 1;
    return this.#uint32(box, isLong ? 20 : 12);
  }

  #readEdits(box: Box, track: Track): void {
    const isLong = this.#uint32(box, 0) >>> 24 === 1;
    const bytes = isLong ? 20 : 12;
    const count = this.#count(box, bytes);
    if (count > MAX_EDITS) {
      track.hasWildEdits = true;
      return;
    }
    for (let index = 0; index < count; index++) {
      const entry = this.#file.read(box.start + 8 + index * bytes, bytes);
      const [duration, mediaTime] = isLong
        ? [entry.readBigUInt64BE(0), entry.readBigInt64BE(8)]
        : [BigInt(entry.readUInt32BE(0)), BigInt(entry.readInt32BE(4))];
      // A negative time is a pause.
      if (mediaTime >= 0n) track.edits.push(duration);
    }
  }

  /** Samples of a fragment need not take a byte each. */
  #readRun(box: Box): void {
    const flags = this.#uint32(box, 0);
    const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length;
    const count = box.isTruncated ? Math.min(this.#uint32(box, 4), this.#range.end) : this.#count(box, 4 * fields);
    this.#add(count);
  }

  #finish(track: Track): void {
    this.#add(this.#indexEntries(track));
    const { edits } = track;
    if (edits.length > 1 && this.#movieTimescale > 0) {
      const seconds = (duration: bigint) => Number(duration) / this.#movieTimescale;
      const ofMedia = this.#mediaSeconds(track);
      // A length of 0 means all of the media.
      const edited = edits.reduce((sum, duration) => sum + (duration === 0n ? ofMedia : seconds(duration)), 0);
      if (edited > EDIT_SLACK * ofMedia + 1) track.hasWildEdits = true;
    }
    this.#facts.hasWildEdits ||= track.hasWildEdits;
  }

  #mediaSeconds({ times, timescale }: Track): number {
    if (!times || timescale === 0) return 0;
    const runs = this.#uint32(times, 4);
    let sum = 0;
    for (let run = 0; run < runs; run++) sum += this.#uint32(times, 8 + run * 8) * this.#uint32(times, 12 + run * 8);
    return sum / timescale;
  }

  /** FFmpeg indexes every sample, but PCM by up to 1024 samples of a chunk. */
  #indexEntries({ isAudio, samples, times, chunks, chunkRuns }: Track): number {
    const isPcm = isAudio && times !== undefined && this.#uint32(times, 4) === 1 && this.#uint32(times, 12) === 1;
    if (!isPcm || !chunkRuns) return samples;
    let entries = 0;
    const runs = this.#uint32(chunkRuns, 4);
    for (let run = 0; run < runs; run++) {
      const at = 8 + run * 12;
      const first = this.#uint32(chunkRuns, at);
      const next = run + 1 < runs ? this.#uint32(chunkRuns, at + 12) : chunks + 1;
      entries += Math.max(0, Math.min(next, chunks + 1) - first) * Math.ceil(this.#uint32(chunkRuns, at + 4) / 1024);
    }
    return entries;
  }

  /** Every indexed sample has a byte in the file or in the index. */
  #add(samples: number): void {
    this.#samples += samples;
    if (this.#samples > MAX_SAMPLES || this.#samples > this.#file.size) throw invalidIndex();
  }

  /** 0 beyond the end of the box. */
  #uint32(box: Box, at: number): number {
    if (box.start + at + 4 > box.end) return 0;
    return this.#file.read(box.start + at, 4).readUInt32BE(0);
  }
}

function invalidIndex(): HearsayError {
  return invalidAudio('The index of the file claims more than the file can hold.');
}
