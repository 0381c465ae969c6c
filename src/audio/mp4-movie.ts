import { OUTPUT_RATE } from './formats.ts';
import { box, chunkOffsets, descriptor, fullBox, sampleSizes, table, timedBox, uint16, uint32 } from './mp4-boxes.ts';

/** Samples of audio in an AAC packet. */
export const PACKET_SAMPLES = 1024;

const AUDIO_TRACK = 1;
const CHAPTER_TRACK = 2;
const IN_MOVIE = 2;
const ENABLED_IN_MOVIE = 3;
const UNDETERMINED = 0x55c4;
/** 1 as a fixed-point number. */
const ONE = 0x1_0000;
const MATRIX = uint32(ONE, 0, 0, 0, ONE, 0, 0, 0, 0x4000_0000);

/** The audio of a movie. */
export interface AudioTables {
  /** AudioSpecificConfig of ISO/IEC 14496-3. */
  config: Uint8Array;
  /** Audible samples at `OUTPUT_RATE`, and the encoder's priming samples before them. */
  samples: number;
  priming: number;
  /** Bytes of each packet. */
  packetSizes: Uint16Array;
  /** Packets of each chunk but the last, which may have fewer. */
  chunkPackets: number;
  /** Where chunks begin in the file. */
  offsets: readonly number[];
}

/** Chapters as text samples, one after the other in the file. */
export interface ChapterTables {
  /** Samples at `OUTPUT_RATE` that each lasts, and bytes of its text sample. */
  durations: readonly number[];
  sizes: readonly number[];
  /** Where the first begins in the file. */
  offset: number;
}

/**
 * The index of an MP4 file with one track of AAC and its chapters (ISO/IEC 14496-12; for the chapters, QuickTime's
 * `tref` of type `chap` and text samples). All times count in samples of the audio, so that they are exact.
 *
 * @param userData the content of `udta`
 */
export function movie(audio: AudioTables, chapters: ChapterTables | undefined, userData: Uint8Array[]): Buffer {
  const { samples } = audio;
  const header = timedBox('mvhd', 0, samples, (time) => [
    time(0, 0),
    uint32(OUTPUT_RATE),
    time(samples),
    uint32(ONE),
    uint16(0x100, 0, 0, 0, 0, 0),
    MATRIX,
    Buffer.alloc(24),
    uint32(chapters ? CHAPTER_TRACK + 1 : CHAPTER_TRACK),
  ]);
  const tracks = [audioTrack(audio, chapters !== undefined), ...(chapters ? [chapterTrack(chapters, samples)] : [])];
  return box('moov', header, ...tracks, box('udta', ...userData));
}

function audioTrack(audio: AudioTables, hasChapters: boolean): Buffer {
  const { samples, priming } = audio;
  // Make players start after the priming samples and end with the last sample.
  const edit = timedBox('elst', 0, samples, (time) => [uint32(1), time(samples, priming), uint16(1, 0)]);
  const sound = fullBox('smhd', 0, 0, uint32(0));
  return box(
    'trak',
    trackHeader(AUDIO_TRACK, ENABLED_IN_MOVIE, samples, 0x100),
    box('edts', edit),
    ...(hasChapters ? [box('tref', box('chap', uint32(CHAPTER_TRACK)))] : []),
    media('soun', samples + priming, sound, audioSamples(audio)),
  );
}

function audioSamples({ config, samples, priming, packetSizes, chunkPackets, offsets }: AudioTables): Buffer {
  const packets = packetSizes.length;
  const last = samples + priming - (packets - 1) * PACKET_SAMPLES;
  const times = packets === 0 ? [] : [[packets - 1, PACKET_SAMPLES] as const, [1, last] as const];
  const lastChunk = packets - (offsets.length - 1) * chunkPackets;
  const full = offsets.length > 1 ? [[1, chunkPackets, 1]] : [];
  const chunks =
    packets === 0 ? [] : [...full, ...(lastChunk === full[0]?.[1] ? [] : [[offsets.length, lastChunk, 1]])];
  return box(
    'stbl',
    fullBox('stsd', 0, 0, uint32(1), aacEntry(config, packetSizes)),
    table(
      'stts',
      times.filter(([count]) => count > 0),
    ),
    table('stsc', chunks),
    sampleSizes(packetSizes),
    chunkOffsets(offsets),
    // A packet needs the one before it to be decoded.
    fullBox('sgpd', 1, 0, Buffer.from('roll'), uint32(2, 1), uint16(-1)),
    fullBox('sbgp', 0, 0, Buffer.from('roll'), uint32(1, packets, 1)),
  );
}

/** How to decode the packets: an elementary stream of MPEG-4 audio (ISO/IEC 14496-14). */
function aacEntry(config: Uint8Array, packetSizes: Uint16Array): Buffer {
  let [bytes, largest] = [0, 0];
  for (const size of packetSizes) {
    bytes += size;
    largest = Math.max(largest, size);
  }
  const bitsPerSecond = (size: number) => Math.round((size * 8 * OUTPUT_RATE) / PACKET_SAMPLES);
  const mean = bitsPerSecond(bytes / Math.max(1, packetSizes.length));
  const audioStream = Buffer.concat([
    Buffer.from([0x40, 0x15]),
    uint32(largest).subarray(1),
    uint32(bitsPerSecond(largest), mean),
  ]);
  const stream = descriptor(
    3,
    uint16(AUDIO_TRACK),
    Buffer.from([0]),
    descriptor(4, audioStream, descriptor(5, config)),
    descriptor(6, Buffer.from([2])),
  );
  const format = [uint32(0, 1, 0, 0), uint16(1, 16, 0, 0), uint32(OUTPUT_RATE * ONE)];
  return box('mp4a', ...format, fullBox('esds', 0, 0, stream));
}

/** A track that players list and do not show. */
function chapterTrack({ durations, sizes, offset }: ChapterTables, samples: number): Buffer {
  const description = box('text', uint32(0, 1, 1, 0), Buffer.alloc(36));
  const graphics = fullBox('gmin', 0, 0, uint16(0x40, 0x8000, 0x8000, 0x8000, 0, 0));
  const tables = box(
    'stbl',
    fullBox('stsd', 0, 0, uint32(1), description),
    table(
      'stts',
      durations.map((duration) => [1, duration]),
    ),
    table('stsc', [[1, sizes.length, 1]]),
    sampleSizes(sizes),
    chunkOffsets([offset]),
  );
  const header = box('gmhd', graphics, box('text', MATRIX));
  return box('trak', trackHeader(CHAPTER_TRACK, IN_MOVIE, samples, 0), media('text', samples, header, tables));
}

function trackHeader(id: number, flags: number, samples: number, volume: number): Buffer {
  return timedBox('tkhd', flags, samples, (time) => [
    time(0, 0),
    uint32(id, 0),
    time(samples),
    uint32(0, 0),
    uint16(0, 0, volume, 0),
    MATRIX,
    uint32(0, 0),
  ]);
}

function media(handler: string, duration: number, header: Buffer, samples: Buffer): Buffer {
  const language = uint16(UNDETERMINED, 0);
  const times = timedBox('mdhd', 0, duration, (time) => [time(0, 0), uint32(OUTPUT_RATE), time(duration), language]);
  const thisFile = fullBox('dref', 0, 0, uint32(1), fullBox('url ', 0, 1));
  return box('mdia', times, handlerBox(handler), box('minf', header, box('dinf', thisFile), samples));
}

/** @param manufacturer of a QuickTime component, four letters */
export function handlerBox(handler: string, manufacturer = '\0\0\0\0'): Buffer {
  const type = Buffer.from(handler + manufacturer, 'latin1');
  return fullBox('hdlr', 0, 0, uint32(0), type, uint32(0, 0), Buffer.alloc(1));
}
