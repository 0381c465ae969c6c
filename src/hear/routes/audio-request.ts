import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type {
  Segment,
  SpeechModelInfo,
  TranscriptionEvent,
  TranscriptionJob,
  TranscriptionTask,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { sendContinue } from '../../http/connections.ts';
import { toHearsayError } from '../../http/errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import type { IncomingBody } from '../../http/incoming-bodies.ts';
import { readJsonForm } from '../../http/json-upload.ts';
import { type Form, type ReadFormOptions, readForm } from '../../http/multipart.ts';
import { disconnectSignal } from '../../http/server.ts';
import type { Admission } from '../../scheduling/admission.ts';
import { type Attributes, during, type RequestSpan } from '../../tracing/tracing.ts';
import type { HearContext, HearModels } from '../context.ts';
import { isForeignSpeech } from '../foreign-speech.ts';
import { sizesKnowing, translatingSizes } from '../presets.ts';
import { languageName } from '../transcript/languages.ts';
import { milliseconds, renderLanguage, renderTranscript, type Transcript } from '../transcript/response.ts';
import { deltaLogprobs } from '../transcript/token-logprobs.ts';
import type { AudioOptions } from './audio-form.ts';

/** How the form of a route differs from the usual one. */
export type UploadOptions = Pick<ReadFormOptions, 'fileField' | 'filePrefix'>;

/**
 * Serves an audio request from upload to response: upload, fields, place in the queue, slot, engine. A client that
 * disconnects frees its place, its engine work and its file at once.
 */
export async function handleAudioRequest(
  context: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TranscriptionTask,
  readOptions: (fields: Form['fields']) => AudioOptions,
  uploadOptions: UploadOptions = {},
): Promise<FastifyReply> {
  const { models, gate, uploads, drain, config } = context;
  const signal = disconnectSignal(reply);
  const leaveDrain = drain.enter();
  let upload: IncomingBody | undefined;
  let admission: Admission | undefined;
  let form: Form | undefined;
  let respond: () => void;
  try {
    assertReady(models);
    // A full queue is known before the upload; a place in it is taken after.
    gate.assertRoom();
    upload = uploads.open();
    const opened = { upload, signal, ...uploadOptions };
    form = await during(request.raw, 'upload', async (annotate) => {
      const received = await readUpload(context, request, reply, opened);
      annotate({ 'hearsay.upload.bytes': received.file?.bytes });
      return received;
    });
    upload.complete();
    const options = readOptions(form.fields);
    const job = createJob(form, task, options, { maxAudioSeconds: config.maxAudioSeconds, ...uploadOptions });
    if (models.info) assertCapable(models.info, task, options);
    admission = gate.admit();
    const waiting = admission;
    await during(request.raw, 'queue', () => waiting.slot(signal));

    if (options.stream) {
      respond = await streamTranscript(context, request, reply, job, options, signal);
    } else {
      const transcript = await transcribe(context, job, { signal, log: request.log, head: request.raw });
      const { contentType, body } = options.detectOnly
        ? renderLanguage(transcript)
        : await renderTranscript(transcript, options.response_format, options);
      respond = () => reply.type(contentType).send(body);
    }
  } finally {
    admission?.release();
    leaveDrain();
    await form?.remove().catch((error) => request.log.warn({ err: error }, 'An uploaded file could not be removed'));
    upload?.release();
  }
  // Last: once a client has its response, nothing of the request is left.
  respond();
  return reply;
}

/** Reads the form, or the JSON that stands for one. */
async function readUpload(
  { uploadDir, config }: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { upload, signal, ...file }: UploadOptions & { upload: IncomingBody; signal: AbortSignal },
): Promise<Form> {
  const options = { uploadDir, maxBytes: config.maxUploadBytes, onReceived: upload.receive };
  const { body } = request;
  if (Buffer.isBuffer(body)) {
    // Only the file is needed from here on.
    request.body = undefined;
    return readJsonForm(body, options);
  }
  return readForm(request.raw, {
    ...options,
    ...file,
    stallTimeoutMs: config.uploadTimeoutSeconds * 1000,
    minBytesPerSecond: config.uploadMinBytesPerSecond,
    signal: AbortSignal.any([signal, upload.signal]),
    onAccepted: () => sendContinue(request, reply),
  });
}

/** @throws HearsayError `model_warming` or `model_failed` */
export function assertReady({ state }: HearModels): void {
  if (state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
}

/** @throws HearsayError `invalid_request` or `invalid_audio` without a recording */
function createJob(
  { file }: Form,
  task: TranscriptionTask,
  options: AudioOptions,
  { maxAudioSeconds, fileField: param = 'file' }: UploadOptions & { maxAudioSeconds: number },
): TranscriptionJob {
  if (!file) throw new HearsayError('invalid_request', 'The form has no file.', { param });
  if (file.bytes === 0) throw new HearsayError('invalid_audio', 'The file is empty.', { param });
  const { language, languages, prompt, keywords = [], logprobs, voiceActivity, detectOnly } = options;
  return {
    path: file.path,
    task,
    ...(language !== undefined && { language }),
    ...(language === undefined && languages && { languages }),
    ...(prompt !== undefined && { prompt }),
    ...(keywords.length > 0 && { keywords }),
    ...(logprobs && { logprobs }),
    ...(voiceActivity && { voiceActivity }),
    ...(detectOnly && { detectOnly }),
    maxAudioSeconds,
  };
}

/**
 * Transcribes a job and sends its segments as they come: `transcript.text.delta` events, then `transcript.text.done`.
 * @returns a function that ends the response, with the last event or with an error
 */
async function streamTranscript(
  context: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  job: TranscriptionJob,
  options: AudioOptions,
  signal: AbortSignal,
): Promise<() => void> {
  const events = new EventStream(reply);
  const isVerbose = options.response_format === 'verbose_json';
  const onSegment = (segment: Segment) => {
    const { text, start, end } = segment;
    const isFirst = !events.delivered;
    events.send({
      type: 'transcript.text.delta',
      delta: isFirst ? text.trimStart() : text,
      ...(options.logprobs && { logprobs: deltaLogprobs(segment, isFirst) }),
      ...(isVerbose && { start: milliseconds(start), end: milliseconds(end) }),
    });
  };
  try {
    const transcript = await transcribe(context, job, {
      signal,
      log: request.log,
      head: request.raw,
      mayRetry: () => !events.delivered,
      onSegment,
    });
    const format = isVerbose ? 'verbose_json' : 'json';
    const { body } = await renderTranscript(transcript, format, { ...options, isExtended: true });
    return () => {
      events.sendJson(`{"type":"transcript.text.done",${body.slice(1)}`);
      events.end();
    };
  } catch (error) {
    if (!events.started) throw error;
    if (signal.aborted) return () => {};
    const failure = toHearsayError(error, request, request.log);
    return () => events.fail(failure);
  }
}

interface TranscribeOptions {
  signal: AbortSignal;
  log: FastifyBaseLogger;
  /** Of the request, for its trace. */
  head?: IncomingMessage;
  /** Whether the job may start again after its engine died. Default: it may. */
  mayRetry?: () => boolean;
  onSegment?: (segment: Segment) => void;
}

/** Runs a job in the engine and collects its transcript. */
export async function transcribe(
  { models, onTranscribed }: Pick<HearContext, 'models' | 'onTranscribed'>,
  job: TranscriptionJob,
  { signal, log, head, mayRetry = () => true, onSegment }: TranscribeOptions,
): Promise<Transcript> {
  const infer = (annotate: (attributes: Attributes) => void, span: RequestSpan | undefined) =>
    models.use(
      async (engine) => {
        // Another model may have been activated since the request arrived.
        assertCapable(engine.info, job.task, job);
        const segments: Segment[] = [];
        let end: Extract<TranscriptionEvent, { type: 'end' }> | undefined;
        const started = performance.now();
        for await (const event of engine.run(job, signal)) {
          if (event.type === 'end') {
            end = event;
          } else if (event.type === 'segment') {
            segments.push(event.segment);
            onSegment?.(event.segment);
          }
        }
        if (!end) throw new Error('The engine finished a recording without its end event.');
        const { type, decodedAfter = 0, ...facts } = end;
        span?.start('decode', started).end({ atMs: started + decodedAfter * 1000 });
        const inference = (performance.now() - started) / 1000;
        annotate({ 'hearsay.model': engine.info.model, 'hearsay.audio.seconds': facts.duration });
        return { task: job.task, ...facts, segments, inference, known: engine.info.languages };
      },
      { mayRetry, signal },
    );
  const { missed, known, inference, batching, ...transcript } = await during(head, 'inference', infer);
  const isForeign = known.length === 1 && isForeignSpeech(transcript.segments);
  onTranscribed({ duration: transcript.duration, inference, batching, missed, isForeign });
  if (missed > 0) log.warn({ missedSeconds: milliseconds(missed) }, 'Some speech gave no text');
  if (isForeign) log.warn({ language: known[0] }, 'The speech does not sound like the only language of the model');
  return transcript;
}

/** @throws HearsayError `unsupported_task` or `unsupported_language` */
export function assertCapable(
  info: SpeechModelInfo,
  task: TranscriptionTask,
  { language, languages }: Pick<AudioOptions, 'language' | 'languages'>,
): void {
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
  if (languages?.length && !languages.some((code) => info.languages.includes(code))) {
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: the model ${info.model} knows none of ${languages.join(', ')}; ${sizesKnowing(languages[0]!)} does.`,
      { param: 'languages[]' },
    );
  }
}
