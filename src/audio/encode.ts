import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  type AVSampleFormat,
  FF_ENCODER_AAC,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
  type FFEncoderCodec,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib';
import type { AudioFormat } from '../synthesis.ts';
import { OUTPUT_RATE } from './formats.ts';
import { OggStream } from './ogg.ts';
import { MonoResampler } from './pcm.ts';
import { wavHeader } from './wav.ts';

Log.setLevel(AV_LOG_QUIET);

/** What makes the bytes of one format out of mono samples at `OUTPUT_RATE`, all finite and within ±1. */
interface FormatWriter {
  write(samples: Float32Array): Uint8Array[];
  finish(): Uint8Array[];
  close(): void;
}

const writers: Record<AudioFormat, () => FormatWriter> = {
  mp3: () => new Mp3Writer(),
  opus: () => new OggOpusWriter(),
  flac: () => new FlacWriter(),
  wav: () => new PcmWriter(wavHeader(OUTPUT_RATE)),
  pcm: () => new PcmWriter(),
  aac: () => new AdtsWriter(),
};

/**
 * Encodes mono float32 audio of any rate as a stream in one of the six formats, at 24 kHz mono. Bytes leave as soon as
 * the codec makes them, and memory does not grow with the length.
 *
 * All work is done in the call, in native code: feed long audio in pieces, so that others have their turns.
 */
export class StreamEncoder {
  readonly #writer: FormatWriter;
  readonly #sampleRate: number;
  readonly #resampler: MonoResampler | undefined;
  #closed = false;

  private constructor(format: AudioFormat, sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#writer = writers[format]();
    if (sampleRate !== OUTPUT_RATE) this.#resampler = new MonoResampler(OUTPUT_RATE);
  }

  /** @param options.sampleRate samples a second of what will be written */
  static open(format: AudioFormat, { sampleRate }: { sampleRate: number }): StreamEncoder {
    return new StreamEncoder(format, sampleRate);
  }

  /**
   * Feeds samples, full scale 1; louder ones are clipped, and what is no number becomes 0.
   *
   * @returns the bytes that are ready, in order; the caller may keep them
   */
  write(samples: Float32Array): Uint8Array[] {
    if (samples.length === 0) return [];
    if (this.#resampler === undefined) return this.#encode([samples]);
    const frame = audioFrame(samples, AV_SAMPLE_FMT_FLT, this.#sampleRate);
    try {
      return this.#encode(this.#resampler.convert(frame));
    } finally {
      frame.free();
    }
  }

  /** Ends the stream and returns its last bytes; then only `close` may be called. */
  finish(): Uint8Array[] {
    return [...this.#encode(this.#resampler?.flush() ?? []), ...this.#writer.finish()].filter(holdsBytes);
  }

  /** Frees the native memory; needed however the stream ends, and harmless when done again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#resampler?.close();
    this.#writer.close();
  }

  #encode(pieces: Float32Array[]): Uint8Array[] {
    return pieces.flatMap((piece) => this.#writer.write(clipped(piece))).filter(holdsBytes);
  }
}

function clipped(samples: Float32Array): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!;
    result[i] = sample > 1 ? 1 : sample < -1 ? -1 : sample || 0;
  }
  return result;
}

function holdsBytes(bytes: Uint8Array): boolean {
  return bytes.length > 0;
}

/** Signed 16-bit samples, at the scale at which decoders divide by 32768. */
function toInt16(samples: Float32Array): Int16Array {
  const integers = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) integers[i] = Math.min(Math.round(samples[i]! * 32_768), 32_767);
  return integers;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function audioFrame(samples: Float32Array | Int16Array, format: AVSampleFormat, sampleRate: number): Frame {
  return Frame.fromAudioBuffer(bytesOf(samples), {
    nbSamples: samples.length,
    format,
    sampleRate,
    channelLayout: AV_CHANNEL_LAYOUT_MONO,
  });
}

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

interface CodecSettings {
  name: FFEncoderCodec;
  sampleFormat: AVSampleFormat;
  bitRate?: number;
  /** Samples a packet, for codecs that leave the choice. */
  frameSize?: number;
  options?: Record<string, string | number>;
}

/**
 * A short file without a header is not recognized: FFmpeg wants 7 frames of mp3 or 3 of ADTS in a row to be sure. These
 * many frames of audio make that many; shorter audio gets silence behind it.
 */
const FEWEST_FRAMES = { mp3: 6, aac: 2 };

/** One FFmpeg encoder, fed in frames of the size that it wants. */
class PacketEncoder {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  readonly #sampleFormat: AVSampleFormat;
  readonly #pending: Float32Array;
  #filled = 0;
  #position = 0;

  constructor({ name, sampleFormat, bitRate, frameSize, options = {} }: CodecSettings) {
    this.#sampleFormat = sampleFormat;
    const context = this.#context;
    const codec = Codec.findEncoderByName(name);
    if (!codec) throw new Error(`FFmpeg was built without the encoder ${name}`);
    context.allocContext3(codec);
    context.sampleRate = OUTPUT_RATE;
    context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    context.sampleFormat = sampleFormat;
    context.timeBase = new Rational(1, OUTPUT_RATE);
    // A thread to each encoder would only fight with the model for the cores, and delay the packets.
    context.threadCount = 1;
    if (bitRate !== undefined) context.bitRate = BigInt(bitRate);
    if (frameSize !== undefined) context.frameSize = frameSize;
    this.#packet.alloc();
    try {
      // node-av's open2Sync crashes when it is given a dictionary of options.
      for (const [option, value] of Object.entries(options)) FFmpegError.throwIfError(context.setOption(option, value));
      FFmpegError.throwIfError(context.open2Sync(codec));
    } catch (error) {
      this.close();
      throw error;
    }
    this.#pending = new Float32Array(context.frameSize);
  }

  /** Samples of one frame. */
  get frameSize(): number {
    return this.#pending.length;
  }

  /** Samples that wait for their frame to be full. */
  get waiting(): number {
    return this.#filled;
  }

  /** The codec's own header, as FFmpeg keeps it beside the stream. */
  get extraData(): Buffer {
    return this.#context.extraData ?? Buffer.alloc(0);
  }

  encode(samples: Float32Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let offset = 0; offset < samples.length; ) {
      const part = samples.subarray(offset, offset + this.frameSize - this.#filled);
      this.#pending.set(part, this.#filled);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled === this.frameSize) packets.push(...this.#sendPending());
    }
    return packets;
  }

  /**
   * Encodes what waits as a last short frame and lets go what the codec held back.
   *
   * @param fewestFrames where there was less audio than this, silence makes up for it
   */
  finish(fewestFrames = 0): Uint8Array[] {
    const missing = Math.max(0, fewestFrames * this.frameSize - this.#position - this.#filled);
    const packets = this.encode(new Float32Array(missing));
    if (this.#filled > 0) packets.push(...this.#sendPending());
    return [...packets, ...this.#send(null)];
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }

  #sendPending(): Uint8Array[] {
    const samples = this.#pending.subarray(0, this.#filled);
    const frame = audioFrame(
      this.#sampleFormat === AV_SAMPLE_FMT_S16 ? toInt16(samples) : samples,
      this.#sampleFormat,
      OUTPUT_RATE,
    );
    try {
      frame.pts = BigInt(this.#position);
      this.#position += samples.length;
      this.#filled = 0;
      return this.#send(frame);
    } finally {
      frame.free();
    }
  }

  #send(frame: Frame | null): Uint8Array[] {
    FFmpegError.throwIfError(this.#context.sendFrameSync(frame));
    const packets: Uint8Array[] = [];
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      // FLAC ends with an empty packet that only carries its header again.
      if (this.#packet.size > 0) packets.push(Buffer.from(this.#packet.data!));
      this.#packet.unref();
    }
    return packets;
  }
}

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
