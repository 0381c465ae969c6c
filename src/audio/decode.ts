import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FFmpegError } from 'node-av/lib';
import type { ByteRange } from './byte-range.ts';
import { audioTooLong, invalidAudio } from './errors.ts';
import { MediaClock } from './media-clock.ts';
import { MediaFile, type MediaSource } from './media-source.ts';
import { MonoResampler } from './pcm.ts';
import { AudioTrack } from './track.ts';

const CHUNK_SECONDS = 0.5;
/** Maximum time that decoding blocks the event loop. */
const TURN_MS = 5;
/** Share of packets that may be lost, as in FFmpeg's own program. */
const MAX_LOST = 2 / 3;

export interface DecodeOptions {
  /** Maximum length of the recording. */
  maxSeconds: number;
  /** Where the recording lies in the file. Default: it is the whole file. */
  part?: ByteRange | undefined;
  /** Which of several audio tracks: 0, the default, is the best; the others follow in the order of the file. */
  track?: number | undefined;
  /** Ends decoding with the signal's reason. */
  signal?: AbortSignal;
  /** Of the output, in Hz. Default: 16000. */
  sampleRate?: number;
}

/**
 * Streams an audio track of a recording as mono float32, a mean of its channels, in chunks of half a second; the
 * last one is shorter. If the channels cancel each other, every second one is inverted. The caller may keep the chunks.
 * Full scale is 1, but codecs overshoot and float files may exceed it: samples are finite and within ±32768. Memory does
 * not grow with the length.
 *
 * The file may be hostile: no other file or URL is opened. Decoding is native code, so run it in a separate process.
 *
 * Times are those of the media's clock, as for a player of subtitles: a track that starts late or has a gap gets silence,
 * an overlap is dropped. Skips packets that cannot be decoded, unless they are most of the recording; of a truncated file,
 * yields what there is. Yields nothing for a `track` beyond the last one.
 *
 * @throws HearsayError `invalid_audio` for an unknown container or codec, without any audio, or at the end of a recording of
 *   which more than two thirds could not be decoded; `audio_too_long` beyond `maxSeconds`, stated or decoded. The error of the file system if the path cannot be read; the reason of `signal`
 */
export async function* decodeAudio(path: string, options: DecodeOptions): AsyncGenerator<Float32Array> {
  const { part, signal } = options;
  signal?.throwIfAborted();
  const file = new MediaFile(resolve(path), part);
  const recording = new Recording(options);
  try {
    for (let source: MediaSource | undefined = file.source(); source; ) {
      const track = new AudioTrack();
      try {
        yield* recording.decode(track, source);
        source = track.isCutOff ? file.nextLink(source, track.position) : undefined;
      } finally {
        await track.close();
      }
    }
    yield* recording.end();
  } catch (error) {
    // An interrupted read throws FFmpeg's error; report the reason of the interruption instead.
    signal?.throwIfAborted();
    if (error instanceof FFmpegError) throw invalidAudio('The file could not be decoded.', error);
    throw error;
  } finally {
    recording.close();
    file.close();
  }
}

/** The samples of one recording, from one track or from the links of a chain. */
class Recording {
  readonly #maxSeconds: number;
  readonly #rank: number;
  readonly #sampleRate: number;
  readonly #signal: AbortSignal | undefined;
  readonly #resampler: MonoResampler;
  /** Whether there is such a track. */
  #exists = false;
  #packets = 0;
  #lostPackets = 0;
  /** Samples so far. */
  #total = 0;
  #chunk: Float32Array<ArrayBuffer>;
  #filled = 0;
  #turnStarted = performance.now();

  constructor({ maxSeconds, track = 0, sampleRate = 16_000, signal }: DecodeOptions) {
    this.#maxSeconds = maxSeconds;
    this.#rank = track;
    this.#sampleRate = sampleRate;
    this.#signal = signal;
    this.#resampler = new MonoResampler(sampleRate);
    this.#chunk = new Float32Array(Math.ceil(CHUNK_SECONDS * sampleRate));
  }

  async *decode(track: AudioTrack, source: MediaSource): AsyncGenerator<Float32Array> {
    const interrupt = () => track.interrupt();
    this.#signal?.addEventListener('abort', interrupt);
    try {
      if (!(await track.open(source, this.#rank))) return;
      this.#exists = true;
      this.#signal?.throwIfAborted();
      if ((track.statedSeconds ?? 0) > this.#maxSeconds * 1.01 + 1) throw audioTooLong(this.#maxSeconds);
      const clock = new MediaClock({ start: track.startTime, hasOneClock: source.hasOneClock }, this.#seconds);
      for (let hasMore = true; hasMore; ) {
        hasMore = await track.read();
        await this.#yieldTurn();
        for (const { frame, time } of track.frames()) {
          const shift = Math.round(clock.place(time) * this.#sampleRate);
          if (shift > 0) yield* this.#silence(shift);
          let toDrop = Math.max(0, -shift);
          for (const samples of this.#resampler.convert(frame)) {
            yield* this.#push(samples.subarray(toDrop));
            toDrop = Math.max(0, toDrop - samples.length);
          }
        }
      }
      for (const samples of this.#resampler.flush()) yield* this.#push(samples);
    } finally {
      this.#packets += track.packets;
      this.#lostPackets += track.lostPackets;
      this.#signal?.removeEventListener('abort', interrupt);
    }
  }

  /** The last, incomplete chunk. */
  *end(): Generator<Float32Array> {
    if (!this.#exists) return;
    if (this.#total === 0) throw invalidAudio('No audio could be decoded from the file.');
    if (this.#lostPackets > MAX_LOST * this.#packets) {
      const lost = `${this.#lostPackets} of ${this.#packets} packets`;
      throw invalidAudio(`Most of the recording is damaged: ${lost} could not be decoded.`);
    }
    if (this.#filled > 0) yield this.#chunk.subarray(0, this.#filled);
  }

  close(): void {
    this.#resampler.close();
  }

  get #seconds(): number {
    return this.#total / this.#sampleRate;
  }

  *#silence(samples: number): Generator<Float32Array> {
    for (const tail of this.#resampler.flush()) yield* this.#push(tail);
    for (let left = samples; left > 0; left -= this.#chunk.length) {
      yield* this.#push(new Float32Array(Math.min(left, this.#chunk.length)));
    }
  }

  /** Yields the chunks that the samples complete. */
  *#push(samples: Float32Array): Generator<Float32Array> {
    this.#total += samples.length;
    if (this.#total > Math.floor(this.#maxSeconds * this.#sampleRate)) throw audioTooLong(this.#maxSeconds);
    for (let offset = 0; offset < samples.length; ) {
      const part = samples.subarray(offset, offset + this.#chunk.length - this.#filled);
      this.#chunk.set(part, this.#filled);
      offset += part.length;
      this.#filled += part.length;
      if (this.#filled < this.#chunk.length) continue;
      const full = this.#chunk;
      this.#chunk = new Float32Array(full.length);
      this.#filled = 0;
      yield full;
    }
  }

  /** Yields to the event loop after `TURN_MS`. */
  async #yieldTurn(): Promise<void> {
    if (performance.now() - this.#turnStarted > TURN_MS) {
      await nextTurn();
      this.#turnStarted = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
