import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AudioFormat } from '../../audio/formats.ts';
import { contentTypes } from '../../audio/formats.ts';
import type { CaptionWord } from '../../contracts/synthesis.ts';
import { errorResponses, toHearsayError } from '../../http/errors.ts';
import { StreamedAnswer } from '../../http/streamed-answer.ts';
import { admit, type SynthesisContext, synthesize } from '../context.ts';
import { AudioFile } from '../downloads/audio-file.ts';
import { dropNulls, type SpeechFields, type SpeechRequest, speechFields, speechRequest } from './speech-request.ts';

/** Where the speech of a request goes. */
export interface SpeechAnswer {
  /** Whether anything has been sent. */
  readonly begun: boolean;
  /** Called before each try, to forget the one before. */
  start(): Promise<void>;
  audio(bytes: Uint8Array): Promise<void>;
  chunk(words: CaptionWord[]): Promise<void>;
  /** Sends what is left. */
  end(): Promise<void>;
  /** Called in the place of `end` when it went wrong; an answer that has begun must not look complete. */
  fail(): Promise<void>;
}

const binary = z.string().meta({ format: 'binary' });

/** The description of an answer of audio in any format. */
export const audioAnswer = {
  description: 'The speech, at 24 kHz in one channel; `pcm` is signed 16-bit little-endian.',
  content: Object.fromEntries(Object.values(contentTypes).map((type) => [type, { schema: binary }])),
};

/** POST /v1/audio/speech. */
export function speechRoute(app: FastifyInstance, context: SynthesisContext): void {
  app.post<{ Body: SpeechFields }>(
    '/v1/audio/speech',
    {
      schema: {
        tags: ['audio'],
        summary: 'Speak',
        description: 'Turns text into speech. A failure after the first bytes breaks the connection.',
        security: [{ key: [] }],
        body: speechFields(context),
        response: { 200: audioAnswer, ...errorResponses },
      },
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const signal = admit(context, reply);
      const speech = await speechRequest(context, request.body, { captions: false });
      const answer = speech.stream
        ? new StreamedAudio(reply, speech.job.format)
        : await WholeAudio.create(context, reply, speech.job.format);
      return answerSpeech(context, speech, answer, request, reply, signal);
    },
  );
}

/** Serves one request: engine, file for download, answer. */
export async function answerSpeech(
  context: SynthesisContext,
  { job, download }: Pick<SpeechRequest, 'job' | 'download'>,
  answer: SpeechAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const { downloads } = context;
  let file: AudioFile | undefined;
  const giveUpFile = async () => {
    const given = file;
    file = undefined;
    await given?.discard().catch((error) => request.log.warn({ err: error }, 'A file could not be removed'));
  };
  /** Once somebody is listening, the link, which leads nowhere then, is the lesser loss. */
  const spare = async (error: unknown) => {
    if (!answer.begun) throw error;
    request.log.warn({ err: error }, 'A file for download was given up');
    await giveUpFile();
  };
  const save = async (bytes: Uint8Array) => file?.write(bytes).catch(spare);
  try {
    if (download !== undefined) {
      file = await downloads.create(download);
      reply.header('x-download-path', `/v1/download/${file.name}`);
    }
    await synthesize(context, {
      job,
      signal,
      mayRetry: () => !answer.begun,
      onStart: async () => {
        await file?.restart();
        await answer.start();
      },
      onEvent: async (event) => {
        switch (event.type) {
          case 'audio':
            if (job.downloadFormat === undefined) await save(event.bytes);
            return answer.audio(event.bytes);
          case 'download':
            return save(event.bytes);
          case 'chunk':
            return answer.chunk(event.words);
        }
      },
    });
    // Before the end of the answer: then a client may follow the link at once.
    if (file) await downloads.keep(file).catch(spare);
    file = undefined;
    await answer.end();
  } catch (error) {
    await giveUpFile();
    reply.removeHeader('x-download-path');
    const { begun } = answer;
    await answer.fail();
    if (!begun) throw error;
    if (!signal.aborted) toHearsayError(error, request, request.log);
  }
  return reply;
}

function audioHeaders(format: AudioFormat): Record<string, string> {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename=speech.${format}`,
    'cache-control': 'no-cache',
  };
}

/** Bytes leave as they come. */
class StreamedAudio implements SpeechAnswer {
  readonly #answer: StreamedAnswer;

  constructor(reply: FastifyReply, format: AudioFormat) {
    this.#answer = new StreamedAnswer(reply, audioHeaders(format));
  }

  get begun(): boolean {
    return this.#answer.begun;
  }

  async start(): Promise<void> {}

  audio(bytes: Uint8Array): Promise<void> {
    return this.#answer.write(bytes);
  }

  async chunk(): Promise<void> {}

  async end(): Promise<void> {
    this.#answer.end();
  }

  async fail(): Promise<void> {
    if (this.begun) this.#answer.break();
  }
}

/** One complete body with its length. It is collected on disk: the speech of a book would not fit into memory. */
export class WholeAudio implements SpeechAnswer {
  readonly #reply: FastifyReply;
  readonly #file: AudioFile;

  static async create({ downloads }: SynthesisContext, reply: FastifyReply, format: AudioFormat): Promise<WholeAudio> {
    return new WholeAudio(reply, await AudioFile.create(downloads.folder, format));
  }

  private constructor(reply: FastifyReply, file: AudioFile) {
    this.#reply = reply;
    this.#file = file;
  }

  get begun(): boolean {
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
    // It can be read on, and nothing is left behind however the answer ends.
    await this.#file.discard();
    const { format, bytes } = this.#file;
    this.#reply.headers({ ...audioHeaders(format), 'content-length': bytes }).send(body);
  }

  fail(): Promise<void> {
    return this.#file.discard();
  }
}
