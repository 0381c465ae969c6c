import {
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  FF_ENCODER_AAC,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
} from 'node-av/constants';
import type { AudioFormat } from './formats.ts';
import { OUTPUT_RATE } from './formats.ts';
import { OggStream } from './ogg.ts';
import { bytesOf, PacketEncoder, toInt16 } from './packet-encoder.ts';
import { wavHeader } from './wav.ts';

/** What makes the bytes of one format out of mono samples at `OUTPUT_RATE`, all finite and within ±1. */
export interface FormatWriter {
  /** Takes samples, and returns the bytes that are ready. */
  write(samples: Float32Array): Uint8Array[];
  /** The last bytes. */
  finish(): Uint8Array[];
  /** Frees the native memory. */
  close(): void;
}

/** Makes a writer of a format. */
export const formatWriters: Record<AudioFormat, () => FormatWriter> = {
  mp3: () => new Mp3Writer(),
  opus: () => new OggOpusWriter(),
  flac: () => new FlacWriter(),
  wav: () => new PcmWriter(wavHeader(OUTPUT_RATE)),
  pcm: () => new PcmWriter(),
  aac: () => new AdtsWriter(),
};

/** Raw 16-bit samples, after a header where there is one. */
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
 * A short file without a header is not recognized: FFmpeg wants 7 frames of mp3 or 3 of ADTS in a row to be sure. These
 * many frames of audio make that many; shorter audio gets silence behind it.
 */
const FEWEST_FRAMES = { mp3: 6, aac: 2 };

/**
 * MPEG-2 layer III at a constant rate, without a Xing or LAME header: it would have to state a length that nobody knows
 * yet, and without one, players find length and seek points by the rate. For the same reason frames borrow no bits from
 * their neighbours.
 */
class Mp3Writer implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_LIBMP3LAME,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: 96_000,
    options: { reservoir: 0 },
  });
  #started = false;

  write(samples: Float32Array): Uint8Array[] {
    return this.#afterDelay(this.#encoder.encode(samples));
  }

  finish(): Uint8Array[] {
    return this.#afterDelay(this.#encoder.finish(FEWEST_FRAMES.mp3));
  }

  close(): void {
    this.#encoder.close();
  }

  /**
   * The encoder starts 1105 samples (46 ms) early. No header says so to the player, so that the first frame, which holds
   * nothing else than that, is left out: 22 ms remain. As all others it lends no bits to the next, and the audio that it
   * shares with that one by overlap is the first 2 ms.
   */
  #afterDelay(packets: Uint8Array[]): Uint8Array[] {
    if (this.#started || packets.length === 0) return packets;
    this.#started = true;
    return packets.slice(1);
  }
}

/** FLAC (RFC 9639) whose header leaves length and checksum open, as the format allows. */
class FlacWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_FLAC,
    sampleFormat: AV_SAMPLE_FMT_S16,
    // Short enough to leave at once, and one of the sizes that the format has a code for.
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

  #takeHeader(): Uint8Array {
    if (this.#headerSent) return new Uint8Array();
    this.#headerSent = true;
    const streamInfo = this.#encoder.extraData;
    const lastBlockOfType0 = Buffer.from([0x80, 0, 0, streamInfo.length]);
    return Buffer.concat([Buffer.from('fLaC', 'latin1'), lastBlockOfType0, streamInfo]);
  }
}

/** AAC-LC in ADTS (ISO 14496-3, annex 1.A). Nothing in it can say that the encoder starts 1024 samples early. */
class AdtsWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_AAC,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: 96_000,
    // Three times as fast as the default, which costs more than the built-in voice does, and on speech no worse.
    options: { aac_coder: 'fast' },
  });

  write(samples: Float32Array): Uint8Array[] {
    return this.#encoder.encode(samples).map(adtsFrame);
  }

  finish(): Uint8Array[] {
    return this.#encoder.finish(FEWEST_FRAMES.aac).map(adtsFrame);
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
  // AAC-LC, and one channel, whose number is cut in two by the end of the byte.
  frame[2] = (1 << 6) | (ADTS_24_KHZ << 2);
  frame[3] = (1 << 6) | (length >> 11);
  frame[4] = (length >> 3) & 0xff;
  // The buffer fullness of all ones says that the rate varies.
  frame[5] = ((length & 7) << 5) | 0x1f;
  frame[6] = 0xfc;
  frame.set(packet, ADTS_HEADER_BYTES);
  return frame;
}

/** Granule positions and the pre-skip of Ogg Opus count at 48 kHz whatever the input. */
const GRANULES_A_SAMPLE = 48_000 / OUTPUT_RATE;
/** A second; pages of a longer stretch would make seeking coarse. */
const MOST_PAGE_PACKETS = 50;

/**
 * Opus in Ogg (RFC 7845). Each write makes a page of what it completed, so that nothing waits for a page to be full. The
 * last page's granule position cuts the padding of the last packet off: the length is exact.
 */
class OggOpusWriter implements FormatWriter {
  readonly #encoder = new PacketEncoder({
    name: FF_ENCODER_LIBOPUS,
    sampleFormat: AV_SAMPLE_FMT_FLT,
    bitRate: 48_000,
    // Half the work of the default, and on speech no worse.
    options: { frame_duration: 20, compression_level: 5 },
  });
  readonly #ogg = new OggStream(Math.floor(Math.random() * 2 ** 32));
  readonly #preSkip: number;
  #headerSent = false;
  #samples = 0;
  #packets = 0;

  constructor() {
    this.#preSkip = this.#encoder.extraData.readUInt16LE(10);
  }

  write(samples: Float32Array): Uint8Array[] {
    this.#samples += samples.length;
    return [...this.#takeHeader(), ...this.#pages(this.#encoder.encode(samples))];
  }

  finish(): Uint8Array[] {
    // The decoder gives the audio `preSkip` late, so that the packets have to reach that much beyond its end. What is
    // left to send is therefore never nothing, and the last page holds a part of the audio, as the format demands.
    const { frameSize, waiting } = this.#encoder;
    const lookahead = this.#preSkip / GRANULES_A_SAMPLE;
    const frames = Math.ceil((waiting + lookahead) / frameSize);
    const packets = this.#encoder.encode(new Float32Array(frames * frameSize - waiting));
    const end = this.#preSkip + this.#samples * GRANULES_A_SAMPLE;
    return [...this.#takeHeader(), this.#ogg.page(packets, end, { last: true })];
  }

  close(): void {
    this.#encoder.close();
  }

  #pages(packets: Uint8Array[]): Uint8Array[] {
    const pages: Uint8Array[] = [];
    for (let rest = packets; rest.length > 0; ) {
      const count = Math.min(OggStream.fitting(rest), MOST_PAGE_PACKETS);
      this.#packets += count;
      pages.push(this.#ogg.page(rest.slice(0, count), this.#packets * this.#encoder.frameSize * GRANULES_A_SAMPLE));
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
