import { randomUUID } from 'node:crypto';
import type { JsMsg } from '@nats-io/jetstream';
import { HearsayError } from '../../errors.ts';
import type { StoredJob } from './job.ts';
import * as transitions from './job.ts';
import { keepAlive, NatsLease, type NatsLeaseOptions, settle } from './nats-lease.ts';
import type { NatsRecords } from './nats-records.ts';
import { guarded, type NatsStore, uploadName } from './nats-store.ts';
import * as queue from './queue.ts';

/** Milliseconds until a message that is no job is offered again: another version may have published it. */
const UNREADABLE_MS = 60_000;

/** Turns messages of the work queue into leases. */
export class NatsLeases {
  readonly #store: NatsStore;
  readonly #records: NatsRecords;
  readonly #options: NatsLeaseOptions;

  constructor(store: NatsStore, records: NatsRecords, options: NatsLeaseOptions) {
    this.#store = store;
    this.#records = records;
    this.#options = options;
  }

  /** Takes the job of a message; undefined if there is none to run. */
  async accept(message: JsMsg): Promise<queue.JobLease | undefined> {
    const published = jobOf(message);
    if (!published) {
      this.#options.log.warn('A message in the queue of background jobs cannot be read');
      message.nak(UNREADABLE_MS);
      return undefined;
    }
    const { id } = published;
    let current = await this.#records.get(id);
    if (!current && (await this.#store.files.info(uploadName(published)))) {
      // Its client has not been answered, and may never be.
      await this.#records.create(published);
      current = await this.#records.get(id);
    }
    const worker = randomUUID();
    const job = await this.#records.change(id, (job) => {
      // The server redelivers a running job when its worker stops renewing the lease.
      const waiting = job.status === 'running' ? transitions.abandoned(job) : job;
      if (waiting.status === 'queued') return { ...transitions.started(waiting), worker };
      return waiting.status === job.status ? undefined : waiting;
    });
    if (job?.status === 'running') return this.#lease(job, message);
    const ended = job ?? (await this.#records.get(id));
    if (ended) await settle(ended, message, this.#store);
    else message.ack();
    return undefined;
  }

  /** Takes the callback of a message; undefined if it is not pending. */
  async acceptCallback(message: JsMsg): Promise<queue.CallbackLease | undefined> {
    const job = await this.#records.get(message.string());
    if (job?.callback?.status !== 'pending') {
      message.ack();
      return undefined;
    }
    const letExpire = keepAlive(message, this.#options.ackWaitMs);
    const end = (callback: Partial<NonNullable<StoredJob['callback']>>) =>
      guarded(() => this.#records.change(job.id, (current) => queue.withCallback(current, callback))).finally(
        letExpire,
      );
    return {
      job,
      delivered: async () => {
        await end({ status: 'delivered' });
        message.ack();
      },
      failed: async (error, dueAt) => {
        await end({ status: dueAt === undefined ? 'failed' : 'pending', error, dueAt });
        if (dueAt === undefined) message.ack();
        else message.nak(Math.max(1, dueAt - Date.now()));
      },
    };
  }

  async #lease(job: StoredJob, message: JsMsg): Promise<queue.JobLease | undefined> {
    const lease = new NatsLease(job, message, this.#store, this.#records, this.#options);
    try {
      if (await lease.fetch()) return lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
    await lease.fail(new HearsayError('internal_error', 'The recording of this job was lost.'));
    return undefined;
  }
}

/** The job that a message holds. */
function jobOf(message: JsMsg): StoredJob | undefined {
  try {
    return transitions.storedJob.parse(message.json());
  } catch {
    return undefined;
  }
}
