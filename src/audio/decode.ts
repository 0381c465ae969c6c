import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AV_CODEC_ID_PCM_S16LE,
  AV_LOG_QUIET,
  AVDISCARD_ALL,
  AVERROR_INVALIDDATA,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import { CodecContext, Dictionary, FFmpegError, FormatContext, Frame, Log, Packet, type Stream } from 'node-av/lib';
import { HearsayError } from '../errors.ts';
import { MonoResampler } from './pcm.ts';

/**
 * Containers that hold their own media. Never add manifests, playlists or session descriptions (DASH, HLS, concat, SDP,
 * image sequences …): FFmpeg opens the files and URLs that they name.
 */
const CONTAINERS = [
  ...['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'flac', 'wv', 'ape', 'tta', 'mp3', 'aac', 'loas', 'ac3', 'eac3', 'dts'],
  ...['amr', 'amrnb', 'amrwb', 'ogg', 'mov', 'matroska', 'mpegts', 'mpeg', 'avi', 'flv', 'asf'],
];

/** Decoders that may run on an untrusted file. No video decoder, not even to probe a first frame. */
const DECODERS = [
  ...[
    'aac',
    'aac_latm',
    'ac3',
    'eac3',
    'dca',
    'mp1float',
    'mp2float',
    'mp3float',
    'mp1',
    'mp2',
    'mp3',
    'opus',
    'vorbis',
  ],
  ...['flac', 'alac', 'ape', 'tta', 'wavpack', 'amrnb', 'amrwb', 'speex', 'gsm', 'gsm_ms', 'g722', 'g726', 'g726le'],
  ...['wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'nellymoser', 'qdm2', 'mace3', 'mace6', 'libopus'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'pcm_alaw', 'pcm_mulaw', 'pcm_u8'],
  ...['pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_s64le', 'pcm_s64be'],
  ...['pcm_f16le', 'pcm_f24le', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_bluray', 'pcm_dvd'],
  ...['pcm_s8_planar', 'pcm_s16le_planar', 'pcm_s16be_planar', 'pcm_s24le_planar', 'pcm_s32le_planar'],
  ...['pcm_u16le', 'pcm_u16be', 'pcm_u24le', 'pcm_u24be', 'pcm_u32le', 'pcm_u32be'],
];

/** Containers that state their duration; for others FFmpeg guesses it from a bit rate. */
const STATED_DURATION = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'flac', 'ogg']);
const MICROSECONDS = 1e6;

/** Containers without index or sizes: FFmpeg may search all of a damaged file for the next packet. */
const UNINDEXED = new Set(['mpegts', 'mpeg', 'aac', 'loas', 'ac3', 'eac3', 'dts']);

const MAX_STREAMS = 64;
/** Audio packets have kilobytes; a huge one only fills memory. */
const MAX_PACKET_BYTES = 16 * 1024 * 1024;
const MAX_FRAME_SAMPLES = 2 * 1024 * 1024;
/** Consecutive errors: a demuxer may recover from bad packets or fail forever. */
const MAX_READ_ERRORS = 16;

const CHUNK_SECONDS = 0.5;
/** Maximum time that decoding blocks the event loop. */
const TURN_MS = 5;
/** After one read longer than this, the rest of the file is read on another thread. */
const SLOW_READ_MS = 50;
/** Decoding time without new audio before a file counts as undecodable. */
const STALL_MS = 60_000;

// FFmpeg's messages quote tags and names of the file, which logs must not contain.
Log.setLevel(AV_LOG_QUIET);

export interface DecodeOptions {
  /** Maximum length of the recording. */
  maxSeconds: number;
  /** Ends decoding with the signal's reason. */
  signal?: AbortSignal;
  /** Of the output, in Hz. Default: 16000. */
  sampleRate?: number;
}

/**
 * Streams the best audio track of a recording as mono float32, the mean of its channels, in chunks of half a second;
 * the last one is shorter. The caller may keep the chunks. Full scale is 1, but codecs overshoot and float files may
 * exceed it: samples are finite and within ±32768. Memory does not grow with the length.
 *
 * The file may be hostile: no other file or URL is opened. Decoding is native code, so run it in a process of its own.
 *
 * Skips packets that cannot be decoded; a truncated file yields what it has.
 *
 * @throws HearsayError `invalid_audio` for an unknown container or codec, or without any audio; `audio_too_long` beyond
 *   `maxSeconds`, stated or decoded. The error of the file system if the path cannot be read; the reason of `signal`
 */
export async function* decodeAudio(path: string, options: DecodeOptions): AsyncGenerator<Float32Array> {
  const { maxSeconds, signal, sampleRate = 16_000 } = options;
  signal?.throwIfAborted();
  if ((await stat(path)).size === 0) throw invalidAudio('The file is empty.');

  const track = new AudioTrack();
  const resampler = new MonoResampler(sampleRate);
  const watch = new Watch(track, signal);
  const maxSamples = Math.floor(maxSeconds * sampleRate);
  let chunk = new Float32Array(Math.ceil(CHUNK_SECONDS * sampleRate));
  let filled = 0;
  let total = 0;

  function* chunks(blocks: Float32Array[]): Generator<Float32Array<ArrayBuffer>> {
    for (const block of blocks) {
      total += block.length;
      if (total > maxSamples) throw audioTooLong(maxSeconds);
      for (let offset = 0; offset < block.length; ) {
        const part = block.subarray(offset, offset + chunk.length - filled);
        chunk.set(part, filled);
        offset += part.length;
        filled += part.length;
        if (filled < chunk.length) continue;
        yield chunk;
        chunk = new Float32Array(chunk.length);
        filled = 0;
      }
    }
  }

  try {
    await track.open(path);
    watch.check();
    if ((track.statedSeconds ?? 0) > maxSeconds * 1.01 + 1) throw audioTooLong(maxSeconds);

    for (;;) {
      const hasMore = await track.read();
      await watch.yieldTurn();
      for (const frame of track.frames()) {
        for (const full of chunks(resampler.convert(frame))) {
          watch.pause();
          yield full;
          watch.resume();
          await watch.yieldTurn();
        }
      }
      if (!hasMore) break;
    }
    watch.close();
    yield* chunks(resampler.flush());
    if (total === 0) throw invalidAudio('No audio could be decoded from the file.');
    if (filled > 0) yield chunk.subarray(0, filled);
  } catch (error) {
    // An interrupted read throws FFmpeg's error; report the reason of the interruption instead.
    watch.check();
    if (error instanceof FFmpegError) throw invalidAudio('The file could not be decoded.', error);
    throw error;
  } finally {
    watch.close();
    resampler.close();
    await track.close();
  }
}

/** The best audio track of a file, read packet by packet. */
class AudioTrack {
  readonly #format = new FormatContext();
  readonly #codec = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  #index = -1;
  #readsOnThread = false;
  #readErrors = 0;
  /** Length that the file states; undefined if it states none or an unreliable one. */
  statedSeconds: number | undefined;

  async open(path: string): Promise<void> {
    this.#packet.alloc();
    this.#frame.alloc();
    const format = this.#format;
    const options = Dictionary.fromObject({
      format_whitelist: CONTAINERS.join(),
      codec_whitelist: DECODERS.join(),
      protocol_whitelist: 'file',
      max_streams: MAX_STREAMS,
      // Lets MOV keep its samples in another file: off by default, but do not rely on it.
      enable_drefs: 0,
      use_absolute_path: 0,
    });
    let code = await format.openInput(resolve(path), null, options).finally(() => options.free());
    if (code >= 0 && !isPlainWav(format)) code = await format.findStreamInfo(null);
    if (code < 0) {
      throw invalidAudio('The file is not audio in a supported format.', FFmpegError.fromCode(code));
    }
    const { streamIndex, decoder } = format.findBestStream(AVMEDIA_TYPE_AUDIO, -1, -1, true);
    if (streamIndex < 0) throw invalidAudio('The file has no audio track that can be decoded.');
    if (!DECODERS.includes(decoder?.name ?? '')) throw invalidAudio('The codec of the audio track is not supported.');

    for (const stream of format.streams) if (stream.index !== streamIndex) stream.discard = AVDISCARD_ALL;
    const stream = format.streams[streamIndex]!;
    this.#index = streamIndex;
    this.#readsOnThread = UNINDEXED.has(format.iformat?.name ?? '');
    this.statedSeconds = this.#readStatedSeconds(stream);

    const codec = this.#codec;
    codec.allocContext3(decoder);
    FFmpegError.throwIfError(codec.parametersToContext(stream.codecpar));
    codec.pktTimebase = stream.timeBase;
    codec.threadCount = 1;
    const codecOptions = Dictionary.fromObject({ max_samples: MAX_FRAME_SAMPLES });
    FFmpegError.throwIfError(await codec.open2(decoder, codecOptions).finally(() => codecOptions.free()));
  }

  #readStatedSeconds(stream: Stream): number | undefined {
    if (!STATED_DURATION.has(this.#format.iformat?.name ?? '')) return undefined;
    const { num, den } = stream.timeBase;
    const ofTrack = (Number(stream.duration) * num) / den;
    if (ofTrack > 0) return ofTrack;
    const ofFile = Number(this.#format.duration) / MICROSECONDS;
    return ofFile > 0 ? ofFile : undefined;
  }

  /** Sends one packet to the decoder. @returns false at the end of the file */
  async read(): Promise<boolean> {
    const packet = this.#packet;
    const started = performance.now();
    const code = this.#readsOnThread ? await this.#format.readFrame(packet) : this.#format.readFrameSync(packet);
    // Next to a busy model, a thread and an event loop turn per packet are slow: read here while it is fast.
    if (performance.now() - started > SLOW_READ_MS) this.#readsOnThread = true;
    if (code < 0) {
      if (code === AVERROR_INVALIDDATA && ++this.#readErrors <= MAX_READ_ERRORS) return true;
      this.#codec.sendPacketSync(null);
      return false;
    }
    this.#readErrors = 0;
    if (packet.streamIndex === this.#index && packet.size <= MAX_PACKET_BYTES) this.#codec.sendPacketSync(packet);
    packet.unref();
    return true;
  }

  /** The frames decoded so far; each reuses the same object. */
  *frames(): Generator<Frame> {
    while (this.#codec.receiveFrameSync(this.#frame) >= 0) {
      yield this.#frame;
      this.#frame.unref();
    }
  }

  /** Makes a read on another thread fail soon. */
  interrupt(): void {
    this.#format.interrupt();
  }

  async close(): Promise<void> {
    this.#frame.free();
    this.#packet.free();
    this.#codec.freeContext();
    await this.#format.closeInput();
  }
}

/** The header of a 16-bit wav has everything; FFmpeg need not probe its first five seconds. */
function isPlainWav({ iformat, streams }: FormatContext): boolean {
  const { codecId, sampleRate, channelLayout } = streams[0]?.codecpar ?? {};
  const isComplete = (sampleRate ?? 0) > 0 && (channelLayout?.nbChannels ?? 0) > 0;
  return iformat?.name === 'wav' && streams.length === 1 && codecId === AV_CODEC_ID_PCM_S16LE && isComplete;
}

/** Aborts a cancelled or stalled decode, and yields to the event loop. */
class Watch {
  readonly #track: AudioTrack;
  readonly #signal: AbortSignal | undefined;
  readonly #interrupt = () => this.#track.interrupt();
  #timer: NodeJS.Timeout | undefined;
  #isStalled = false;
  #turnStarted = performance.now();

  constructor(track: AudioTrack, signal: AbortSignal | undefined) {
    this.#track = track;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#interrupt);
    this.resume();
  }

  /** @throws if the decode is cancelled or stalled */
  check(): void {
    this.#signal?.throwIfAborted();
    if (this.#isStalled) throw invalidAudio('The file takes too long to decode.');
  }

  /** Yields to the event loop after `TURN_MS`. */
  async yieldTurn(): Promise<void> {
    if (performance.now() - this.#turnStarted > TURN_MS) {
      await nextTurn();
      this.#turnStarted = performance.now();
    }
    this.check();
  }

  /** Stops the clock while the consumer works. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#timer = setTimeout(() => {
      this.#isStalled = true;
      this.#interrupt();
    }, STALL_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#interrupt);
  }
}

function invalidAudio(message: string, cause?: unknown): HearsayError {
  return new HearsayError('invalid_audio', message, { param: 'file', cause: cause ?? undefined });
}

function audioTooLong(maxSeconds: number): HearsayError {
  return new HearsayError('audio_too_long', `The recording is longer than the ${maxSeconds} seconds allowed.`, {
    param: 'file',
  });
}
