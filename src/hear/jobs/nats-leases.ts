import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { removeFile } from '../../files/remove-file.ts';
import type { StoredJob } from './job.ts';
import * as transitions from './job.ts';
import type { NatsRecords } from './nats-records.ts';
import { download, guarded, type NatsStore, responseName, uploadName } from './nats-store.ts';
import * as queue from './queue.ts';

/** Milliseconds between records of progress. */
const PROGRESS_MS = 3000;

export interface NatsLeasesOptions {
  /** Directory for recordings while they are transcribed. */
  temporaryDir: string;
  ackWaitMs: number;
  log: FastifyBaseLogger;
}

/** Turns messages of the work queue into leases. */
export class NatsLeases {
  readonly #store: NatsStore;
  readonly #records: NatsRecords;
  readonly #options: NatsLeasesOptions;

  constructor(store: NatsStore, records: NatsRecords, options: NatsLeasesOptions) {
    this.#store = store;
    this.#records = records;
    this.#options = options;
  }

  /** Takes the job of a message; undefined if it has ended. */
  async accept(message: JsMsg): Promise<queue.JobLease | undefined> {
    const published = transitions.storedJob.parse(message.json());
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
    if (ended) await this.#ended(ended, message);
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
    const alive = this.#keepAlive(message);
    const end = (callback: Partial<NonNullable<StoredJob['callback']>>) =>
      guarded(() => this.#records.change(job.id, (current) => queue.withCallback(current, callback))).finally(() =>
        clearInterval(alive),
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

  #keepAlive(message: JsMsg): NodeJS.Timeout {
    return setInterval(() => message.working(), this.#options.ackWaitMs / 3).unref();
  }

  async #lease(job: StoredJob, message: JsMsg): Promise<queue.JobLease | undefined> {
    const { id, worker } = job;
    const { temporaryDir, log } = this.#options;
    const controller = new AbortController();
    const isMine = (current: StoredJob | undefined) => current?.status === 'running' && current.worker === worker;
    const changeMine = (change: (job: StoredJob) => StoredJob) =>
      guarded(() => this.#records.change(id, (current) => (isMine(current) ? change(current) : undefined)));
    const unwatch = this.#records.watch(id, (current) => {
      if (!isMine(current)) controller.abort(new DOMException("The job is no longer this worker's.", 'AbortError'));
    });
    const alive = this.#keepAlive(message);
    let lastProgress = 0;
    const path = join(temporaryDir, `hearsay-job-${randomUUID()}`);
    const end = async () => {
      clearInterval(alive);
      unwatch();
      await removeFile(path);
    };
    const finish = async (change: (job: StoredJob) => StoredJob) => {
      const ended = await changeMine(change);
      await guarded(() => this.#settle(id, ended, message));
      await end();
      return ended;
    };
    const lease: queue.JobLease = {
      job,
      path,
      signal: controller.signal,
      progress: (seconds) => {
        if (Date.now() - lastProgress < PROGRESS_MS) return;
        lastProgress = Date.now();
        changeMine((current) => ({ ...current, progress: seconds })).catch((error) => {
          log.debug({ err: error }, 'Progress was not recorded');
        });
      },
      suspect: async () => {
        await changeMine((current) => ({ ...current, isSuspect: true }));
      },
      complete: async ({ contentType, body }) => {
        const response = { contentType, bytes: Buffer.byteLength(body) };
        await guarded(() => this.#store.files.putBlob({ name: responseName(job) }, Buffer.from(body)));
        const ended = await finish((current) => transitions.succeeded(current, response));
        if (!ended) await this.#store.deleteFile(responseName(job));
      },
      fail: async (error) => {
        await finish((current) => transitions.failed(current, error));
      },
      release: async () => {
        try {
          if (await changeMine(transitions.returned)) message.nak();
          else await this.#settle(id, undefined, message);
        } finally {
          await end();
        }
      },
    };
    try {
      await mkdir(temporaryDir, { recursive: true });
      if (await download(this.#store.files, uploadName(job), path)) return lease;
    } catch (error) {
      await lease.release();
      throw error;
    }
    await lease.fail(new HearsayError('internal_error', 'The recording of this job was lost.'));
    return undefined;
  }

  /**
   * @param ended undefined if the lease is lost: then the message belongs to the other worker, unless the job has
   * ended
   */
  async #settle(id: string, ended: StoredJob | undefined, message: JsMsg): Promise<void> {
    if (ended) return this.#ended(ended, message);
    const current = await this.#records.get(id);
    if (!current || transitions.isFinished(current)) message.ack();
  }

  /** Removes what an ended job no longer needs, its message last, so that an interrupted removal is repeated. */
  async #ended(job: StoredJob, message: JsMsg): Promise<void> {
    const { deleteFile, js, subjects } = this.#store;
    if (job.callback?.status === 'pending') {
      await js.publish(subjects.callbacks, job.id, { msgID: `callback-${job.id}` });
    }
    await deleteFile(uploadName(job));
    message.ack();
  }
}
