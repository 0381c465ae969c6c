import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { TranscriptionJob } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { errorSpecs } from '../../http/errors.ts';
import { type ResponseFormat, responseFormats } from '../transcript/response.ts';

/** The request of a client, without the recording. */
export interface JobRequest {
  transcription: Omit<TranscriptionJob, 'path'>;
  /** How to render the transcript. */
  format: ResponseFormat;
  words: boolean;
  logprobs: boolean;
  isExtended: boolean;
  /** Where to report the end of the job. */
  callbackUrl?: string | undefined;
}

const milliseconds = z.number().int().nonnegative();

/** A job as stored in a queue. Times are in milliseconds since 1970. */
export const storedJob = z.object({
  version: z.literal(1),
  id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  createdAt: milliseconds,
  startedAt: milliseconds.optional(),
  finishedAt: milliseconds.optional(),
  transcription: z.custom<JobRequest['transcription']>(
    (value) => z.looseObject({ task: z.enum(['transcribe', 'translate']) }).safeParse(value).success,
  ),
  format: z.enum(responseFormats),
  words: z.boolean(),
  logprobs: z.boolean(),
  isExtended: z.boolean(),
  uploadBytes: z.number().int().nonnegative(),
  /** Number of workers that have taken it and did not give it back. */
  starts: z.number().int().nonnegative(),
  /** The worker that has it, or had it last, if several processes share the queue. */
  worker: z.string().optional(),
  /** Whether an engine has died on it. */
  isSuspect: z.boolean(),
  /** Seconds of the recording that are done. */
  progress: z.number().nonnegative().optional(),
  response: z.object({ contentType: z.string(), bytes: z.number().int().nonnegative() }).optional(),
  error: z
    .object({
      code: z.custom<HearsayError['code']>((code) => typeof code === 'string' && code in errorSpecs),
      message: z.string(),
      param: z.string().optional(),
    })
    .optional(),
  callback: z
    .object({
      url: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      attempts: z.number().int().nonnegative(),
      /** When to try next. */
      dueAt: milliseconds.optional(),
      /** Why the last attempt failed. */
      error: z.string().optional(),
    })
    .optional(),
});

export type StoredJob = z.infer<typeof storedJob>;

/**
 * A job whose workers died this often fails, because it may be the cause. Deaths of engines are counted separately
 * (`isSuspect`): the second one fails the job.
 */
export const MAX_STARTS = 10;

/** 128 random bits, so that ids cannot be guessed. */
export function newJob({ callbackUrl, format, ...request }: JobRequest, uploadBytes: number): StoredJob {
  // Only whisper-asr-webservice has it, and its route takes no jobs.
  if (format === 'tsv') throw new Error('Background jobs do not support tsv.');
  return {
    version: 1,
    id: `job_${randomBytes(16).toString('hex')}`,
    status: 'queued',
    createdAt: Date.now(),
    ...request,
    format,
    uploadBytes,
    starts: 0,
    isSuspect: false,
    ...(callbackUrl !== undefined && { callback: { url: callbackUrl, status: 'pending', attempts: 0 } }),
  };
}

/** Whether a text can be the id of a job. */
export const isJobId = (text: string) => /^job_[0-9a-f]{32}$/.test(text);

/** Whether a job is neither waiting nor running. */
export const isFinished = ({ status }: Pick<StoredJob, 'status'>) => status !== 'queued' && status !== 'running';

/** A worker takes the job. */
export function started(job: StoredJob): StoredJob {
  const { progress, ...rest } = job;
  return { ...rest, status: 'running', startedAt: Date.now(), starts: job.starts + 1 };
}

/** A worker returns the job to the queue, and the start does not count. */
export function returned(job: StoredJob): StoredJob {
  const { progress, startedAt, ...rest } = job;
  return { ...rest, status: 'queued', starts: Math.max(0, job.starts - 1) };
}

/** A job whose worker died goes back to the queue, or fails if that happened too often. */
export function abandoned(job: StoredJob): StoredJob {
  const { progress, startedAt, ...rest } = job;
  if (job.starts < MAX_STARTS) return { ...rest, status: 'queued' };
  return failed(job, new HearsayError('engine_failed', `The service ended ${MAX_STARTS} times during this job.`));
}

export function succeeded(job: StoredJob, response: NonNullable<StoredJob['response']>): StoredJob {
  return finished({ ...job, status: 'succeeded', response });
}

export function failed(job: StoredJob, { code, message, param }: HearsayError): StoredJob {
  return finished({ ...job, status: 'failed', error: { code, message, ...(param !== undefined && { param }) } });
}

export function cancelled(job: StoredJob): StoredJob {
  const { callback, ...rest } = job;
  // A client that cancels a job needs no callback.
  return finished({ ...rest, status: 'cancelled' });
}

function finished(job: StoredJob): StoredJob {
  const { callback } = job;
  const finishedAt = Date.now();
  return { ...job, finishedAt, ...(callback && { callback: { ...callback, dueAt: finishedAt } }) };
}

/** The error of a failed job, as the synchronous request would have had it. */
export function errorOf({ error }: StoredJob): HearsayError | undefined {
  return error && new HearsayError(error.code, error.message, error.param === undefined ? {} : { param: error.param });
}
