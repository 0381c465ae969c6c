import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type AudioFormat, contentTypes, speechFormats } from '../../audio/formats.ts';
import { HearsayError } from '../../errors.ts';
import { binary } from '../../http/route.ts';
import { StreamedResponse } from '../../http/streamed-response.ts';
import type { SayContext } from '../context.ts';
import { AudioFile } from '../downloads/audio-file.ts';
import { SpeechEvents, speechEvents } from './speech-events.ts';
import { streamsEvents } from './speech-models.ts';
import type { ResponseFields } from './speech-request.ts';
import type { SpeechResponse } from './synthesize.ts';

/** Describes a response of audio in any format. */
export const speechAudio = {
  description: 'The speech, at 24 kHz in one channel; `pcm` is signed 16-bit little-endian.',
  content: Object.fromEntries(speechFormats.map((format) => [contentTypes[format], { schema: binary }])),
};

/** The response of a route that can send events, in its description. */
export const spokenResponse = {
  ...speechAudio,
  content: { ...speechAudio.content, 'text/event-stream': { schema: speechEvents } },
};

/** The response that a request asks for. @param spoken the texts of the request, and their field */
export async function audioResponse(
  context: SayContext,
  reply: FastifyReply,
  { response_format, stream, stream_format, model }: ResponseFields,
  { param, texts }: { param: string; texts: readonly string[] },
): Promise<SpeechResponse> {
  if (stream_format === 'sse' && streamsEvents(model)) return new SpeechEvents(reply, texts);
  if (stream) return new StreamedAudio(reply, response_format);
  return new BufferedAudio(reply, await createAnswerFile(context, response_format, param));
}

function audioHeaders(format: AudioFormat): Record<string, string> {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename=speech.${format}`,
    'cache-control': 'no-cache',
  };
}

/** Sends bytes as they come. */
class StreamedAudio implements SpeechResponse {
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

/**
 * A file for speech that is sent when it is complete.
 * @param param the field with the text, which an error names
 */
export function createAnswerFile(
  { answerDir, config }: SayContext,
  format: AudioFormat,
  param: string,
): Promise<AudioFile> {
  const bytes = config.maxAnswerBytes;
  const message = `The speech is larger than ${bytes} bytes (MAX_ANSWER_BYTES): send less text, stream it, or choose a smaller format.`;
  return AudioFile.create(answerDir, format, {
    bytes,
    error: new HearsayError('invalid_request', message, { param }),
  });
}

/** Completes a file of `createAnswerFile` and opens it. It is removed by then, so that nothing is left if the response is cut. */
export async function openAnswer(file: AudioFile): Promise<Readable> {
  await file.finish();
  const body = await file.read();
  // An open file stays readable after it is removed.
  await file.discard();
  return body;
}

/** Sends one complete body with its length. Buffers it on disk: the speech of a book would not fit into memory. */
export class BufferedAudio implements SpeechResponse {
  readonly #reply: FastifyReply;
  readonly #file: AudioFile;

  constructor(reply: FastifyReply, file: AudioFile) {
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

  header(bytes: Uint8Array): void {
    this.#file.replaceHeader(bytes);
  }

  async chunk(): Promise<void> {}

  async end(): Promise<void> {
    const body = await openAnswer(this.#file);
    const { format, bytes } = this.#file;
    this.#reply.headers({ ...audioHeaders(format), 'content-length': bytes }).send(body);
  }

  fail(): Promise<void> {
    return this.#file.discard();
  }
}
