import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type AudioFormat, contentTypes } from '../../audio/formats.ts';
import { StreamedResponse } from '../../http/streamed-response.ts';
import type { SayContext } from '../context.ts';
import type { AudioFile } from '../downloads/audio-file.ts';
import { createAnswerFile, openAnswer } from './audio-response.ts';
import type { SpeechResponse, SpokenChunk } from './synthesize.ts';

const captionedSpeech = z.object({
  audio: z.string().describe('The audio, in Base64; the bytes of all lines, joined, are one file'),
  audio_format: z.string().describe('Media type of the audio'),
  timestamps: z.array(
    z.object({
      word: z.string().describe('As it is written in the input'),
      start_time: z.number().describe('Seconds from the start of the whole speech'),
      end_time: z.number().describe('Seconds from the start of the whole speech'),
      line: z.int().optional().describe('Index of its line, from 0; only of a dialogue'),
      chapter: z.int().optional().describe('Index of its chapter, from 0; only of a book'),
    }),
  ),
  marks: z
    .array(z.object({ name: z.string(), time: z.number().describe('Seconds from the start of the whole speech') }))
    .optional()
    .describe('When each `<mark>` is reached; only with `input_type=ssml`'),
});

/** The responses of a route with captions, in its description. */
export const captionedResponse = {
  description: 'The speech and its words',
  content: {
    'application/x-ndjson': { schema: captionedSpeech },
    'application/json': { schema: captionedSpeech },
  },
};

// The quotient of two whole numbers is the double nearest to the decimal, so it prints without rounding errors.
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** What a captioned response reports besides the words. */
type CaptionsOf = 'text' | 'ssml' | 'dialogue';

type Captions = Omit<z.infer<typeof captionedSpeech>, 'audio' | 'audio_format'>;

/** The words of some chunks; for SSML with the marks, for a dialogue with the line of each word. */
function captions(chunks: readonly SpokenChunk[], of: CaptionsOf): Captions {
  const timestamps = chunks.flatMap(({ words, passage, chapter }) =>
    words.map(({ word, start_time, end_time }) => ({
      word,
      start_time: milliseconds(start_time),
      end_time: milliseconds(end_time),
      ...(of === 'dialogue' && { line: passage }),
      ...(chapter !== undefined && { chapter }),
    })),
  );
  if (of !== 'ssml') return { timestamps };
  const marks = chunks.flatMap(({ marks }) => marks.map(({ name, time }) => ({ name, time: milliseconds(time) })));
  return { timestamps, marks };
}

/**
 * The response with captions that a request asks for.
 * @param param the field with the text, which an error names
 */
export async function captionsResponse(
  context: SayContext,
  reply: FastifyReply,
  { format, stream, of, param }: { format: AudioFormat; stream: boolean; of: CaptionsOf; param: string },
): Promise<SpeechResponse> {
  if (stream) return new StreamedCaptions(reply, format, of);
  return new BufferedCaptions(reply, await createAnswerFile(context, format, param), of);
}

/** Sends a line for each chunk: its words and the audio since the line before. The last has the encoder's remaining bytes. */
class StreamedCaptions implements SpeechResponse {
  readonly #response: StreamedResponse;
  readonly #format: AudioFormat;
  readonly #of: CaptionsOf;
  #audio: Uint8Array[] = [];

  constructor(reply: FastifyReply, format: AudioFormat, of: CaptionsOf) {
    this.#of = of;
    this.#response = new StreamedResponse(reply, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    this.#format = format;
  }

  get started(): boolean {
    return this.#response.started;
  }

  async start(): Promise<void> {
    this.#audio = [];
  }

  async audio(bytes: Uint8Array): Promise<void> {
    this.#audio.push(bytes);
  }

  chunk(chunk: SpokenChunk): Promise<void> {
    return this.#send([chunk]);
  }

  async #send(chunks: readonly SpokenChunk[]): Promise<void> {
    const line: z.infer<typeof captionedSpeech> = {
      audio: Buffer.concat(this.#audio).toString('base64'),
      audio_format: contentTypes[this.#format],
      ...captions(chunks, this.#of),
    };
    this.#audio = [];
    await this.#response.write(`${JSON.stringify(line)}\n`);
  }

  async end(): Promise<void> {
    if (this.#audio.length > 0) await this.#send([]);
    this.#response.end();
  }

  async fail(): Promise<void> {
    if (this.started) this.#response.abort();
  }
}

/** Sends one object. Buffers its audio on disk and encodes it while sending. */
class BufferedCaptions implements SpeechResponse {
  readonly #reply: FastifyReply;
  readonly #file: AudioFile;
  readonly #of: CaptionsOf;
  #chunks: SpokenChunk[] = [];

  constructor(reply: FastifyReply, file: AudioFile, of: CaptionsOf) {
    this.#of = of;
    this.#reply = reply;
    this.#file = file;
  }

  get started(): boolean {
    return this.#reply.sent;
  }

  async start(): Promise<void> {
    this.#chunks = [];
    await this.#file.restart();
  }

  audio(bytes: Uint8Array): Promise<void> {
    return this.#file.write(bytes);
  }

  header(bytes: Uint8Array): void {
    this.#file.replaceHeader(bytes);
  }

  async chunk(chunk: SpokenChunk): Promise<void> {
    if (chunk.words.length + chunk.marks.length > 0) this.#chunks.push(chunk);
  }

  async end(): Promise<void> {
    const audio = await openAnswer(this.#file);
    const rest = { audio_format: contentTypes[this.#file.format], ...captions(this.#chunks, this.#of) };
    const body = Readable.from(captionedJson(audio, JSON.stringify(rest).slice(1)), { objectMode: false });
    // A generator that nothing was read from does not close its source: the client may have left meanwhile.
    body.once('close', () => audio.destroy());
    this.#reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(body);
  }

  fail(): Promise<void> {
    return this.#file.discard();
  }
}

/** @param rest the members after `audio`, with the closing brace */
async function* captionedJson(audio: Readable, rest: string): AsyncGenerator<string> {
  yield '{"audio":"';
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of audio as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([carried, chunk]);
    // Base64 encodes three bytes as four letters.
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    carried = bytes.subarray(whole);
  }
  yield `${carried.toString('base64')}",${rest}`;
}
