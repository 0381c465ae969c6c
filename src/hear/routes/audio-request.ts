import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type {
  Segment,
  SpeechModelInfo,
  TranscriptionEvent,
  TranscriptionJob,
  TranscriptionTask,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import type { Drain } from '../../http/drain.ts';
import { askForBody } from '../../http/early-reply.ts';
import { errorResponses, invalidField, toHearsayError } from '../../http/errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import type { HealthSource } from '../../http/health.ts';
import { readForm } from '../../http/multipart.ts';
import { hangUpSignal } from '../../http/server.ts';
import { sizesKnowing, translatingSizes } from '../presets.ts';
import { languageName } from '../transcript/languages.ts';
import {
  milliseconds,
  plainTranscript,
  renderTranscript,
  responseFormats,
  type Transcript,
  verboseTranscript,
} from '../transcript/response.ts';

export interface SpeechEngine {
  readonly info: SpeechModelInfo;
  run(job: TranscriptionJob, signal?: AbortSignal): AsyncIterable<TranscriptionEvent>;
}

/** The resident model, as the routes see it. */
export interface SpeechModels extends HealthSource {
  readonly info: SpeechModelInfo | undefined;
  /** Name of the selected model. */
  readonly active: string;
  /** Name of the loaded model; empty while there is none. */
  readonly loaded: string;
  use<T>(
    work: (engine: SpeechEngine) => Promise<T>,
    options?: { mayRetry?: () => boolean; signal?: AbortSignal },
  ): Promise<T>;
  activate(name: string): Promise<void>;
}

/** The admission gate, as the routes see it. */
export interface Gate {
  readonly active: number;
  readonly waiting: number;
  enter(): { turn(signal: AbortSignal): Promise<void>; leave(): void };
}

export interface AudioRequestContext {
  models: SpeechModels;
  gate: Gate;
  drain: Drain;
  uploadFolder: string;
  maxUploadBytes: number;
  maxAudioSeconds: number;
  uploadTimeoutSeconds: number;
  uploadMinBytesPerSecond: number;
  /** Called with the length of every recording that was transcribed, in seconds. */
  onTranscribed: (seconds: number) => void;
}

/** What the fields of a form ask for. */
export interface AudioOptions {
  language?: string | undefined;
  prompt?: string | undefined;
  response_format: (typeof responseFormats)[number];
  stream: boolean;
  words: boolean;
}

/** The fields that both audio routes take. */
export const audioFields = {
  model: z.string().default('asr-1').describe('Accepted for compatibility, then ignored.'),
  prompt: z.string().optional().describe('Initial decoding context: names, jargon. Not every model can use one.'),
  response_format: z.enum(responseFormats, { error: 'Unsupported response_format' }).default('json'),
  temperature: z.coerce
    .number({ error: 'temperature must be a number' })
    .default(0)
    .describe('Accepted for compatibility, then ignored.'),
  stream: z
    .stringbool({ error: 'stream must be true or false' })
    .default(false)
    .describe(
      'Answer with server-sent events `transcript.text.delta` and `transcript.text.done`; with `verbose_json` the first carry times and the last the whole object.',
    ),
};

/** The schema of an audio route; the form is validated by hand, after it has been read. */
export function audioRouteOptions(summary: string, description: string, fields: z.ZodObject): RouteShorthandOptions {
  const file = z.string().meta({ format: 'binary' }).describe('The recording, in any usual audio or video format.');
  return {
    schema: {
      tags: ['audio'],
      summary,
      description,
      consumes: ['multipart/form-data'],
      security: [{ key: [] }],
      body: z.object({ file, ...fields.shape }),
      response: {
        200: {
          description: 'The transcript in the form that `response_format` asks for',
          content: {
            'application/json': { schema: z.union([plainTranscript, verboseTranscript]) },
            'text/plain': { schema: z.string() },
            'text/event-stream': { schema: z.string() },
          },
        },
        ...errorResponses,
      },
    },
    validatorCompiler: () => (value) => ({ value }),
  };
}

/** Leaves request bodies unread until a handler of this scope reads them, whatever their type. */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * Validates the fields of a form. An empty field means 'not given', of a repeated one the last counts, unknown ones are
 * ignored. Throws HearsayError naming the first field at fault.
 */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: Map<string, string[]>,
): z.infer<Schema> {
  const values: Record<string, string | string[]> = {};
  const granularities: string[] = [];
  for (const [name, given] of fields) {
    const notEmpty = given.filter((value) => value.trim() !== '');
    if (/^timestamp_granularities(\[\d*\])?$/.test(name)) granularities.push(...notEmpty.flatMap(listItems));
    else if (notEmpty.length > 0 && Object.hasOwn(schema.shape, name)) values[name] = notEmpty.at(-1)!;
  }
  if (granularities.length > 0) values['timestamp_granularities[]'] = granularities;

  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [field = ''] = issue.path;
  if (field === 'response_format') throw invalidField(issue, 'unsupported_response_format');
  if (field === 'language') throw invalidField(issue, 'unsupported_language');
  throw invalidField({ path: [field], message: issue.message });
}

/** `a`, `a,b` and `["a","b"]`: clients write a list into one field in any of these ways. */
function listItems(value: string): string[] {
  return value
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((item) => item.trim().replace(/^"(.*)"$/, '$1'))
    .filter((item) => item !== '');
}

function refuseUnlessUsable({ state }: SpeechModels): void {
  if (state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
}

function refuseUnlessCapable(info: SpeechModelInfo, task: TranscriptionTask, { language }: AudioOptions): void {
  if (task === 'translate' && !info.translates) {
    throw new HearsayError('unsupported_task', `The model ${info.model} cannot translate; ${translatingSizes()} can.`);
  }
  if (language !== undefined && !info.languages.includes(language)) {
    const name = languageName(language) ?? language;
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: ${language}. The model ${info.model} does not know ${name}; ${sizesKnowing(language)} does.`,
      { param: 'language' },
    );
  }
}

/**
 * Serves one audio request: place in the queue, upload, fields, turn, engine, answer. A client that hangs up gives its
 * place, its work and its file back at once.
 */
export async function answerAudioRequest(
  context: AudioRequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TranscriptionTask,
  readOptions: (fields: Map<string, string[]>) => AudioOptions,
): Promise<FastifyReply> {
  const { models, gate, drain } = context;
  const signal = hangUpSignal(reply);
  const leaveDrain = drain.enter();
  let place: ReturnType<Gate['enter']> | undefined;
  let form: Awaited<ReturnType<typeof readForm>> | undefined;
  let finish: () => void;
  try {
    refuseUnlessUsable(models);
    place = gate.enter();
    form = await readForm(request.raw, {
      uploadFolder: context.uploadFolder,
      maxBytes: context.maxUploadBytes,
      stallTimeoutMs: context.uploadTimeoutSeconds * 1000,
      minBytesPerSecond: context.uploadMinBytesPerSecond,
      signal,
      onAccepted: () => askForBody(request, reply),
    });
    const options = readOptions(form.fields);
    if (!form.file) throw new HearsayError('invalid_request', 'The form has no file.', { param: 'file' });
    if (form.file.bytes === 0) throw new HearsayError('invalid_audio', 'The file is empty.', { param: 'file' });
    if (models.info) refuseUnlessCapable(models.info, task, options);
    await place.turn(signal);

    const { language, prompt } = options;
    const job: TranscriptionJob = {
      path: form.file.path,
      task,
      ...(language !== undefined && { language }),
      ...(prompt !== undefined && { prompt }),
      ...(!showsTimes(options) && { textOnly: true }),
      maxAudioSeconds: context.maxAudioSeconds,
    };
    if (options.stream) {
      finish = await streamTranscript(context, job, options, reply, request, signal);
    } else {
      const transcript = await transcribe(context, job, options, signal);
      const { contentType, body } = await renderTranscript(transcript, options.response_format, options);
      finish = () => reply.type(contentType).send(body);
    }
  } finally {
    place?.leave();
    leaveDrain();
    await form?.remove().catch((error) => request.log.warn({ err: error }, 'An uploaded file could not be removed'));
  }
  finish();
  return reply;
}

/** Whether anything of an answer depends on when it was said. */
function showsTimes({ stream, response_format: format }: AudioOptions): boolean {
  return format === 'verbose_json' || (!stream && (format === 'srt' || format === 'vtt'));
}

async function transcribe(
  { models, onTranscribed }: AudioRequestContext,
  job: TranscriptionJob,
  options: AudioOptions,
  signal: AbortSignal,
  stream?: { onSegment(segment: Segment): void; mayRetry(): boolean },
): Promise<Transcript> {
  const transcript = await models.use(
    async (engine) => {
      // Another model may have been activated since the request came.
      refuseUnlessCapable(engine.info, job.task, options);
      const segments: Segment[] = [];
      let end: Extract<TranscriptionEvent, { type: 'end' }> | undefined;
      for await (const event of engine.run(job, signal)) {
        if (event.type === 'end') {
          end = event;
        } else {
          segments.push(event.segment);
          stream?.onSegment(event.segment);
        }
      }
      if (!end) throw new Error('The engine finished a recording without its end event.');
      return { task: job.task, language: end.language, duration: end.duration, segments };
    },
    { mayRetry: () => stream?.mayRetry() ?? true, signal },
  );
  onTranscribed(transcript.duration);
  return transcript;
}

/** Sends the segments as they come. The returned function ends the answer, well or badly. */
async function streamTranscript(
  context: AudioRequestContext,
  job: TranscriptionJob,
  options: AudioOptions,
  reply: FastifyReply,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<() => void> {
  const events = new EventStream(reply);
  const isVerbose = options.response_format === 'verbose_json';
  const onSegment = ({ text, start, end }: Segment) => {
    const delta = events.delivered ? text : text.trimStart();
    const times = isVerbose && { start: milliseconds(start), end: milliseconds(end) };
    events.send({ type: 'transcript.text.delta', delta, ...times });
  };
  try {
    const transcript = await transcribe(context, job, options, signal, {
      onSegment,
      mayRetry: () => !events.delivered,
    });
    const { body } = await renderTranscript(transcript, isVerbose ? 'verbose_json' : 'json', options);
    return () => {
      events.sendJson(`{"type":"transcript.text.done",${body.slice(1)}`);
      events.end();
    };
  } catch (error) {
    if (!events.begun) throw error;
    if (signal.aborted) return () => {};
    const known = toHearsayError(error, request, request.log);
    return () => events.fail(known);
  }
}
