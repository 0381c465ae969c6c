import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { removeFile } from '../../files/remove-file.ts';
import { abortable } from '../../scheduling/abortable.ts';
import type { JobRequest, StoredJob } from './job.ts';
import * as transitions from './job.ts';
import type { NatsLeaseOptions } from './nats-lease.ts';
import { NatsLeases } from './nats-leases.ts';
import { NatsRecords } from './nats-records.ts';
import {
  guarded,
  type NatsOptions,
  type NatsStore,
  openNatsStore,
  read,
  responseName,
  upload,
  uploadName,
} from './nats-store.ts';
import * as queue from './queue.ts';

const MAX_SWEEP_MS = 60_000;
/** Milliseconds that one pull request waits for a message. */
const PULL_MS = 10_000;
/** Files without a job are removed after this time. */
const STRAY_MS = 3_600_000;
/** Milliseconds for the last messages to leave when the queue is closed. */
const FLUSH_MS = 1000;
const RESTORE_RETRY_MS = 2000;

export interface NatsQueueOptions extends queue.JobLimits, NatsOptions, NatsLeaseOptions {}

/**
 * Jobs of several processes, on a NATS server with JetStream. A job's message stays in the work queue until the job has
 * ended: the server delivers it to one worker, and to another one if the first stops renewing it. The record says which
 * worker's outcome counts.
 */
export class NatsQueue implements queue.JobQueue {
  readonly uploadDir = undefined;
  readonly #options: NatsQueueOptions;
  readonly #store: NatsStore;
  readonly #records: NatsRecords;
  readonly #leases: NatsLeases;
  readonly #timer: NodeJS.Timeout;
  #strayCheckAt = performance.now() + STRAY_MS;

  /** @throws the client's error if the server cannot be reached or used */
  static async open(options: NatsQueueOptions): Promise<NatsQueue> {
    const store = await openNatsStore(options);
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
    this.#leases = new NatsLeases(store, records, options);
    void this.#watchConnection();
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
      const { files, hasFile } = this.#store;
      const job = await this.#records.get(id);
      if (!job?.response || !(await hasFile(responseName(job)))) return undefined;
      return read(files, responseName(job), this.#options.ackWaitMs);
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
      const { deleteFile } = this.#store;
      const job = await this.#records.get(id);
      if (!job || !transitions.isFinished(job)) return false;
      // A message with a recording and without a record would bring the job back.
      await deleteFile(uploadName(job));
      await this.#records.remove(id);
      if (job.response) await deleteFile(responseName(job));
      return true;
    });
  }

  async take(signal: AbortSignal): Promise<queue.JobLease> {
    for (;;) {
      const message = await nextMessage(this.#store.jobs, signal);
      const lease = message && (await this.#leases.accept(message).catch((error) => refuse(message, error)));
      if (lease) return lease;
    }
  }

  async takeCallback(signal: AbortSignal): Promise<queue.CallbackLease> {
    for (;;) {
      const message = await nextMessage(this.#store.callbacks, signal);
      const lease = message && (await this.#leases.acceptCallback(message).catch((error) => refuse(message, error)));
      if (lease) return lease;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#records.close();
    const { connection } = this.#store;
    // Does not end while the server is unreachable.
    await Promise.race([connection.flush().catch(() => {}), sleep(FLUSH_MS)]);
    await connection.close();
  }

  /** Logs losses of the connection, and makes the queue usable again after each. */
  async #watchConnection(): Promise<void> {
    const { connection } = this.#store;
    const { log } = this.#options;
    let isLost = false;
    let reason: string | undefined;
    // The client reports each attempt, and may report a success several times.
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error.message !== reason) {
        reason = status.error.message;
        log.warn(`The server of background jobs reports an error: ${reason}`);
      } else if (status.type === 'disconnect' && !isLost) {
        isLost = true;
        log.warn('The connection to the server of background jobs was lost');
      } else if (status.type === 'reconnect' && isLost) {
        isLost = false;
        reason = undefined;
        log.info('Connected to the server of background jobs again');
        void this.#restore();
      }
    }
  }

  async #restore(): Promise<void> {
    const { connection, restore } = this.#store;
    const { log } = this.#options;
    while (!connection.isClosed()) {
      try {
        if (!(await restore())) return;
        log.error('The server of background jobs has lost its jobs');
        return this.#records.reset();
      } catch (error) {
        log.warn({ err: error }, 'The server of background jobs is not ready');
        await sleep(RESTORE_RETRY_MS);
      }
    }
  }

  /**
   * Removes files of jobs that were never published or whose record is gone, and parts of files.
   * @param before in milliseconds since 1970: younger ones may still be published
   */
  async removeStrays(before: number): Promise<void> {
    const ids = new Set(this.#records.all().map(({ id }) => id));
    for (const { name, mtime } of await this.#store.files.list()) {
      const [id = ''] = name.split('.');
      if (ids.has(id) || Date.parse(mtime) >= before) continue;
      // The copy may be incomplete.
      if (!(await this.#records.get(id))) await this.#store.deleteFile(name);
    }
    await this.#store.deleteLostChunks(before);
  }

  async #sweep(): Promise<void> {
    if (performance.now() > this.#strayCheckAt) {
      this.#strayCheckAt = performance.now() + STRAY_MS;
      await this.removeStrays(Date.now() - STRAY_MS).catch((error) => {
        this.#options.log.warn({ err: error }, 'Files of lost jobs could not be removed');
      });
    }
    const { log } = this.#options;
    for (const job of queue.outdated(this.#records.all(), this.#options)) {
      queue.logLostCallback(job, log);
      await this.remove(job.id).catch((error) => log.warn({ err: error }, 'A finished job could not be removed'));
    }
  }
}

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

/** Returns a message that could not be processed. */
async function refuse(message: JsMsg, error: unknown): Promise<never> {
  message.nak(1000);
  await sleep(0);
  throw error;
}
