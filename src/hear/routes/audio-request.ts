import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Segment, TranscriptionJob, TranscriptionTask } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { sendContinue } from '../../http/early-response.ts';
import { toHearsayError } from '../../http/errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import { assertReady } from '../../http/health.ts';
import type { IncomingBody } from '../../http/incoming-bodies.ts';
import { readJsonForm } from '../../http/json-upload.ts';
import { type Form, type ReadFormOptions, readForm } from '../../http/multipart.ts';
import { disconnectSignal } from '../../http/server.ts';
import type { Admission } from '../../scheduling/admission.ts';
import { runInSlices } from '../../scheduling/slices.ts';
import { during } from '../../tracing/tracing.ts';
import type { HearContext } from '../context.ts';
import { callbackFault } from '../jobs/webhook.ts';
import { assertCapable, noSpeakerModel, transcribe } from '../transcribe.ts';
import { milliseconds } from '../transcript/milliseconds.ts';
import { renderLanguage, renderTranscript } from '../transcript/response.ts';
import { speakerSegmentSteps } from '../transcript/speaker-segments.ts';
import { deltaLogprobs } from '../transcript/token-logprobs.ts';
import type { AudioOptions } from './audio-form.ts';
import { renderJob } from './jobs.ts';
import { references, speakerField, withKnownSpeakers } from './speaker-fields.ts';

/** How the form of a route differs from the usual one. */
export type UploadOptions = Pick<ReadFormOptions, 'fileField' | 'filePrefix' | 'isField'>;

export interface AudioRequestOptions extends UploadOptions {
  /** Whether to respond with a background job at once. Default: false. */
  isBackground?: boolean | undefined;
}

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
  { isBackground = false, ...uploadOptions }: AudioRequestOptions = {},
): Promise<FastifyReply> {
  const { models, gate, uploads, drain, config, jobs } = context;
  const uploadDir = (isBackground && jobs.queue.uploadDir) || context.uploadDir;
  const signal = disconnectSignal(reply);
  const leaveDrain = drain.enter();
  let upload: IncomingBody | undefined;
  let admission: Admission | undefined;
  let form: Form | undefined;
  let respond: () => void;
  try {
    // Reject the request before the upload if the queue is full; take a place in it afterwards.
    if (isBackground) {
      jobs.queue.assertRoom();
    } else {
      assertReady(models);
      gate.assertRoom();
    }
    upload = uploads.open();
    const opened = { uploadDir, upload, signal, ...uploadOptions };
    form = await during(request.raw, 'upload', async (annotate) => {
      const received = await readUpload(context, request, reply, opened);
      annotate({ 'hearsay.upload.bytes': received.file?.bytes });
      return received;
    });
    upload.complete();
    const options = readOptions(form.fields);
    const createOptions = { maxAudioSeconds: config.maxAudioSeconds, ...uploadOptions };
    const job = await createJob(context, form, task, options, createOptions);
    if (models.info) assertCapable(models.info, task, options);
    if (!isBackground) {
      if (options.callback_url !== undefined) throw needsBackground('callback_url');
      const waiting = gate.admit();
      admission = waiting;
      await during(request.raw, 'queue', () => waiting.slot(signal));
    }

    if (isBackground) {
      respond = await enqueue(context, reply, job, options, form.file!.bytes);
    } else if (options.stream) {
      respond = await streamTranscript(context, request, reply, job, options, signal);
    } else {
      const transcript = await transcribe(context, job, { signal, log: request.log, head: request.raw });
      const { contentType, body } = options.detectOnly
        ? renderLanguage(transcript)
        : await renderTranscript(transcript, options.response_format, options);
      respond = () => reply.type(contentType).send(body);
    }
  } catch (error) {
    throw ofField(error, uploadOptions.fileField);
  } finally {
    admission?.release();
    leaveDrain();
    await form?.remove().catch((error) => request.log.warn({ err: error }, 'An uploaded file could not be removed'));
    upload?.release();
  }
  // Respond last: once a client has its response, nothing of the request may be left.
  respond();
  return reply;
}

/** Makes an error about the recording name the field of the recording. */
function ofField(error: unknown, param = 'file'): unknown {
  if (param === 'file' || !(error instanceof HearsayError) || error.param !== 'file') return error;
  return new HearsayError(error.code, error.message, { param, cause: error });
}

/** Reads the form, or the equivalent JSON. */
async function readUpload(
  { config }: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    uploadDir,
    upload,
    signal,
    ...file
  }: UploadOptions & {
    uploadDir: string;
    upload: IncomingBody;
    signal: AbortSignal;
  },
): Promise<Form> {
  const options = {
    ...file,
    uploadDir,
    maxBytes: config.maxUploadBytes,
    embedded: references,
    onReceived: upload.receive,
    signal: AbortSignal.any([signal, upload.signal]),
  };
  const { body } = request;
  if (Buffer.isBuffer(body)) {
    // Only the file is needed from here on.
    request.body = undefined;
    return readJsonForm(body, options);
  }
  return readForm(request.raw, {
    ...options,
    stallTimeoutMs: config.uploadTimeoutSeconds * 1000,
    minBytesPerSecond: config.uploadMinBytesPerSecond,
    onAccepted: () => sendContinue(request, reply),
  });
}

/**
 * @throws HearsayError `invalid_request` or `invalid_audio` without a recording; `invalid_request` or
 *   `unsupported_response_format` if speakers are asked for without a model, or without as many voices as names
 */
async function createJob(
  { speakers }: HearContext,
  { file, embedded }: Form,
  task: TranscriptionTask,
  options: AudioOptions,
  { maxAudioSeconds, fileField: param = 'file' }: UploadOptions & { maxAudioSeconds: number },
): Promise<TranscriptionJob> {
  if (!file) {
    const message = `The request has no file: the field ${param} must hold the recording.`;
    throw new HearsayError('invalid_request', message, { param });
  }
  if (file.bytes === 0) throw new HearsayError('invalid_audio', 'The file is empty.', { param });
  const asking = speakerField(options);
  if (asking !== undefined && (await speakers.name()) === undefined) throw noSpeakerModel(asking);
  const speaking = asking === undefined ? {} : await withKnownSpeakers(options, file, embedded);
  const { language, languages, prompt, keywords = [], logprobs, voiceActivity, detectOnly } = options;
  return {
    path: file.path,
    ...speaking,
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
 * Queues a background job.
 * @returns a function that responds with it
 */
async function enqueue(
  { jobs }: HearContext,
  reply: FastifyReply,
  { path, ...transcription }: TranscriptionJob,
  options: AudioOptions,
  bytes: number,
): Promise<() => void> {
  if (options.stream) throw new HearsayError('invalid_request', 'A background job cannot stream.', { param: 'stream' });
  const { response_format: format, words, logprobs = false, isExtended = false, callback_url: callbackUrl } = options;
  if (callbackUrl !== undefined) assertCallback(jobs, callbackUrl);
  const request = { transcription, format, words, logprobs, isExtended, callbackUrl };
  const stored = await jobs.queue.enqueue(request, { path, bytes });
  return () =>
    reply
      .code(202)
      .header('location', `/v1/jobs/${stored.id}`)
      .type('application/json; charset=utf-8')
      .send(renderJob(stored, jobs));
}

/** @throws HearsayError `invalid_request` */
function assertCallback({ callbacks }: HearContext['jobs'], url: string): void {
  const fault = callbacks
    ? callbackFault(url, callbacks.allowPrivate)
    : 'is not possible: the service has no CALLBACK_SECRET';
  if (fault !== undefined) {
    throw new HearsayError('invalid_request', `callback_url ${fault}`, { param: 'callback_url' });
  }
}

const needsBackground = (param: string) =>
  new HearsayError('invalid_request', `${param} needs background=true`, { param });

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
    if (job.speakers) await runInSlices(speakerSegmentSteps(transcript.segments, (event) => events.sendJson(event)));
    const format = isVerbose ? 'verbose_json' : 'json';
    const { body } = await renderTranscript(transcript, format, { ...options, isExtended: true, isEvent: true });
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
