import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { type AudioFormat, contentTypes } from '../../audio/formats.ts';
import type { CaptionWord } from '../../contracts/synthesis.ts';
import { route } from '../../http/route.ts';
import { StreamedResponse } from '../../http/streamed-response.ts';
import type { SayContext } from '../context.ts';
import type { AudioFile } from '../downloads/audio-file.ts';
import { readLoosely } from './request-body.ts';
import { createAnswerFile } from './speech.ts';
import { createSpeech, speechFields } from './speech-request.ts';
import { admit, handleSpeechRequest, type SpeechResponse } from './synthesize.ts';

const captionedSpeech = z.object({
  audio: z.string().describe('The audio, in Base64; the bytes of all lines, joined, are one file'),
  audio_format: z.string().describe('Media type of the audio'),
  timestamps: z.array(
    z.object({
      word: z.string().describe('As it is written in the input'),
      start_time: z.number().describe('Seconds from the start of the whole speech'),
      end_time: z.number().describe('Seconds from the start of the whole speech'),
    }),
  ),
});

/** POST /dev/captioned_speech. */
export function captionedSpeechRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/dev/captioned_speech',
    tag: 'dev',
    summary: 'Speak, with the time of each word',
    description: 'With `stream`, one object a line, each with its own words; otherwise one object.',
    body: speechFields(context.config),
    response: {
      200: {
        description: 'The speech and its words',
        content: {
          'application/x-ndjson': { schema: captionedSpeech },
          'application/json': { schema: captionedSpeech },
        },
      },
    },
    preValidation: readLoosely,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const speech = await createSpeech(context, request.body, { captions: true });
      await slot();
      const { format } = speech.job;
      const response = request.body.stream
        ? new StreamedCaptions(reply, format)
        : new BufferedCaptions(reply, await createAnswerFile(context, format, 'input'));
      return handleSpeechRequest(context, request, reply, speech, response, signal);
    },
  });
}

// A quotient of whole numbers is the double nearest to the decimal: it prints without noise.
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

const timestamps = (words: readonly CaptionWord[]): CaptionWord[] =>
  words.map(({ word, start_time, end_time }) => ({
    word,
    start_time: milliseconds(start_time),
    end_time: milliseconds(end_time),
  }));

/** Sends a line for each chunk: its words and the audio since the line before. The last has the rest of the encoder. */
class StreamedCaptions implements SpeechResponse {
  readonly #response: StreamedResponse;
  readonly #format: AudioFormat;
  #audio: Uint8Array[] = [];

  constructor(reply: FastifyReply, format: AudioFormat) {
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

  async chunk(words: CaptionWord[]): Promise<void> {
    const line: z.infer<typeof captionedSpeech> = {
      audio: Buffer.concat(this.#audio).toString('base64'),
      audio_format: contentTypes[this.#format],
      timestamps: timestamps(words),
    };
    this.#audio = [];
    await this.#response.write(`${JSON.stringify(line)}\n`);
  }

  async end(): Promise<void> {
    if (this.#audio.length > 0) await this.chunk([]);
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
  #words: CaptionWord[] = [];

  constructor(reply: FastifyReply, file: AudioFile) {
    this.#reply = reply;
    this.#file = file;
  }

  get started(): boolean {
    return this.#reply.sent;
  }

  async start(): Promise<void> {
    this.#words = [];
    await this.#file.restart();
  }

  audio(bytes: Uint8Array): Promise<void> {
    return this.#file.write(bytes);
  }

  header(bytes: Uint8Array): void {
    this.#file.replaceHeader(bytes);
  }

  async chunk(words: CaptionWord[]): Promise<void> {
    this.#words.push(...words);
  }

  async end(): Promise<void> {
    await this.#file.finish();
    const audio = await this.#file.read();
    await this.#file.discard();
    const rest = { audio_format: contentTypes[this.#file.format], timestamps: timestamps(this.#words) };
    const body = Readable.from(captionedJson(audio, JSON.stringify(rest).slice(1)), { objectMode: false });
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
