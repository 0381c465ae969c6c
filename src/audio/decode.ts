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
 * Containers that hold their media themselves. FFmpeg also knows manifests, playlists and session descriptions (DASH,
 * HLS, concat, SDP, image sequences …) that name other files and URLs and opens those: none of them may be added here.
 */
const CONTAINERS = [
  ...['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'flac', 'wv', 'ape', 'tta', 'mp3', 'aac', 'loas', 'ac3', 'eac3', 'dts'],
  ...['amr', 'amrnb', 'amrwb', 'ogg', 'mov', 'matroska', 'mpegts', 'mpeg', 'avi', 'flv', 'asf'],
];

/** Decoders that may run on a file from outside. No video decoder is among them, not even to look at a first frame. */
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

/** Containers whose header or last page states the length; elsewhere FFmpeg guesses it from a bit rate. */
const STATED_DURATION = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'flac', 'ogg']);
const MICROSECONDS = 1e6;

/** Containers without an index or sizes to go by: in a damaged one, FFmpeg searches all the rest for the next packet. */
const SEARCHED = new Set(['mpegts', 'mpeg', 'aac', 'loas', 'ac3', 'eac3', 'dts']);

const MOST_STREAMS = 64;
/** Audio packets hold kilobytes; a larger one only serves to fill memory. */
const MOST_PACKET_BYTES = 16 * 1024 * 1024;
const MOST_FRAME_SAMPLES = 2 * 1024 * 1024;
/** A demuxer may stumble over one bad packet and go on, or stumble for ever. */
const MOST_READ_ERRORS = 16;

const CHUNK_SECONDS = 0.5;
/** How long decoding may keep the event loop to itself. */
const TURN_MS = 5;
/** A single read longer than this is searching too: the rest of the file is read on another thread. */
const SLOW_READ_MS = 50;
/** Own time without any new audio after which a file counts as undecodable. */
const STALL_MS = 60_000;

// FFmpeg's messages quote tags and names out of the file, and logs must not hold those.
Log.setLevel(AV_LOG_QUIET);

export interface DecodeOptions {
  /** Longest recording that is accepted. */
  maxSeconds: number;
  /** Ends decoding with the signal's reason. */
  signal?: AbortSignal;
  /** Of the output, in Hz; 16000 where not given. */
  sampleRate?: number;
}

/**
 * Streams a recording's best audio track as mono float32, full scale 1 (codecs overshoot a little, and float files hold
 * what they like: every sample is finite and within ±32768), in chunks of half a second, the last one shorter. Each chunk
 * is the caller's to keep. Memory does not grow with the recording's length.
 *
 * The file may be hostile: nothing else than the file itself is opened, whatever it names, and the decoding runs in
 * native code that a sound deployment keeps in a process of its own.
 *
 * Stereo is folded as the mean of the channels. Packets that cannot be decoded are skipped, a truncated file gives what
 * it holds.
 *
 * @throws HearsayError `invalid_audio`: no container or codec that is known, no audio track, not one sample;
 *   `audio_too_long`: more than `maxSeconds`, by the file's own statement or as soon as that much was decoded.
 *   The file system's own error where the path cannot be read, and the signal's reason when aborted.
 */
export async function* decodeAudio(path: string, options: DecodeOptions): AsyncGenerator<Float32Array> {
  const { maxSeconds, signal, sampleRate = 16_000 } = options;
  signal?.throwIfAborted();
  if ((await stat(path)).size === 0) throw invalidAudio('The file is empty.');

  const track = new AudioTrack();
  const resampler = new MonoResampler(sampleRate);
  const watch = new Watch(track, signal);
  const mostSamples = Math.floor(maxSeconds * sampleRate);
  let chunk = new Float32Array(Math.ceil(CHUNK_SECONDS * sampleRate));
  let filled = 0;
  let total = 0;

  function* chunks(pieces: Float32Array[]): Generator<Float32Array<ArrayBuffer>> {
    for (const piece of pieces) {
      total += piece.length;
      if (total > mostSamples) throw audioTooLong(maxSeconds);
      for (let offset = 0; offset < piece.length; ) {
        const part = piece.subarray(offset, offset + chunk.length - filled);
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
      const more = await track.read();
      await watch.turn();
      for (const frame of track.frames()) {
        for (const ready of chunks(resampler.convert(frame))) {
          watch.pause();
          yield ready;
          watch.resume();
          await watch.turn();
        }
      }
      if (!more) break;
    }
    watch.close();
    yield* chunks(resampler.flush());
    if (total === 0) throw invalidAudio('No audio could be decoded from the file.');
    if (filled > 0) yield chunk.subarray(0, filled);
  } catch (error) {
    // An interrupted read fails in its own words: the reason for the interruption is the one that counts.
    watch.check();
    if (error instanceof FFmpegError) throw invalidAudio('The file could not be decoded.', error);
    throw error;
  } finally {
    watch.close();
    resampler.close();
    await track.close();
  }
}

/** The best audio track of one file, from its first packet to its last. */
class AudioTrack {
  readonly #format = new FormatContext();
  readonly #codec = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  #index = -1;
  #slow = false;
  #readErrors = 0;
  /** Length by the file's own statement; undefined where it makes none that is worth something. */
  statedSeconds: number | undefined;

  async open(path: string): Promise<void> {
    this.#packet.alloc();
    this.#frame.alloc();
    const format = this.#format;
    const options = Dictionary.fromObject({
      format_whitelist: CONTAINERS.join(),
      codec_whitelist: DECODERS.join(),
      protocol_whitelist: 'file',
      max_streams: MOST_STREAMS,
      // MOV may keep its samples in another file: off by default, and not to depend on a default.
      enable_drefs: 0,
      use_absolute_path: 0,
    });
    let code = await format.openInput(resolve(path), null, options).finally(() => options.free());
    if (code >= 0 && !isPlainWav(format)) code = await format.findStreamInfo(null);
    if (code < 0) {
      throw invalidAudio('The file is not audio in a format that is supported.', FFmpegError.fromCode(code));
    }
    const { streamIndex, decoder } = format.findBestStream(AVMEDIA_TYPE_AUDIO, -1, -1, true);
    if (streamIndex < 0) throw invalidAudio('The file holds no audio track that can be decoded.');
    if (!DECODERS.includes(decoder?.name ?? ''))
      throw invalidAudio('The audio track uses a codec that is not supported.');

    for (const stream of format.streams) if (stream.index !== streamIndex) stream.discard = AVDISCARD_ALL;
    const stream = format.streams[streamIndex]!;
    this.#index = streamIndex;
    this.#slow = SEARCHED.has(format.iformat?.name ?? '');
    this.statedSeconds = this.#readStatedSeconds(stream);

    const codec = this.#codec;
    codec.allocContext3(decoder);
    FFmpegError.throwIfError(codec.parametersToContext(stream.codecpar));
    codec.pktTimebase = stream.timeBase;
    codec.threadCount = 1;
    const codecOptions = Dictionary.fromObject({ max_samples: MOST_FRAME_SAMPLES });
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

  /** Reads one packet into the decoder. False: it was the last, and the decoder has been told so. */
  async read(): Promise<boolean> {
    const packet = this.#packet;
    const started = performance.now();
    const code = this.#slow ? await this.#format.readFrame(packet) : this.#format.readFrameSync(packet);
    // A thread and a turn of the event loop for every packet would be slow beside a busy model, so reading happens
    // here for as long as it is quick.
    if (performance.now() - started > SLOW_READ_MS) this.#slow = true;
    if (code < 0) {
      if (code === AVERROR_INVALIDDATA && ++this.#readErrors <= MOST_READ_ERRORS) return true;
      this.#codec.sendPacketSync(null);
      return false;
    }
    this.#readErrors = 0;
    if (packet.streamIndex === this.#index && packet.size <= MOST_PACKET_BYTES) this.#codec.sendPacketSync(packet);
    packet.unref();
    return true;
  }

  /** What the decoder made of the packets so far. The frame is the same one each time. */
  *frames(): Generator<Frame> {
    while (this.#codec.receiveFrameSync(this.#frame) >= 0) {
      yield this.#frame;
      this.#frame.unref();
    }
  }

  /** Makes a read that is under way on another thread fail soon. */
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

/** A wav of 16-bit samples says in its header all that reading its first five seconds would find. */
function isPlainWav({ iformat, streams }: FormatContext): boolean {
  const { codecId, sampleRate, channelLayout } = streams[0]?.codecpar ?? {};
  const isComplete = (sampleRate ?? 0) > 0 && (channelLayout?.nbChannels ?? 0) > 0;
  return iformat?.name === 'wav' && streams.length === 1 && codecId === AV_CODEC_ID_PCM_S16LE && isComplete;
}

/** Ends a decode that its caller gave up or that makes no progress, and lets the rest of the process have its turns. */
class Watch {
  readonly #track: AudioTrack;
  readonly #signal: AbortSignal | undefined;
  readonly #interrupt = () => this.#track.interrupt();
  #timer: NodeJS.Timeout | undefined;
  #stalled = false;
  #turnStarted = performance.now();

  constructor(track: AudioTrack, signal: AbortSignal | undefined) {
    this.#track = track;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#interrupt);
    this.resume();
  }

  /** Throws where the decode has to end. */
  check(): void {
    this.#signal?.throwIfAborted();
    if (this.#stalled) throw invalidAudio('The file takes too long to decode.');
  }

  /** Gives the event loop a turn when it has waited long enough. */
  async turn(): Promise<void> {
    if (performance.now() - this.#turnStarted > TURN_MS) {
      await nextTurn();
      this.#turnStarted = performance.now();
    }
    this.check();
  }

  /** The time until `resume` is the consumer's. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#timer = setTimeout(() => {
      this.#stalled = true;
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
  return new HearsayError(
    'audio_too_long',
    `The recording is longer than the ${maxSeconds} seconds that are allowed.`,
    {
      param: 'file',
    },
  );
}
