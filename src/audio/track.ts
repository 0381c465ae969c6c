import {
  AV_CODEC_ID_PCM_S16LE,
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AVDISCARD_ALL,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVERROR_INVALIDDATA,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import { CONTAINERS, DECODERS, UNINDEXED, WITH_DURATION } from './allowed-formats.ts';
import { invalidAudio } from './errors.ts';
import type { FrameTime } from './media-clock.ts';
import type { MediaSource } from './media-source.ts';
import { incompleteFile } from './mp4-index.ts';

const MICROSECONDS = 1e6;
const MAX_STREAMS = 64;
/** Maximum packet size. Audio packets have kilobytes; a huge one only fills memory. */
const MAX_PACKET_BYTES = 16 * 1024 * 1024;
const MAX_FRAME_SAMPLES = 2 * 1024 * 1024;
/** Consecutive errors: a demuxer may recover from bad packets or fail forever. */
const MAX_READ_ERRORS = 16;
/** How far to probe for audio if the usual 5 s have none. */
const LATE_START = { analyzeduration: 600_000_000, probesize: 64 * 1024 * 1024 };
/** After one read longer than this, the rest of the file is read on another thread. */
const SLOW_READ_MS = 50;

// FFmpeg's messages quote tags and names of the file, which logs must not contain.
Log.setLevel(AV_LOG_QUIET);

/** An audio track of a file, read packet by packet. */
export class AudioTrack {
  #format = new FormatContext();
  readonly #codec = new CodecContext();
  readonly #frame = new Frame();
  /** Read, but not yet sent to the decoder: the time of the next packet shows whether a frame's own time is right. */
  #next: Packet | undefined;
  #spare = new Packet();
  #index = -1;
  #ticksPerSecond = 1;
  #readsOnThread = false;
  #readErrors = 0;
  #hasEnded = false;
  #hasLoss = false;
  /** Length that the file states; undefined if it states none or an unreliable one. */
  statedSeconds: number | undefined;
  /** Timestamp at which the recording starts, in seconds; undefined if the container has none. */
  startTime: number | undefined;
  /** Position of the last packet in the source, in bytes. */
  position = 0;
  /** Packets sent to the decoder, and how many of them it could not decode. */
  packets = 0;
  lostPackets = 0;
  /** Whether the demuxer gave up before the end. */
  isCutOff = false;

  /**
   * @param rank 0 is the best track; the others that can be decoded follow in the order of the file
   * @returns whether there is such a track
   * @throws HearsayError `invalid_audio` if the source has no audio track that can be decoded; FFmpegError
   */
  async open(source: MediaSource, rank = 0): Promise<boolean> {
    this.#spare.alloc();
    this.#frame.alloc();
    let best = await this.#openInput(source, source.options);
    if (best.streamIndex < 0 && UNINDEXED.has(source.format.name ?? '')) {
      await this.#format.closeInput();
      this.#format = new FormatContext();
      best = await this.#openInput(source, { ...source.options, ...LATE_START });
    }
    const format = this.#format;
    const chosen = rank === 0 ? best : this.#tracksBeside(best.streamIndex)[rank - 1];
    if (!chosen) return false;
    const { streamIndex, decoder } = chosen;
    if (streamIndex < 0 && source.isIncomplete) throw incompleteFile();
    if (streamIndex < 0) throw invalidAudio('The file has no audio track that can be decoded.');
    if (!DECODERS.includes(decoder?.name ?? '')) throw invalidAudio('The codec of the audio track is not supported.');

    for (const stream of format.streams) if (stream.index !== streamIndex) stream.discard = AVDISCARD_ALL;
    const stream = format.streams[streamIndex]!;
    this.#index = streamIndex;
    this.#ticksPerSecond = stream.timeBase.den / stream.timeBase.num;
    this.#readsOnThread = UNINDEXED.has(format.iformat?.name ?? '');
    this.statedSeconds = this.#readStatedSeconds(stream);
    this.startTime = source.startsAtZero ? 0 : inSeconds(format.startTime, MICROSECONDS);

    const codec = this.#codec;
    codec.allocContext3(decoder);
    FFmpegError.throwIfError(codec.parametersToContext(stream.codecpar));
    codec.pktTimebase = stream.timeBase;
    codec.threadCount = 1;
    const codecOptions = Dictionary.fromObject({ max_samples: MAX_FRAME_SAMPLES });
    FFmpegError.throwIfError(await codec.open2(decoder, codecOptions).finally(() => codecOptions.free()));
    return true;
  }

  #tracksBeside(best: number): { streamIndex: number; decoder: Codec | null }[] {
    return this.#format.streams
      .filter(({ index, codecpar }) => index !== best && codecpar.codecType === AVMEDIA_TYPE_AUDIO)
      .map(({ index, codecpar }) => ({ streamIndex: index, decoder: Codec.findDecoder(codecpar.codecId) }))
      .filter(({ decoder }) => DECODERS.includes(decoder?.name ?? ''));
  }

  async #openInput({ url, format: input, protocols, isIncomplete }: MediaSource, more: Record<string, number>) {
    const format = this.#format;
    const options = Dictionary.fromObject({
      format_whitelist: CONTAINERS.join(),
      codec_whitelist: DECODERS.join(),
      protocol_whitelist: protocols,
      max_streams: MAX_STREAMS,
      // Lets MOV keep its samples in another file: off by default, but do not rely on it.
      enable_drefs: 0,
      use_absolute_path: 0,
      ...more,
    });
    let code = await format.openInput(url, input, options).finally(() => options.free());
    if (code >= 0 && !isPlainWav(format)) code = await format.findStreamInfo(null);
    if (code < 0) {
      const cause = FFmpegError.fromCode(code);
      throw isIncomplete ? incompleteFile(cause) : invalidAudio('The file is not audio in a supported format.', cause);
    }
    return format.findBestStream(AVMEDIA_TYPE_AUDIO, -1, -1, true);
  }

  #readStatedSeconds(stream: Stream): number | undefined {
    return WITH_DURATION.has(this.#format.iformat?.name ?? '') ? this.#readSeconds(stream) : undefined;
  }

  #readSeconds(stream: Stream): number | undefined {
    const ofTrack = this.#seconds(stream.duration) ?? 0;
    if (ofTrack > 0) return ofTrack;
    const ofFile = inSeconds(this.#format.duration, MICROSECONDS) ?? 0;
    return ofFile > 0 ? ofFile : undefined;
  }

  /** Length that the file states, or FFmpeg's guess from its bit rate, which may be wrong. */
  get estimatedSeconds(): number | undefined {
    const stream = this.#format.streams[this.#index];
    return stream && this.#readSeconds(stream);
  }

  /** Reads one packet, and sends the one before it to the decoder. @returns false at the end of the file */
  async read(): Promise<boolean> {
    if (this.#hasEnded) {
      this.#codec.sendPacketSync(null);
      return false;
    }
    const packet = this.#spare;
    const started = performance.now();
    const code = this.#readsOnThread ? await this.#format.readFrame(packet) : this.#format.readFrameSync(packet);
    // A thread and an event loop turn per packet are slow: read here while it is fast.
    if (performance.now() - started > SLOW_READ_MS) this.#readsOnThread = true;
    if (code < 0) {
      if (code === AVERROR_INVALIDDATA && ++this.#readErrors <= MAX_READ_ERRORS) return true;
      this.isCutOff = code !== AVERROR_EOF || this.#readErrors > 0;
      this.#hasEnded = true;
      this.#send(undefined);
      return true;
    }
    this.#readErrors = 0;
    if (packet.streamIndex === this.#index && packet.size <= MAX_PACKET_BYTES) this.#send(packet);
    else packet.unref();
    return true;
  }

  /** Sends the packet before `next` to the decoder. */
  #send(next: Packet | undefined): void {
    const packet = this.#next;
    this.#next = next;
    if (packet) {
      this.packets++;
      if (this.#codec.sendPacketSync(packet) < 0) {
        this.lostPackets++;
        this.#hasLoss = true;
      }
      packet.unref();
    }
    if (!next) return;
    this.position = Math.max(this.position, Number(next.pos));
    this.#spare = packet ?? new Packet();
    if (!packet) this.#spare.alloc();
  }

  /** The frames decoded so far; each reuses the same object. */
  *frames(): Generator<{ frame: Frame; time: FrameTime }> {
    const frame = this.#frame;
    let isLost = true;
    let code = this.#codec.receiveFrameSync(frame);
    for (; code >= 0; code = this.#codec.receiveFrameSync(frame)) {
      const time = {
        time: this.#seconds(frame.bestEffortTimestamp),
        seconds: frame.nbSamples / Math.max(1, frame.sampleRate),
        nextTime: this.#next && this.#seconds(this.#next.pts),
        isAfterLoss: this.#hasLoss,
      };
      this.#hasLoss = false;
      isLost = false;
      yield { frame, time };
      frame.unref();
    }
    // What is left of a packet that gave samples, such as half a sample at the end of a cut file, is not a packet.
    if (isLost && code !== AVERROR_EAGAIN && code !== AVERROR_EOF) this.lostPackets++;
  }

  /** Makes a read on another thread fail soon. */
  interrupt(): void {
    this.#format.interrupt();
  }

  async close(): Promise<void> {
    this.#frame.free();
    this.#next?.free();
    this.#spare.free();
    this.#codec.freeContext();
    await this.#format.closeInput();
  }

  /** A timestamp of the track. */
  #seconds(timestamp: bigint): number | undefined {
    return inSeconds(timestamp, this.#ticksPerSecond);
  }
}

function inSeconds(timestamp: bigint, perSecond: number): number | undefined {
  return timestamp === AV_NOPTS_VALUE ? undefined : Number(timestamp) / perSecond;
}

/** The header of a 16-bit wav has everything; FFmpeg need not probe its first five seconds. */
function isPlainWav({ iformat, streams }: FormatContext): boolean {
  const { codecId, sampleRate, channelLayout } = streams[0]?.codecpar ?? {};
  const isComplete = (sampleRate ?? 0) > 0 && (channelLayout?.nbChannels ?? 0) > 0;
  return iformat?.name === 'wav' && streams.length === 1 && codecId === AV_CODEC_ID_PCM_S16LE && isComplete;
}
