import { AV_SAMPLE_FMT_FLTP, FF_ENCODER_AAC } from 'node-av/constants';
import { type BookTags, type Chapter, chapterList, chapterText, metadata } from './book-tags.ts';
import type { FormatWriter } from './format-writers.ts';
import { box, uint32 } from './mp4-boxes.ts';
import { type ChapterTables, movie, PACKET_SAMPLES } from './mp4-movie.ts';
import { PacketEncoder } from './packet-encoder.ts';

/** Priming samples that FFmpeg's AAC encoder adds before the first sample. */
const PRIMING = PACKET_SAMPLES;
/** A second: the index has one offset for each chunk. */
const CHUNK_PACKETS = 24;
const MDAT_HEADER_BYTES = 8;
const FILE_TYPE = box('ftyp', Buffer.from('M4B '), uint32(0), Buffer.from('M4B M4A mp42isom'));

/**
 * An audiobook: AAC-LC in MP4, with chapters, tags and a cover. Each second of audio is an `mdat` box of known size, and
 * the index comes last, so that the file can be streamed. Of the audio, only the sizes of packets stay in memory.
 */
export class M4bWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_AAC,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: 64_000,
    options: { aac_coder: 'fast' },
  });
  readonly #tags: BookTags;
  readonly #chapters: Chapter[] = [];
  /** Packets that do not fill a chunk yet. */
  #pending: Uint8Array[] = [];
  #packetSizes = new Uint16Array(1024);
  #packets = 0;
  readonly #offsets: number[] = [];
  #samples = 0;
  /** Bytes written. */
  #position = 0;

  constructor(tags: BookTags = {}) {
    this.#tags = tags;
  }

  write(samples: Float32Array): Uint8Array[] {
    this.#samples += samples.length;
    return this.#add(this.#encoder.encode(samples));
  }

  startChapter(chapter: Chapter): void {
    // A chapter without samples would have no length.
    if (this.#chapters.at(-1)?.start === chapter.start) this.#chapters.pop();
    this.#chapters.push(chapter);
  }

  finish(): Uint8Array[] {
    const parts = [...this.#add(this.#encoder.finish()), ...this.#chunk(this.#pending)];
    this.#pending = [];
    const chapters = this.#chapters.filter(({ start }) => start < this.#samples);
    const chapterTables = this.#chapterTables(chapters, parts);
    const audio = {
      config: this.#encoder.extraData,
      samples: this.#samples,
      priming: PRIMING,
      packetSizes: this.#packetSizes.subarray(0, this.#packets),
      chunkPackets: CHUNK_PACKETS,
      offsets: this.#offsets,
    };
    const userData = [...(chapterTables ? [chapterList(chapters)] : []), metadata(this.#tags)];
    return [...parts, movie(audio, chapterTables, userData)];
  }

  close(): void {
    this.#encoder.close();
  }

  #add(packets: Uint8Array[]): Uint8Array[] {
    const parts: Uint8Array[] = [];
    for (const packet of packets) {
      // The encoder may end with a packet of silence after the last sample.
      if (this.#packets * PACKET_SAMPLES >= PRIMING + this.#samples) continue;
      if (this.#packets === this.#packetSizes.length) {
        const larger = new Uint16Array(2 * this.#packetSizes.length);
        larger.set(this.#packetSizes);
        this.#packetSizes = larger;
      }
      this.#packetSizes[this.#packets++] = packet.length;
      if (this.#pending.push(packet) < CHUNK_PACKETS) continue;
      parts.push(...this.#chunk(this.#pending));
      this.#pending = [];
    }
    return parts;
  }

  /** A chunk in its own box, after the head of the file if it is the first. */
  #chunk(packets: Uint8Array[]): Uint8Array[] {
    const head = this.#position === 0 ? FILE_TYPE : new Uint8Array();
    if (packets.length === 0) {
      this.#position += head.length;
      return [head];
    }
    const data = box('mdat', ...packets);
    this.#offsets.push(this.#position + head.length + MDAT_HEADER_BYTES);
    this.#position += head.length + data.length;
    return [head, data];
  }

  /** Adds the texts of the chapters to the file. */
  #chapterTables(chapters: readonly Chapter[], parts: Uint8Array[]): ChapterTables | undefined {
    if (chapters.length === 0) return undefined;
    const texts = chapters.map(({ title }) => chapterText(title));
    const offset = this.#position + MDAT_HEADER_BYTES;
    const data = box('mdat', ...texts);
    this.#position += data.length;
    parts.push(data);
    const ends = [...chapters.slice(1).map(({ start }) => start), this.#samples];
    // The track begins with the audio, whatever comes before the first chapter.
    const durations = ends.map((end, index) => end - (index === 0 ? 0 : chapters[index]!.start));
    return { durations, sizes: texts.map(({ length }) => length), offset };
  }
}
