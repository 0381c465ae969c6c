import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { removeFile } from '../../http/multipart.ts';
import { abortable } from '../../scheduling/abortable.ts';
import type { JobRequest, StoredJob } from './job.ts';
import * as transitions from './job.ts';
import { NatsRecords } from './nats-records.ts';
import { download, type NatsOptions, type NatsStore, openNatsStore, upload } from './nats-store.ts';
import * as queue from './queue.ts';

const MAX_SWEEP_MS = 60_000;
/** Milliseconds that one request for a message lasts. */
const PULL_MS = 10_000;
/** Files without a job are removed after this time. */
const STRAY_MS = 3_600_000;
/** Milliseconds between records of progress. */
const PROGRESS_MS = 3000;

export interface NatsQueueOptions extends queue.JobLimits, NatsOptions {
  /** Directory for recordings while they are transcribed. */
  temporaryDir: string;
  log: FastifyBaseLogger;
}

/**
 * Jobs of several processes, on a NATS server with JetStream. A job's message stays in the work queue until the job has
 * ended: the server gives it to one worker, and to another if that gives no sign of life. The record says which worker's
 * outcome counts.
 */
export class NatsQueue implements queue.JobQueue {
  readonly uploadDir = undefined;
  readonly #options: NatsQueueOptions;
  readonly #store: NatsStore;
  readonly #records: NatsRecords;
  readonly #timer: NodeJS.Timeout;
  #strayCheckAt = Date.now() + STRAY_MS;

  /** @throws the client's error if the server cannot be reached or used */
  static async open(options: NatsQueueOptions): Promise<NatsQueue> {
    const store = await openNatsStore(options, options.log);
    try {
      return new NatsQueue(options, store, await NatsRecords.open(store.records, options.log));
    } catch (error) {
      await store.connection.close();
      throw error;
    }
  }

  private constructor(options: NatsQueueOptions, store: NatsStore, records: NatsRecords) {
    this.#options = options;
    this.#store = store;
    this.#records = records;
    this.#timer = setInterval(() => void this.#sweep(), Math.min(MAX_SWEEP_MS, options.ttlMs / 4)).unref();
  }

  get counts(): queue.JobCounts {
    return queue.countJobs(this.#records.all());
  }

  get oldestQueuedAt(): number | undefined {
    const waiting = this.#records.all().filter(({ status }) => status === 'queued');
    return waiting.length > 0 ? Math.min(...waiting.map(({ createdAt }) => createdAt)) : undefined;
  }

  assertRoom(uploadBytes = 0): void {
    queue.assertRoom(this.#records.all(), this.#options, uploadBytes);
  }

  enqueue(request: JobRequest, { path, bytes }: { path: string; bytes: number }): Promise<StoredJob> {
    this.assertRoom(bytes);
    const job = transitions.newJob(request, bytes);
    return guarded(async () => {
      const { files, js, subjects } = this.#store;
      await upload(files, uploadName(job), path);
      // The message holds the record: from now on the job is not lost.
      await js.publish(subjects.jobs, JSON.stringify(job), { msgID: job.id });
      await this.#records.create(job);
      await removeFile(path);
      void this.#sweep();
      return job;
    });
  }

  get(id: string): Promise<StoredJob | undefined> {
    return guarded(() => this.#records.get(id));
  }

  response(id: string): Promise<Buffer | undefined> {
    return guarded(async () => {
      const job = await this.#records.get(id);
      const found = job?.response && (await this.#store.files.getBlob(responseName(job)));
      return found ? Buffer.from(found) : undefined;
    });
  }

  cancel(id: string): Promise<StoredJob | undefined> {
    return guarded(async () => {
      const job = await this.#records.change(id, (job) =>
        transitions.isFinished(job) ? undefined : transitions.cancelled(job),
      );
      if (job) await this.#store.deleteFile(uploadName(job));
      return job ?? this.#records.get(id);
    });
  }

  remove(id: string): Promise<boolean> {
    return guarded(async () => {
      const job = await this.#records.get(id);
      if (!job || !transitions.isFinished(job)) return false;
      await this.#records.remove(id);
      if (job.response) await this.#store.deleteFile(responseName(job));
      return true;
    });
  }

  async take(signal: AbortSignal): Promise<queue.JobLease> {
    for (;;) {
      const message = await nextMessage(this.#store.jobs, signal);
      const lease = message && (await this.#accept(message).catch((error) => refuse(message, error)));
      if (lease) return lease;
    }
  }

  async takeCallback(signal: AbortSignal): Promise<queue.CallbackLease> {
    for (;;) {
      const message = await nextMessage(this.#store.callbacks, signal);
      if (!message) continue;
      const job = await this.#records.get(message.string()).catch((error) => refuse(message, error));
      if (job?.callback?.status === 'pending') return this.#callbackLease(job, message);
      message.ack();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#records.close();
    await this.#store.connection.flush().catch(() => {});
    await this.#store.connection.close();
  }

  /** Takes the job of a message, unless it has ended. */
  async #accept(message: JsMsg): Promise<queue.JobLease | undefined> {
    const { files } = this.#store;
    const published = transitions.storedJob.parse(message.json());
    const { id } = published;
    let current = await this.#records.get(id);
    if (!current && (await files.info(uploadName(published)))) {
      // Its client has not been answered yet, and perhaps never will be.
      await this.#records.create(published);
      current = await this.#records.get(id);
    }
    const worker = randomUUID();
    const job = await this.#records.change(id, (job) => {
      // The server gives a running job out again when its worker gave no sign of life.
      const waiting = job.status === 'running' ? transitions.abandoned(job) : job;
      return waiting.status === 'queued' ? { ...transitions.started(waiting), worker } : withEnd(job, waiting);
    });
    if (job?.status === 'running') return this.#lease(job, message);
    const ended = job ?? (await this.#records.get(id));
    if (ended) await this.#ended(ended, message);
    else message.ack();
    return undefined;
  }

  async #lease(job: StoredJob, message: JsMsg): Promise<queue.JobLease | undefined> {
    const { id, worker } = job;
    const { temporaryDir, ackWaitMs, log } = this.#options;
    const controller = new AbortController();
    const isMine = (current: StoredJob | undefined) => current?.status === 'running' && current.worker === worker;
    const changeMine = (change: (job: StoredJob) => StoredJob) =>
      guarded(() => this.#records.change(id, (current) => (isMine(current) ? change(current) : undefined)));
    const unwatch = this.#records.watch(id, (current) => {
      if (!isMine(current)) controller.abort(new DOMException("The job is no longer this worker's.", 'AbortError'));
    });
    const alive = setInterval(() => message.working(), ackWaitMs / 3);
    let lastProgress = 0;
    const path = join(temporaryDir, `hearsay-job-${randomUUID()}`);
    const end = async () => {
      clearInterval(alive);
      unwatch();
      await removeFile(path);
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
        const ended = await changeMine((current) => transitions.succeeded(current, response));
        if (!ended) await this.#store.deleteFile(responseName(job));
        await this.#outcome(ended, message);
        await end();
      },
      fail: async (error) => {
        await this.#outcome(await changeMine((current) => transitions.failed(current, error)), message);
        await end();
      },
      release: async () => {
        // Whoever has it now must not get it a second time.
        if (await changeMine(transitions.returned).finally(end)) message.nak();
        else await this.#outcome(undefined, message);
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

  /** After the outcome of a lease is recorded, or was not because the lease is lost. */
  async #outcome(ended: StoredJob | undefined, message: JsMsg): Promise<void> {
    if (ended) return this.#ended(ended, message);
    const current = await this.#records.get(transitions.storedJob.parse(message.json()).id);
    // The message of a lost lease is the other worker's.
    if (!current || transitions.isFinished(current)) message.ack();
  }

  /** Drops what an ended job needs no longer, its message last: if this is interrupted, it is done again. */
  async #ended(job: StoredJob, message: JsMsg): Promise<void> {
    const { deleteFile, js, subjects } = this.#store;
    if (job.callback?.status === 'pending') {
      await js.publish(subjects.callbacks, job.id, { msgID: `callback-${job.id}` });
    }
    await deleteFile(uploadName(job));
    message.ack();
  }

  #callbackLease(job: StoredJob, message: JsMsg): queue.CallbackLease {
    const end = (callback: Partial<NonNullable<StoredJob['callback']>>) =>
      guarded(() => this.#records.change(job.id, (current) => queue.withCallback(current, callback)));
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

  /**
   * Removes files of jobs that were never published, or whose record is gone.
   * @param before in milliseconds since 1970: younger ones may still be
   */
  async removeStrays(before: number): Promise<void> {
    const ids = new Set(this.#records.all().map(({ id }) => id));
    for (const { name, mtime } of await this.#store.files.list()) {
      const [id = ''] = name.split('.');
      if (!ids.has(id) && Date.parse(mtime) < before) await this.#store.deleteFile(name);
    }
  }

  async #sweep(): Promise<void> {
    if (Date.now() > this.#strayCheckAt) {
      this.#strayCheckAt = Date.now() + STRAY_MS;
      await this.removeStrays(Date.now() - STRAY_MS).catch((error) => {
        this.#options.log.warn({ err: error }, 'Files of lost jobs could not be removed');
      });
    }
    for (const { id } of queue.outdated(this.#records.all(), this.#options)) {
      await this.remove(id).catch((error) => {
        this.#options.log.warn({ err: error }, 'A finished job could not be removed');
      });
    }
  }
}

const uploadName = ({ id }: StoredJob) => `${id}.upload`;
/** Of one worker: a late one must not overwrite another's. */
const responseName = ({ id, worker }: StoredJob) => `${id}.${worker}.response`;

/** A job that has ended, if that is news. */
const withEnd = (before: StoredJob, after: StoredJob) => (before.status === after.status ? undefined : after);

/** Waits for a message; undefined if none came for a while. @throws the reason of `signal`; then no message is taken */
async function nextMessage(consumer: Consumer, signal: AbortSignal): Promise<JsMsg | undefined> {
  signal.throwIfAborted();
  const pulled = consumer.next({ expires: PULL_MS });
  try {
    return (await abortable(pulled, signal)) ?? undefined;
  } catch (error) {
    if (signal.aborted) void pulled.then((message) => message?.nak()).catch(() => {});
    throw error;
  }
}

/** Gives a message back that could not be looked at. */
async function refuse(message: JsMsg, error: unknown): Promise<never> {
  message.nak(1000);
  await sleep(0);
  throw error;
}

/** Errors of the server for lack of space: of the account, of the machine, of a stream. */
const full = new Set([10023, 10047, 10077]);

/** Turns errors of the server into those that clients may see. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HearsayError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const { code } = error as { code?: unknown };
    if (typeof code === 'number' && full.has(code)) {
      throw new HearsayError('storage_full', 'The disk is full: the job was not saved.', { cause: error });
    }
    throw new HearsayError('jobs_unavailable', 'The server of background jobs failed.', { cause: error });
  }
}
