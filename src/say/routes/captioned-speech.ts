import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AudioFormat } from '../../audio/formats.ts';
import { contentTypes } from '../../audio/formats.ts';
import type { CaptionWord } from '../../contracts/synthesis.ts';
import { errorResponses } from '../../http/errors.ts';
import { StreamedAnswer } from '../../http/streamed-answer.ts';
import { admit, type SynthesisContext } from '../context.ts';
import { AudioFile } from '../downloads/audio-file.ts';
import { answerSpeech, type SpeechAnswer } from './speech.ts';
import { dropNulls, type SpeechFields, speechFields, speechRequest } from './speech-request.ts';

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
export function captionedSpeechRoute(app: FastifyInstance, context: SynthesisContext): void {
  app.post<{ Body: SpeechFields }>(
    '/dev/captioned_speech',
    {
      schema: {
        tags: ['dev'],
        summary: 'Speak, with the time of each word',
        description: 'With `stream`, one object a line, each with its own words; otherwise one object.',
        security: [{ key: [] }],
        body: speechFields(context),
        response: {
          200: {
            description: 'The speech and its words',
            content: {
              'application/x-ndjson': { schema: captionedSpeech },
              'application/json': { schema: captionedSpeech },
            },
          },
          ...errorResponses,
        },
      },
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const signal = admit(context, reply);
      const speech = await speechRequest(context, request.body, { captions: true });
      const answer = speech.stream
        ? new CaptionedLines(reply, speech.job.format)
        : await CaptionedObject.create(context, reply, speech.job.format);
      return answerSpeech(context, speech, answer, request, reply, signal);
    },
  );
}

// Dividing whole numbers gives the double nearest to the decimal, which prints without noise.
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

const timestamps = (words: readonly CaptionWord[]): CaptionWord[] =>
  words.map(({ word, start_time, end_time }) => ({
    word,
    start_time: milliseconds(start_time),
    end_time: milliseconds(end_time),
  }));

/** One line for each piece: its words, and the audio since the line before. The last one holds the encoder's rest. */
class CaptionedLines implements SpeechAnswer {
  readonly #answer: StreamedAnswer;
  readonly #format: AudioFormat;
  #audio: Uint8Array[] = [];

  constructor(reply: FastifyReply, format: AudioFormat) {
    this.#answer = new StreamedAnswer(reply, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    this.#format = format;
  }

  get begun(): boolean {
    return this.#answer.begun;
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
    await this.#answer.write(`${JSON.stringify(line)}\n`);
  }

  async end(): Promise<void> {
    if (this.#audio.length > 0) await this.chunk([]);
    this.#answer.end();
  }

  async fail(): Promise<void> {
    if (this.begun) this.#answer.break();
  }
}

/** One object. Its audio is collected on disk and encoded as it leaves. */
class CaptionedObject implements SpeechAnswer {
  readonly #reply: FastifyReply;
  readonly #file: AudioFile;
  #words: CaptionWord[] = [];

  static async create({ downloads }: SynthesisContext, reply: FastifyReply, format: AudioFormat) {
    return new CaptionedObject(reply, await AudioFile.create(downloads.folder, format));
  }

  private constructor(reply: FastifyReply, file: AudioFile) {
    this.#reply = reply;
    this.#file = file;
  }

  get begun(): boolean {
    return this.#reply.sent;
  }

  async start(): Promise<void> {
    this.#words = [];
    await this.#file.restart();
  }

  audio(bytes: Uint8Array): Promise<void> {
    return this.#file.write(bytes);
  }

  async chunk(words: CaptionWord[]): Promise<void> {
    this.#words.push(...words);
  }

  async end(): Promise<void> {
    await this.#file.finish();
    const audio = await this.#file.read();
    await this.#file.discard();
    const rest = { audio_format: contentTypes[this.#file.format], timestamps: timestamps(this.#words) };
    const body = Readable.from(captionedObject(audio, JSON.stringify(rest).slice(1)), { objectMode: false });
    this.#reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(body);
  }

  fail(): Promise<void> {
    return this.#file.discard();
  }
}

/** @param rest the members after the first, with the closing brace */
async function* captionedObject(audio: Readable, rest: string): AsyncGenerator<string> {
  yield '{"audio":"';
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of audio as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([carried, chunk]);
    // Base64 writes three bytes as four letters.
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    carried = bytes.subarray(whole);
  }
  yield `${carried.toString('base64')}",${rest}`;
}
