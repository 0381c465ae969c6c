import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import type { HearsayError } from '../../errors.ts';
import { createDirectory } from '../../files/create-directory.ts';
import { removeFile } from '../../files/remove-file.ts';
import type { StoredJob } from './job.ts';
import * as transitions from './job.ts';
import type { NatsRecords } from './nats-records.ts';
import { download, guarded, type NatsStore, responseName, uploadName } from './nats-store.ts';
import type { JobLease, JobResponse } from './queue.ts';

/** Milliseconds between records of progress. */
const PROGRESS_MS = 3000;

export interface NatsLeaseOptions {
  /** Directory for recordings while they are transcribed. */
  temporaryDir: string;
  ackWaitMs: number;
  log: FastifyBaseLogger;
}

/** Tells the server that a message is still worked on. @returns a function that ends this */
export function keepAlive(message: JsMsg, ackWaitMs: number): () => void {
  const timer = setInterval(() => message.working(), ackWaitMs / 3).unref();
  return () => clearInterval(timer);
}

/** Removes what an ended job no longer needs, its message last, so that an interrupted removal is repeated. */
export async function settle(job: StoredJob, message: JsMsg, { deleteFile, js, subjects }: NatsStore): Promise<void> {
  if (job.callback?.status === 'pending') {
    await js.publish(subjects.callbacks, job.id, { msgID: `callback-${job.id}` });
  }
  await deleteFile(uploadName(job));
  message.ack();
}

/** A job that this process runs, as long as the job's record names this lease as its worker. */
export class NatsLease implements JobLease {
  readonly job: StoredJob;
  readonly path: string;
  readonly #message: JsMsg;
  readonly #store: NatsStore;
  readonly #records: NatsRecords;
  readonly #options: NatsLeaseOptions;
  readonly #lost = new AbortController();
  readonly #stopWatching: () => void;
  readonly #letExpire: () => void;
  #lastProgress = Number.NEGATIVE_INFINITY;

  /** @param job as recorded, with this lease as its worker */
  constructor(job: StoredJob, message: JsMsg, store: NatsStore, records: NatsRecords, options: NatsLeaseOptions) {
    this.job = job;
    this.path = join(options.temporaryDir, `hearsay-job-${randomUUID()}`);
    this.#message = message;
    this.#store = store;
    this.#records = records;
    this.#options = options;
    this.#letExpire = keepAlive(message, options.ackWaitMs);
    this.#stopWatching = records.watch(job.id, (current) => {
      if (this.#isMine(current)) return;
      this.#lost.abort(new DOMException("The job is no longer this worker's.", 'AbortError'));
    });
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Downloads the recording. @returns whether it was there, and whole */
  async fetch(): Promise<boolean> {
    const { temporaryDir, ackWaitMs } = this.#options;
    const { files, hasFile } = this.#store;
    const name = uploadName(this.job);
    await createDirectory(temporaryDir);
    return (await hasFile(name)) && download(files, name, this.path, ackWaitMs);
  }

  progress(seconds: number): void {
    if (performance.now() - this.#lastProgress < PROGRESS_MS) return;
    this.#lastProgress = performance.now();
    this.#change((current) => ({ ...current, progress: seconds })).catch((error) => {
      this.#options.log.debug({ err: error }, 'Progress was not recorded');
    });
  }

  async suspect(): Promise<void> {
    await this.#change((current) => ({ ...current, isSuspect: true }));
  }

  async complete({ contentType, body }: JobResponse): Promise<void> {
    const { files, deleteFile } = this.#store;
    const name = responseName(this.job);
    await guarded(() => files.putBlob({ name }, Buffer.from(body)));
    const response = { contentType, bytes: Buffer.byteLength(body) };
    const ended = await this.#finish((current) => transitions.succeeded(current, response));
    const isSaved = ended?.status === 'succeeded' && ended.worker === this.job.worker;
    if (!isSaved) await guarded(() => deleteFile(name));
  }

  async fail(error: HearsayError): Promise<void> {
    await this.#finish((current) => transitions.failed(current, error));
  }

  async release(): Promise<void> {
    try {
      if (await this.#change(transitions.returned)) this.#message.nak();
      else await guarded(() => this.#settleIfEnded());
    } finally {
      await this.#end();
    }
  }

  #isMine(current: StoredJob | undefined): boolean {
    return current?.status === 'running' && current.worker === this.job.worker;
  }

  /** @returns the changed record; undefined if the lease is lost */
  #change(change: (job: StoredJob) => StoredJob): Promise<StoredJob | undefined> {
    const changeMine = (current: StoredJob) => (this.#isMine(current) ? change(current) : undefined);
    return guarded(() => this.#records.change(this.job.id, changeMine));
  }

  /**
   * Records the outcome, unless an earlier attempt has before it lost the connection.
   * @returns the record, which may have another outcome: the lease may be lost
   */
  async #finish(change: (job: StoredJob) => StoredJob): Promise<StoredJob | undefined> {
    await this.#change(change);
    const current = await guarded(() => this.#settleIfEnded());
    await this.#end();
    return current;
  }

  /** Settles a job that has ended. One that goes on has another worker, to which the message belongs. */
  async #settleIfEnded(): Promise<StoredJob | undefined> {
    const current = await this.#records.get(this.job.id);
    if (current && !transitions.isFinished(current)) return current;
    if (current && current.worker === this.job.worker) await settle(current, this.#message, this.#store);
    else this.#message.ack();
    return current;
  }

  async #end(): Promise<void> {
    this.#letExpire();
    this.#stopWatching();
    await removeFile(this.path);
  }
}
