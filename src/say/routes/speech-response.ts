import type { FastifyReply } from 'fastify';
import { type AudioFormat, contentTypes } from '../../audio/formats.ts';
import type { CaptionWord } from '../../contracts/synthesis.ts';
import { binary } from '../../http/route.ts';
import { StreamedResponse } from '../../http/streamed-response.ts';
import type { SayContext } from '../context.ts';
import { AudioFile } from '../downloads/audio-file.ts';

/** Sends the speech of a request in one of several forms. */
export interface SpeechResponse {
  /** Whether anything has been sent. */
  readonly started: boolean;
  /** Called before each attempt; discards the previous one. */
  start(): Promise<void>;
  audio(bytes: Uint8Array): Promise<void>;
  /** Called after the audio of a chunk. */
  chunk(words: CaptionWord[]): Promise<void>;
  /** Sends the rest. */
  end(): Promise<void>;
  /** Called on failure, in place of `end`. A started response must not look complete. */
  fail(): Promise<void>;
}

/** Describes a response of audio in any format. */
export const speechAudio = {
  description: 'The speech, at 24 kHz in one channel; `pcm` is signed 16-bit little-endian.',
  content: Object.fromEntries(Object.values(contentTypes).map((type) => [type, { schema: binary }])),
};

function audioHeaders(format: AudioFormat): Record<string, string> {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename=speech.${format}`,
    'cache-control': 'no-cache',
  };
}

/** Sends bytes as they come. */
export class StreamedAudio implements SpeechResponse {
  readonly #response: StreamedResponse;

  constructor(reply: FastifyReply, format: AudioFormat) {
    this.#response = new StreamedResponse(reply, audioHeaders(format));
  }

  get started(): boolean {
    return this.#response.started;
  }

  async start(): Promise<void> {}

  audio(bytes: Uint8Array): Promise<void> {
    return this.#response.write(bytes);
  }

  async chunk(): Promise<void> {}

  async end(): Promise<void> {
    this.#response.end();
  }

  async fail(): Promise<void> {
    if (this.started) this.#response.abort();
  }
}

/** Sends one complete body with its length. Buffers it on disk: the speech of a book would not fit into memory. */
export class BufferedAudio implements SpeechResponse {
  readonly #reply: FastifyReply;
  readonly #file: AudioFile;

  static async create({ downloads }: SayContext, reply: FastifyReply, format: AudioFormat): Promise<BufferedAudio> {
    return new BufferedAudio(reply, await AudioFile.create(downloads.folder, format));
  }

  private constructor(reply: FastifyReply, file: AudioFile) {
    this.#reply = reply;
    this.#file = file;
  }

  get started(): boolean {
    return this.#reply.sent;
  }

  start(): Promise<void> {
    return this.#file.restart();
  }

  audio(bytes: Uint8Array): Promise<void> {
    return this.#file.write(bytes);
  }

  async chunk(): Promise<void> {}

  async end(): Promise<void> {
    await this.#file.finish();
    const body = await this.#file.read();
    // An open file stays readable, and nothing is left however the response ends.
    await this.#file.discard();
    const { format, bytes } = this.#file;
    this.#reply.headers({ ...audioHeaders(format), 'content-length': bytes }).send(body);
  }

  fail(): Promise<void> {
    return this.#file.discard();
  }
}
