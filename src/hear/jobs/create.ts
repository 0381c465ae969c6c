import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { HearConfig } from '../config.ts';
import { CallbackSender } from './callbacks.ts';
import { Jobs } from './jobs.ts';
import { Journal } from './journal.ts';
import { NatsQueue } from './nats-queue.ts';
import { webhookKey } from './webhook.ts';

type JobsConfig = Pick<
  HearConfig,
  | 'callbackAllowPrivate'
  | 'callbackSecret'
  | 'dataDir'
  | 'jobConcurrency'
  | 'jobDiskBytes'
  | 'jobTtlSeconds'
  | 'jobsUrl'
  | 'maxJobs'
>;

/** Milliseconds without a renewal after which a replica loses its jobs to others. */
const ACK_WAIT_MS = 15_000;

/** Creates background jobs from the settings; the queue is not open yet. */
export function createJobs(config: JobsConfig, temporaryDir: string, log: FastifyBaseLogger): Jobs {
  const key = webhookKey(config.callbackSecret ?? '');
  const limits = {
    maxJobs: config.maxJobs,
    maxBytes: config.jobDiskBytes,
    ttlMs: config.jobTtlSeconds * 1000,
    // Callbacks are delivered only if there is a key to sign them with.
    keepsCallbacks: key !== undefined,
  };
  const openJournal = () => Journal.open({ ...limits, folder: join(config.dataDir, 'jobs'), log });
  const openNats = (url: string) =>
    NatsQueue.open({ ...limits, url, prefix: 'hearsay', ackWaitMs: ACK_WAIT_MS, temporaryDir, log }).catch((cause) => {
      throw new Error(`JOBS_URL: ${cause.message}`, { cause });
    });
  return new Jobs({
    open: () => (config.jobsUrl === undefined ? openJournal() : openNats(config.jobsUrl)),
    concurrency: config.jobConcurrency,
    ttlMs: limits.ttlMs,
    callbacks: key && new CallbackSender({ key, allowPrivate: config.callbackAllowPrivate, log }),
    log,
  });
}
