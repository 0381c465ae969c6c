import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { StoredJob } from './job.ts';
import { CALLBACK_DELAYS, type CallbackLease, type JobQueue } from './queue.ts';
import { post, signatureHeaders, WebhookRefused } from './webhook.ts';

/** Deliveries at the same time: one receiver may be slow. */
const DELIVERERS = 4;
const QUEUE_RETRY_MS = 5000;

export interface CallbackSenderOptions {
  /** Signs the messages. */
  key: Buffer;
  /** Whether callbacks may go to private addresses. */
  allowPrivate: boolean;
  log: FastifyBaseLogger;
}

/** Delivers callbacks of ended jobs, at least once each, until the receiver answers 2xx or 410. */
export class CallbackSender {
  readonly allowPrivate: boolean;
  readonly #options: CallbackSenderOptions;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
    this.allowPrivate = options.allowPrivate;
  }

  /** Delivers due callbacks until `signal` aborts. */
  async run(queue: JobQueue, signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: DELIVERERS }, () => this.#deliverAll(queue, signal)));
  }

  async #deliverAll(queue: JobQueue, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#deliver(await queue.takeCallback(signal), signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.error({ err: error }, 'The queue of callbacks failed');
        await sleep(QUEUE_RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #deliver(lease: CallbackLease, signal: AbortSignal): Promise<void> {
    const { key, allowPrivate } = this.#options;
    const { job } = lease;
    const { url, attempts } = job.callback!;
    // The same for every attempt, so that receivers can recognize a duplicate.
    const id = job.id.replace('job_', 'msg_');
    const body = JSON.stringify(messageOf(job));
    try {
      await post(url, { body, headers: signatureHeaders(key, id, body), allowPrivate, signal });
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error;
      const delay = error.isFinal ? undefined : CALLBACK_DELAYS[attempts];
      return lease.failed(error.message, delay === undefined ? undefined : Date.now() + delay * 1000);
    }
    return lease.delivered();
  }
}

/** The body of a callback; the receiver gets the transcript from the service. */
function messageOf({ id, status, createdAt, finishedAt = createdAt }: StoredJob): object {
  const timestamp = new Date(finishedAt).toISOString();
  return { type: `transcription.${status}`, timestamp, data: { id, object: 'transcription.job', status } };
}
