import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TranscriptionJob, TranscriptionTask } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { sendContinue } from '../../http/early-response.ts';
import { type Form, readForm } from '../../http/multipart.ts';
import { disconnectSignal } from '../../http/server.ts';
import type { Admission } from '../../scheduling/admission.ts';
import type { HearContext, HearModels } from '../context.ts';
import { renderTranscript } from '../transcript/response.ts';
import type { AudioOptions } from './audio-form.ts';
import { assertCapable, transcribe } from './transcribe.ts';
import { streamTranscript } from './transcript-stream.ts';

/**
 * Serves an audio request from admission to response: queue slot, upload, fields, turn, engine. A client that disconnects
 * frees its slot, its engine work and its file at once.
 */
export async function handleAudioRequest(
  context: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TranscriptionTask,
  readOptions: (fields: Form['fields']) => AudioOptions,
): Promise<FastifyReply> {
  const { models, gate, drain, config } = context;
  const signal = disconnectSignal(reply);
  const leaveDrain = drain.enter();
  let admission: Admission | undefined;
  let form: Form | undefined;
  let respond: () => void;
  try {
    assertReady(models);
    admission = gate.admit();
    form = await readForm(request.raw, {
      uploadDir: context.uploadDir,
      maxBytes: config.maxUploadBytes,
      stallTimeoutMs: config.uploadTimeoutSeconds * 1000,
      minBytesPerSecond: config.uploadMinBytesPerSecond,
      signal,
      onAccepted: () => sendContinue(request, reply),
    });
    const options = readOptions(form.fields);
    const job = createJob(form, task, options, config.maxAudioSeconds);
    if (models.info) assertCapable(models.info, task, options);
    await admission.slot(signal);

    if (options.stream) {
      respond = await streamTranscript(context, request, reply, job, options, signal);
    } else {
      const transcript = await transcribe(context, job, { signal });
      const { contentType, body } = await renderTranscript(transcript, options.response_format, options);
      respond = () => reply.type(contentType).send(body);
    }
  } finally {
    admission?.release();
    leaveDrain();
    await form?.remove().catch((error) => request.log.warn({ err: error }, 'An uploaded file could not be removed'));
  }
  // Last: once a client has its response, nothing of the request is left.
  respond();
  return reply;
}

/** @throws HearsayError `model_warming` or `model_failed` */
function assertReady({ state }: HearModels): void {
  if (state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
}

/** @throws HearsayError `invalid_request` or `invalid_audio` without a recording */
function createJob(
  { file }: Form,
  task: TranscriptionTask,
  options: AudioOptions,
  maxAudioSeconds: number,
): TranscriptionJob {
  if (!file) throw new HearsayError('invalid_request', 'The form has no file.', { param: 'file' });
  if (file.bytes === 0) throw new HearsayError('invalid_audio', 'The file is empty.', { param: 'file' });
  const { language, prompt } = options;
  return {
    path: file.path,
    task,
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { prompt }),
    ...(!needsTimes(options) && { textOnly: true }),
    maxAudioSeconds,
  };
}

/** Whether the response shows times, of segments or of words. */
function needsTimes({ stream, response_format: format }: AudioOptions): boolean {
  return format === 'verbose_json' || (!stream && (format === 'srt' || format === 'vtt'));
}
