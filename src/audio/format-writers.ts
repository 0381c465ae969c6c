import { crc32 } from 'node:zlib';
import {
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  FF_ENCODER_AAC,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
} from 'node-av/constants';
import type { BookTags, Chapter } from './book-tags.ts';
import type { AudioFormat } from './formats.ts';
import { OUTPUT_RATE } from './formats.ts';
import { M4bWriter } from './m4b-writer.ts';
import { OggStream } from './ogg.ts';
import { bytesOf, PacketEncoder, toInt16 } from './packet-encoder.ts';
import { wavHeader } from './wav.ts';

/** Encodes mono samples at `OUTPUT_RATE`, finite and within ±1, in one format. */
export interface FormatWriter {
  /** Feeds samples and returns the bytes ready so far. */
  write(samples: Float32Array): Uint8Array[];
  /** Begins a chapter with the next samples, in a format that has them. */
  startChapter?(chapter: Chapter): void;
  /** Returns the last bytes. */
  finish(): Uint8Array[];
  /** After `finish`: a replacement for the first bytes of the stream in a complete file, if the format has one. */
  finalHeader?(): Uint8Array;
  /** Frees the native memory. */
  close(): void;
}

/** Creates a writer for each format. */
export const formatWriters: Record<AudioFormat, (tags?: BookTags) => FormatWriter> = {
  m4b: (tags) => new M4bWriter(tags),
  mp3: () => new Mp3Writer(),
  opus: () => new OggOpusWriter(),
  flac: () => new FlacWriter(),
  wav: () => new PcmWriter(wavHeader(OUTPUT_RATE)),
  pcm: () => new PcmWriter(),
  aac: () => new AdtsWriter(),
};

/** Raw 16-bit samples, after an optional header. */
class PcmWriter implements FormatWriter {
  #header: Uint8Array[];

  constructor(...header: Uint8Array[]) {
    this.#header = header;
  }

  write(samples: Float32Array): Uint8Array[] {
    return [...this.#takeHeader(), bytesOf(toInt16(samples))];
  }

  finish(): Uint8Array[] {
    return this.#takeHeader();
  }

  close(): void {}

  #takeHeader(): Uint8Array[] {
    const header = this.#header;
    this.#header = [];
    return header;
  }
}

/**
 * Shorter audio is padded with silence to this many frames, which produce enough: FFmpeg recognizes mp3 by 7 frames in a
 * row and ADTS by 3.
 */
const MIN_FRAMES = { mp3: 6, aac: 2 };

/**
 * MPEG-2 layer III without a Xing or LAME header, which would have to state a length not known yet. The constant bit rate
 * gives players length and seek points instead, so frames borrow no bits from their neighbours.
 */
class Mp3Writer implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_LIBMP3LAME,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: 96_000,
    options: { reservoir: 0 },
  });
  #hasStarted = false;

  write(samples: Float32Array): Uint8Array[] {
    return this.#dropFirst(this.#encoder.encode(samples));
  }

  finish(): Uint8Array[] {
    return this.#dropFirst(this.#encoder.finish(MIN_FRAMES.mp3));
  }

  close(): void {
    this.#encoder.close();
  }

  /**
   * Drops the first frame. The encoder starts 1105 samples (46 ms) early, and no header tells the player; without that
   * frame 22 ms of delay remain. It lends no bits to the next, and they overlap only in the first 2 ms of audio.
   */
  #dropFirst(packets: Uint8Array[]): Uint8Array[] {
    if (this.#hasStarted || packets.length === 0) return packets;
    this.#hasStarted = true;
    return packets.slice(1);
  }
}

/** FLAC (RFC 9639). A stream's header has no length and no checksum, which the format allows; `finalHeader` has them. */
class FlacWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_FLAC,
    sampleFormat: AV_SAMPLE_FMT_S16,
    // Short for low latency, and one of the sizes with a code in the format.
    frameSize: 576,
  });
  #headerSent = false;

  write(samples: Float32Array): Uint8Array[] {
    return [this.#takeHeader(), ...this.#encoder.encode(samples)];
  }

  finish(): Uint8Array[] {
    return [this.#takeHeader(), ...this.#encoder.finish()];
  }

  close(): void {
    this.#encoder.close();
  }

  finalHeader(): Uint8Array {
    return this.#header();
  }

  #takeHeader(): Uint8Array {
    if (this.#headerSent) return new Uint8Array();
    this.#headerSent = true;
    return this.#header();
  }

  /** With the encoder's STREAMINFO, which has length, frame sizes and MD5 once it has finished. */
  #header(): Uint8Array {
    const streamInfo = this.#encoder.extraData;
    const lastBlockOfType0 = Buffer.from([0x80, 0, 0, streamInfo.length]);
    return Buffer.concat([Buffer.from('fLaC', 'latin1'), lastBlockOfType0, streamInfo]);
  }
}

/** AAC-LC in ADTS (ISO 14496-3, annex 1.A), which cannot state that the encoder starts 1024 samples early. */
class AdtsWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_AAC,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: 96_000,
    // Three times as fast as the default, and no worse on speech. The default takes longer than the built-in voice.
    options: { aac_coder: 'fast' },
  });

  write(samples: Float32Array): Uint8Array[] {
    return this.#encoder.encode(samples).map(adtsFrame);
  }

  finish(): Uint8Array[] {
    return this.#encoder.finish(MIN_FRAMES.aac).map(adtsFrame);
  }

  close(): void {
    this.#encoder.close();
  }
}

const ADTS_HEADER_BYTES = 7;
/** Index of 24 kHz in the table of sampling frequencies. */
const ADTS_24_KHZ = 6;

function adtsFrame(packet: Uint8Array): Uint8Array {
  const length = packet.length + ADTS_HEADER_BYTES;
  const frame = Buffer.alloc(length);
  frame[0] = 0xff;
  frame[1] = 0xf1;
  // AAC-LC, and one channel, whose field continues in the next byte.
  frame[2] = (1 << 6) | (ADTS_24_KHZ << 2);
  frame[3] = (1 << 6) | (length >> 11);
  frame[4] = (length >> 3) & 0xff;
  // Buffer fullness of all ones: variable bit rate.
  frame[5] = ((length & 7) << 5) | 0x1f;
  frame[6] = 0xfc;
  frame.set(packet, ADTS_HEADER_BYTES);
  return frame;
}

/** Granule positions and pre-skip of Ogg Opus always count at 48 kHz. */
const GRANULES_PER_SAMPLE = 48_000 / OUTPUT_RATE;
/** One second; longer pages make seeking coarse. */
const MAX_PAGE_PACKETS = 50;

/**
 * Opus in Ogg (RFC 7845). Each write puts its packets in their own pages, for low latency. The last granule position
 * trims the padding of the last packet, so the length is exact.
 */
class OggOpusWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_LIBOPUS,
    sampleFormat: AV_SAMPLE_FMT_FLT,
    bitRate: 48_000,
    // Half the work of the default, and no worse on speech.
    options: { frame_duration: 20, compression_level: 5 },
  });
  /** Its serial number comes from the first samples: streams differ, and the same speech has the same bytes. */
  #ogg = new OggStream(0);
  readonly #preSkip: number;
  #headerSent = false;
  #samples = 0;
  #packets = 0;

  constructor() {
    this.#preSkip = this.#encoder.extraData.readUInt16LE(10);
  }

  write(samples: Float32Array): Uint8Array[] {
    this.#samples += samples.length;
    if (!this.#headerSent) this.#ogg = new OggStream(crc32(bytesOf(samples)));
    return [...this.#takeHeader(), ...this.#pages(this.#encoder.encode(samples))];
  }

  finish(): Uint8Array[] {
    // The decoder delays audio by `preSkip`, so packets must extend that far beyond its end. Some packet is therefore
    // always left for the last page, as the format requires.
    const { frameSize, pending } = this.#encoder;
    const lookahead = this.#preSkip / GRANULES_PER_SAMPLE;
    const frames = Math.ceil((pending + lookahead) / frameSize);
    const packets = this.#encoder.encode(new Float32Array(frames * frameSize - pending));
    const end = this.#preSkip + this.#samples * GRANULES_PER_SAMPLE;
    return [...this.#takeHeader(), this.#ogg.page(packets, end, { last: true })];
  }

  close(): void {
    this.#encoder.close();
  }

  #pages(packets: Uint8Array[]): Uint8Array[] {
    const pages: Uint8Array[] = [];
    for (let rest = packets; rest.length > 0; ) {
      const count = Math.min(OggStream.countFitting(rest), MAX_PAGE_PACKETS);
      this.#packets += count;
      pages.push(this.#ogg.page(rest.slice(0, count), this.#packets * this.#encoder.frameSize * GRANULES_PER_SAMPLE));
      rest = rest.slice(count);
    }
    return pages;
  }

  #takeHeader(): Uint8Array[] {
    if (this.#headerSent) return [];
    this.#headerSent = true;
    const vendor = Buffer.from('hearsay', 'latin1');
    const tags = Buffer.alloc(16 + vendor.length);
    tags.write('OpusTags', 0, 'latin1');
    tags.writeUInt32LE(vendor.length, 8);
    tags.set(vendor, 12);
    return [this.#ogg.page([this.#encoder.extraData], 0), this.#ogg.page([tags], 0)];
  }
}
