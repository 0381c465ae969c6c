import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { errorBody, errorEnvelope, errorSpecs, sendError } from '../../http/errors.ts';
import { route } from '../../http/route.ts';
import { errorOf, isFinished, isJobId, type StoredJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { milliseconds } from '../transcript/milliseconds.ts';
import { transcriptAnswer } from '../transcript/response.ts';

const seconds = z.number().int().describe('Seconds since 1970.');

const base = {
  id: z.string(),
  object: z.literal('transcription.job'),
  task: z.enum(['transcribe', 'translate']),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  created_at: seconds,
  started_at: seconds.nullable(),
  finished_at: seconds.nullable(),
  expires_at: seconds
    .nullable()
    .describe(
      'When a finished job is removed: earlier if there are too many jobs, later if its callback is still pending.',
    ),
  progress: z.object({ seconds: z.number().describe('Seconds of the recording transcribed so far.') }).nullable(),
  error: errorEnvelope.shape.error.nullable(),
  callback: z
    .object({
      url: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      attempts: z.number().int(),
      error: z.string().nullable().describe('Why the last attempt failed.'),
    })
    .nullable(),
};

export const jobObject = z
  .object({
    ...base,
    response: z
      .object({
        status: z.number().int(),
        content_type: z.string(),
        body: z.union([transcriptAnswer, z.string(), errorEnvelope]),
      })
      .nullable()
      .describe(
        'The response that the request would have had without `background`: JSON as an object, text as a string.',
      ),
  })
  .meta({ id: 'TranscriptionJob' });

const deletedJob = z.object({ id: z.string(), object: z.literal('transcription.job'), deleted: z.literal(true) });

const JSON_TYPE = 'application/json; charset=utf-8';

const toSeconds = (ms: number | undefined) => (ms === undefined ? null : Math.floor(ms / 1000));

/**
 * Renders a job as JSON.
 * @param body of the response of a succeeded job, spliced in unparsed
 */
export function renderJob(job: StoredJob, { ttlMs }: Pick<Jobs, 'ttlMs'>, body?: Buffer): string {
  const { id, status, transcription, createdAt, startedAt, finishedAt, progress, callback } = job;
  const error = errorOf(job);
  const head = JSON.stringify({
    id,
    object: 'transcription.job',
    task: transcription.task,
    status,
    created_at: Math.floor(createdAt / 1000),
    started_at: toSeconds(startedAt),
    finished_at: toSeconds(finishedAt),
    expires_at: toSeconds(finishedAt === undefined ? undefined : finishedAt + ttlMs),
    progress: status === 'running' ? { seconds: milliseconds(progress ?? 0) } : null,
    error: error ? errorBody(error).error : null,
    callback: callback
      ? { url: callback.url, status: callback.status, attempts: callback.attempts, error: callback.error ?? null }
      : null,
  } satisfies z.infer<z.ZodObject<typeof base>>);
  return `${head.slice(0, -1)},"response":${renderResponse(job, error, body)}}`;
}

function renderResponse({ response }: StoredJob, error: HearsayError | undefined, body: Buffer | undefined): string {
  if (error) {
    const { status } = errorSpecs[error.code];
    return JSON.stringify({ status, content_type: JSON_TYPE, body: errorBody(error) });
  }
  if (!response || !body) return 'null';
  const { contentType } = response;
  const text = body.toString();
  const value = contentType === JSON_TYPE ? text : JSON.stringify(text);
  return `{"status":200,"content_type":${JSON.stringify(contentType)},"body":${value}}`;
}

/** @throws HearsayError `not_found` */
async function find(jobs: Jobs, id: string): Promise<StoredJob> {
  const job = isJobId(id) ? await jobs.queue.get(id) : undefined;
  if (!job) throw new HearsayError('not_found', 'The job does not exist or has expired.', { param: 'id' });
  return job;
}

/** GET and DELETE /v1/jobs/{id}, and GET /v1/jobs/{id}/response. */
export function jobRoutes(app: FastifyInstance, jobs: Jobs): void {
  const params = z.object({ id: z.string() });
  const sendJob = async (reply: FastifyReply, job: StoredJob) => {
    const body = job.response && (await jobs.queue.response(job.id));
    return reply
      .type(JSON_TYPE)
      .header('cache-control', 'no-store')
      .send(renderJob(job, jobs, body));
  };
  route(app, {
    method: 'GET',
    url: '/v1/jobs/:id',
    operationId: 'retrieveJob',
    tag: 'audio',
    summary: 'Retrieve a background job',
    params,
    response: { 200: jobObject },
    handler: async (request, reply) => sendJob(reply, await find(jobs, request.params.id)),
  });
  route(app, {
    method: 'GET',
    url: '/v1/jobs/:id/response',
    operationId: 'retrieveJobResponse',
    tag: 'audio',
    summary: 'The response of a background job',
    description:
      'Returns the response that the request would have had without `background`: status, content type and body. While the job is unfinished, returns 202 with the job.',
    params,
    response: {
      200: {
        description: 'The transcript in the requested `response_format`',
        content: { 'application/json': { schema: transcriptAnswer }, 'text/plain': { schema: z.string() } },
      },
      202: jobObject,
    },
    handler: async (request, reply) => {
      const job = await find(jobs, request.params.id);
      if (!isFinished(job)) return sendJob(reply.code(202).header('retry-after', '5'), job);
      reply.header('cache-control', 'no-store');
      const error = errorOf(job);
      if (error) return sendError(reply, error);
      const body = job.response && (await jobs.queue.response(job.id));
      if (!job.response) throw new HearsayError('not_found', 'The job was cancelled.', { param: 'id' });
      if (!body) throw new HearsayError('not_found', 'The response of this job was lost.', { param: 'id' });
      return reply.type(job.response.contentType).send(body);
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/v1/jobs/:id',
    operationId: 'deleteJob',
    tag: 'audio',
    summary: 'Cancel or remove a background job',
    description:
      'Cancels a queued or running job and returns it; removes a finished job. Either way its recording is deleted at once.',
    params,
    response: { 200: z.union([jobObject, deletedJob]) },
    handler: async (request, reply) => {
      const { id } = request.params;
      const job = await find(jobs, id);
      if (isFinished(job) && (await jobs.queue.remove(id))) {
        return reply.send({ id, object: 'transcription.job', deleted: true } satisfies z.infer<typeof deletedJob>);
      }
      return sendJob(reply, (await jobs.queue.cancel(id)) ?? (await find(jobs, id)));
    },
  });
}
