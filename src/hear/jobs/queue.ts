import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import type { JobRequest, StoredJob } from './job.ts';

/** A rendered transcript. */
export interface JobResponse {
  contentType: string;
  body: string;
}

/** A job leased to one worker. Exactly one of `complete`, `fail` and `release` ends it. */
export interface JobLease {
  readonly job: StoredJob;
  /** The recording, readable by the engine until the lease ends. */
  readonly path: string;
  /** Aborts when the job is cancelled or another worker has it: its outcome no longer counts. */
  readonly signal: AbortSignal;
  /** Reports seconds of the recording that are done. */
  progress(seconds: number): void;
  /** Resolves when it is recorded that an engine died on the job. */
  suspect(): Promise<void>;
  /** @throws HearsayError `storage_full`; the lease then continues */
  complete(response: JobResponse): Promise<void>;
  /** @throws HearsayError `storage_full`; the lease then continues */
  fail(error: HearsayError): Promise<void>;
  /** Returns the job to the queue, for any worker. */
  release(): Promise<void>;
}

/** A due callback, leased to one deliverer. One of the methods ends it. */
export interface CallbackLease {
  readonly job: StoredJob;
  delivered(): Promise<void>;
  /** @param dueAt when to try again, in milliseconds since 1970; undefined: never */
  failed(reason: string, dueAt: number | undefined): Promise<void>;
}

export interface JobCounts {
  queued: number;
  running: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

/** Jobs kept across restarts, see docs/decisions/0027-jobs.md. No job is lost, and none has two workers at a time. */
export interface JobQueue {
  /** Where to receive uploads; undefined: anywhere. */
  readonly uploadDir: string | undefined;
  readonly counts: JobCounts;
  /** When the oldest waiting job was created, in milliseconds since 1970. */
  readonly oldestQueuedAt: number | undefined;
  /** @throws HearsayError `queue_full` if there are too many unfinished jobs, `storage_full` if their uploads are too large */
  assertRoom(): void;
  /**
   * Takes over the upload. Once it resolves, the job survives everything but the loss of its disk.
   * @throws HearsayError as `assertRoom`
   */
  enqueue(request: JobRequest, upload: { path: string; bytes: number }): Promise<StoredJob>;
  get(id: string): Promise<StoredJob | undefined>;
  /** The body of a succeeded job's response. */
  response(id: string): Promise<Buffer | undefined>;
  /** Cancels an unfinished job. @returns the job as it is then; undefined if there is none */
  cancel(id: string): Promise<StoredJob | undefined>;
  /** Removes a finished job. @returns whether it was there */
  remove(id: string): Promise<boolean>;
  /** Waits for a job and leases it. @throws the reason of `signal`; then no job is leased */
  take(signal: AbortSignal): Promise<JobLease>;
  /** Waits for a callback that is due. @throws the reason of `signal` */
  takeCallback(signal: AbortSignal): Promise<CallbackLease>;
  /** Closes the queue; leases that have not ended are lost. */
  close(): Promise<void>;
}

/** Limits of a queue. */
export interface JobLimits {
  /** Jobs, finished ones included. */
  maxJobs: number;
  /** Bytes of uploads and responses. */
  maxBytes: number;
  /** Milliseconds that a finished job is kept. */
  ttlMs: number;
  /** Whether a finished job is kept for longer, until its callback is delivered or has failed for good. */
  keepsCallbacks: boolean;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Bytes that a job keeps on disk: the upload until it has finished, then the response. */
function bytesOf(job: StoredJob): number {
  const { status, uploadBytes, response } = job;
  return status === 'queued' || status === 'running' ? uploadBytes : (response?.bytes ?? 0);
}

const isCallbackPending = ({ callback }: StoredJob) => callback?.status === 'pending';

/**
 * Finished jobs to remove: expired ones, and the first finished ones beyond the limits, those with a pending callback
 * last.
 */
export function outdated(
  jobs: readonly StoredJob[],
  { maxJobs, maxBytes, ttlMs, keepsCallbacks }: JobLimits,
): StoredJob[] {
  const isKept = (job: StoredJob) => keepsCallbacks && isCallbackPending(job);
  const finished = jobs.filter(({ finishedAt }) => finishedAt !== undefined);
  finished.sort((a, b) => Number(isKept(a)) - Number(isKept(b)) || a.finishedAt! - b.finishedAt!);
  let count = jobs.length;
  let bytes = sum(jobs.map(bytesOf));
  const oldest = Date.now() - ttlMs;
  return finished.filter((job) => {
    const isWanted = job.finishedAt! > oldest || isKept(job);
    if (isWanted && count <= maxJobs && bytes <= maxBytes) return false;
    count--;
    bytes -= bytesOf(job);
    return true;
  });
}

/** Logs a job that is removed before its callback was delivered. */
export function logLostCallback(job: StoredJob, log: FastifyBaseLogger): void {
  if (!isCallbackPending(job)) return;
  log.warn({ job: job.id.slice(0, 12) }, 'A finished job is removed before its callback was delivered');
}

export function countJobs(jobs: Iterable<StoredJob>): JobCounts {
  const counts = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };
  for (const { status } of jobs) counts[status]++;
  return counts;
}

/** Seconds between attempts to deliver a callback; after the last one it has failed. */
export const CALLBACK_DELAYS = [5, 30, 120, 600, 1800, 7200, 21_600];
const MAX_CALLBACK_DELAY_MS = 1000 * Math.max(...CALLBACK_DELAYS);

/** When pending callbacks are due, by `performance.now()`. */
const dueTimes = new WeakMap<StoredJob, number>();

/**
 * When to deliver a callback, by `performance.now()`. Reads the system's clock once per attempt: if it is set back while the
 * callback waits, or between two starts, the receiver would hear of the job hours or years late.
 */
function dueTime(job: StoredJob, dueAt: number): number {
  const known = dueTimes.get(job);
  if (known !== undefined) return known;
  const due = performance.now() + Math.min(dueAt - Date.now(), MAX_CALLBACK_DELAY_MS);
  dueTimes.set(job, due);
  return due;
}

/** A job whose callback is due, or milliseconds until one is; neither if none is pending. */
export function nextCallback(jobs: readonly StoredJob[]): { due?: StoredJob; waitMs?: number } {
  let waitMs: number | undefined;
  for (const job of jobs) {
    const { status, dueAt } = job.callback ?? {};
    if (status !== 'pending' || dueAt === undefined) continue;
    const remaining = dueTime(job, dueAt) - performance.now();
    if (remaining <= 0) return { due: job };
    waitMs = Math.min(waitMs ?? remaining, remaining);
  }
  return waitMs === undefined ? {} : { waitMs };
}

/** A job after an attempt to deliver its callback. */
export function withCallback(
  job: StoredJob,
  change: Partial<NonNullable<StoredJob['callback']>>,
): StoredJob | undefined {
  if (!job.callback) return undefined;
  const { dueAt, error, ...callback } = job.callback;
  return { ...job, callback: { ...callback, attempts: callback.attempts + 1, ...change } };
}

export const CHANGE_NOT_SAVED = 'The disk is full: the job was not changed.';
export const RESPONSE_NOT_SAVED = 'The disk is full: the response of the job was not saved.';

/** @throws HearsayError `queue_full` or `storage_full`, see `JobQueue` */
export function assertRoom(jobs: readonly StoredJob[], { maxJobs, maxBytes }: JobLimits, uploadBytes: number): void {
  const unfinished = jobs.filter(({ finishedAt }) => finishedAt === undefined);
  if (unfinished.length >= maxJobs) {
    throw new HearsayError('queue_full', 'Too many background jobs wait. Try again when some have finished.');
  }
  const bytes = unfinished.reduce((total, job) => total + job.uploadBytes, uploadBytes);
  if (bytes > maxBytes) {
    throw new HearsayError('storage_full', `The uploads of all background jobs would exceed ${maxBytes} bytes.`);
  }
}
