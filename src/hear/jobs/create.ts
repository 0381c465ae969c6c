import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { HearConfig } from '../config.ts';
import { CallbackSender } from './callbacks.ts';
import { Jobs } from './jobs.ts';
import { Journal } from './journal.ts';
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

/** Background jobs as the settings have them; the queue is not open yet. */
export function createJobs(config: JobsConfig, log: FastifyBaseLogger): Jobs {
  const limits = { maxJobs: config.maxJobs, maxBytes: config.jobDiskBytes, ttlMs: config.jobTtlSeconds * 1000 };
  const key = webhookKey(config.callbackSecret ?? '');
  return new Jobs({
    open: () => Journal.open({ ...limits, folder: join(config.dataDir, 'jobs'), log }),
    concurrency: config.jobConcurrency,
    ttlMs: limits.ttlMs,
    callbacks: key && new CallbackSender({ key, allowPrivate: config.callbackAllowPrivate, log }),
    log,
  });
}
