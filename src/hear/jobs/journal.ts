import { readFile } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { lockDirectory } from '../../files/directory-lock.ts';
import { isMissing } from '../../files/missing.ts';
import { removeFile } from '../../files/remove-file.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { isStorageFull, storageError } from '../../files/storage-full.ts';
import { ChangeSignal } from '../../scheduling/change-signal.ts';
import type { JobRequest, StoredJob } from './job.ts';
import * as transitions from './job.ts';
import { JobFiles } from './job-files.ts';
import * as queue from './queue.ts';

const MAX_SWEEP_MS = 60_000;

/** What happens instead of a change that cannot be written. @throws if the job must stay as it is */
type Otherwise = (job: StoredJob, error: unknown) => Promise<void>;

export interface JournalOptions extends queue.JobLimits {
  /** A dedicated directory, created if missing. */
  folder: string;
  log: FastifyBaseLogger;
}

/** Jobs of one process, in plain files: each change is on disk before it is visible. */
export class Journal implements queue.JobQueue {
  readonly uploadDir: string;
  readonly #options: JournalOptions;
  readonly #files: JobFiles;
  readonly #unlock: () => Promise<void>;
  /** The oldest first. */
  readonly #jobs = new Map<string, StoredJob>();
  readonly #progress = new Map<string, number>();
  /** Controllers that abort the running jobs. */
  readonly #running = new Map<string, AbortController>();
  readonly #delivering = new Set<string>();
  /** The last pending change of each job. */
  readonly #changes = new Map<string, Promise<unknown>>();
  readonly #changed = new ChangeSignal();
  readonly #timer: NodeJS.Timeout;

  /**
   * Opens the journal in a directory; jobs that ran when it was last closed wait again.
   * @throws DirectoryLocked if another process uses it; errors of the file system
   */
  static async open(options: JournalOptions): Promise<Journal> {
    const { folder, log, ttlMs } = options;
    const unlock = await lockDirectory(folder);
    const files = new JobFiles(folder);
    const journal = new Journal(options, files, unlock);
    try {
      for (const job of await files.readAll(log, Date.now() - ttlMs)) {
        journal.#jobs.set(job.id, await journal.#recovered(job));
      }
      await journal.#sweep();
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private constructor(options: JournalOptions, files: JobFiles, unlock: () => Promise<void>) {
    this.#options = options;
    this.#files = files;
    this.#unlock = unlock;
    this.uploadDir = options.folder;
    this.#timer = setInterval(() => void this.#sweep(), Math.min(MAX_SWEEP_MS, options.ttlMs / 4)).unref();
  }

  get counts(): queue.JobCounts {
    return queue.countJobs(this.#jobs.values());
  }

  get oldestQueuedAt(): number | undefined {
    return [...this.#jobs.values()].find(({ status }) => status === 'queued')?.createdAt;
  }

  assertRoom(uploadBytes = 0): void {
    queue.assertRoom([...this.#jobs.values()], this.#options, uploadBytes);
  }

  async enqueue(request: JobRequest, { path, bytes }: { path: string; bytes: number }): Promise<StoredJob> {
    this.assertRoom(bytes);
    const job = transitions.newJob(request, bytes);
    // It counts toward the limits from now on, but no worker takes it before it is on disk.
    const write = this.#inOrder(job.id, async () => {
      await this.#sweep();
      await this.#files.adopt(job.id, path);
      await this.#files.write(job);
    });
    this.#jobs.set(job.id, job);
    try {
      await write;
    } catch (error) {
      this.#jobs.delete(job.id);
      await this.#files.remove(job.id).catch(() => {});
      throw storageError(error);
    }
    this.#changed.notify();
    return job;
  }

  async get(id: string): Promise<StoredJob | undefined> {
    const job = this.#jobs.get(id);
    const progress = this.#progress.get(id);
    return job && progress !== undefined ? { ...job, progress } : job;
  }

  async response(id: string): Promise<Buffer | undefined> {
    if (!this.#jobs.get(id)?.response) return undefined;
    // It may expire at this very moment.
    return readFile(this.#files.path(id, 'response')).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  async cancel(id: string): Promise<StoredJob | undefined> {
    const cancelled = (job: StoredJob) => (transitions.isFinished(job) ? undefined : transitions.cancelled(job));
    const job = await this.#change(id, cancelled, (job, error) => this.#cancelWithoutRoom(job, error));
    if (job) await this.#removeUpload(id);
    this.#running.get(id)?.abort(new DOMException('The job was cancelled.', 'AbortError'));
    return job ?? this.#jobs.get(id);
  }

  remove(id: string): Promise<boolean> {
    return this.#inOrder(id, async () => {
      const job = this.#jobs.get(id);
      if (!job || !transitions.isFinished(job)) return false;
      await this.#files.remove(id);
      this.#jobs.delete(id);
      return true;
    });
  }

  async take(signal: AbortSignal): Promise<queue.JobLease> {
    for (;;) {
      signal.throwIfAborted();
      const waiting = [...this.#jobs.values()].find(
        ({ id, status }) => status === 'queued' && !this.#running.has(id) && !this.#changes.has(id),
      );
      if (!waiting) {
        await this.#changed.next(signal);
        continue;
      }
      const controller = new AbortController();
      this.#running.set(waiting.id, controller);
      const job = await this.#start(waiting.id).catch((error) => {
        this.#running.delete(waiting.id);
        throw error;
      });
      if (job) return this.#lease(job, controller);
      this.#running.delete(waiting.id);
    }
  }

  async takeCallback(signal: AbortSignal): Promise<queue.CallbackLease> {
    for (;;) {
      signal.throwIfAborted();
      const isFree = ({ id }: StoredJob) => !this.#delivering.has(id) && !this.#changes.has(id);
      const { due, waitMs } = queue.nextCallback([...this.#jobs.values()].filter(isFree));
      if (due) return this.#callbackLease(due);
      await this.#changed.next(signal, waitMs);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled(this.#changes.values());
    await this.#unlock();
  }

  /** A job as the last process left it. */
  async #recovered(job: StoredJob): Promise<StoredJob> {
    if (transitions.isFinished(job)) return job;
    if (await this.#files.isMarkedCancelled(job)) return this.#ended(transitions.cancelled(job));
    const now = job.status === 'running' ? transitions.abandoned(job) : job;
    const isWhole = transitions.isFinished(now) || (await this.#files.hasUpload(job));
    const lost = new HearsayError('internal_error', 'The recording of this job was lost.');
    const recovered = isWhole ? now : transitions.failed(now, lost);
    return transitions.isFinished(recovered) ? this.#ended(recovered) : recovered;
  }

  /** If the disk is full, the next start reaches the same result. */
  async #ended(job: StoredJob): Promise<StoredJob> {
    await this.#writeIfRoom(job);
    await this.#removeUpload(job.id);
    return job;
  }

  /** Records that a job runs; if the disk is full, it runs anyway. */
  #start(id: string): Promise<StoredJob | undefined> {
    return this.#change(
      id,
      (job) => (job.status === 'queued' ? transitions.started(job) : undefined),
      this.#unrecorded,
    );
  }

  #lease(job: StoredJob, controller: AbortController): queue.JobLease {
    const { id } = job;
    const { signal } = controller;
    const end = async (change: (job: StoredJob) => StoredJob, otherwise?: Otherwise) => {
      const changeRunning = (current: StoredJob) => (current.status === 'running' ? change(current) : undefined);
      const ended = await this.#change(id, changeRunning, otherwise);
      this.#running.delete(id);
      this.#progress.delete(id);
      if (ended && transitions.isFinished(ended)) await this.#removeUpload(id);
      this.#changed.notify();
      return ended;
    };
    return {
      job,
      path: this.#files.path(id, 'upload'),
      signal,
      progress: (seconds) => void this.#progress.set(id, seconds),
      suspect: async () => {
        const suspect = (current: StoredJob) => ({ ...current, isSuspect: true });
        await this.#change(
          id,
          (current) => (current.status === 'running' ? suspect(current) : undefined),
          this.#unrecorded,
        );
      },
      complete: async ({ contentType, body }) => {
        const response = { contentType, bytes: Buffer.byteLength(body) };
        if (signal.aborted) return void (await end((current) => current));
        await replaceFile(this.#files.path(id, 'response'), body).catch((error) => {
          throw storageError(error, queue.RESPONSE_NOT_SAVED);
        });
        const ended = await end((current) => transitions.succeeded(current, response));
        if (!ended) await removeFile(this.#files.path(id, 'response'));
        void this.#sweep();
      },
      fail: async (error) => {
        await end((current) => transitions.failed(current, error));
      },
      release: async () => {
        // Its old record says that it still runs, which the next start treats in the same way.
        await end(transitions.returned, async (_job, error) => {
          this.#options.log.warn({ err: error }, 'A job was given back, which could not be recorded');
        });
      },
    };
  }

  #callbackLease(job: StoredJob): queue.CallbackLease {
    const { id } = job;
    this.#delivering.add(id);
    const end = async (callback: Partial<NonNullable<StoredJob['callback']>>) => {
      await this.#change(id, (current) => queue.withCallback(current, callback), this.#unrecorded).finally(() =>
        this.#delivering.delete(id),
      );
      this.#changed.notify();
    };
    return {
      job,
      delivered: () => end({ status: 'delivered' }),
      failed: (error, dueAt) => end({ status: dueAt === undefined ? 'failed' : 'pending', error, dueAt }),
    };
  }

  readonly #unrecorded: Otherwise = async (_job, error) => {
    if (!isStorageFull(error)) throw error;
    this.#options.log.warn('The disk is full: a job was not recorded');
  };

  /** Cancels a job whose recording may be filling the disk. */
  async #cancelWithoutRoom(job: StoredJob, error: unknown): Promise<void> {
    if (!isStorageFull(error)) throw error;
    await this.#files.markCancelled(job.id);
    await this.#writeIfRoom(job);
  }

  async #writeIfRoom(job: StoredJob): Promise<void> {
    await this.#files.write(job).catch((error) => this.#unrecorded(job, error));
  }

  /**
   * Changes a job on disk, then in memory.
   * @param change returns undefined to leave the job as it is
   * @param otherwise called if the record cannot be written; memory still changes unless it throws
   * @returns the changed job
   * @throws HearsayError `storage_full`
   */
  #change(
    id: string,
    change: (job: StoredJob) => StoredJob | undefined,
    otherwise?: Otherwise,
  ): Promise<StoredJob | undefined> {
    return this.#inOrder(id, async () => {
      const before = this.#jobs.get(id);
      const after = before && change(before);
      if (!after) return undefined;
      await this.#files.write(after).catch(async (error) => {
        const failed = storageError(error, queue.CHANGE_NOT_SAVED);
        if (!otherwise) throw failed;
        await otherwise(after, error).catch(() => {
          throw failed;
        });
      });
      this.#jobs.set(id, after);
      this.#changed.notify();
      return after;
    });
  }

  async #inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(id) ?? Promise.resolve();
    const result = before.catch(() => {}).then(work);
    this.#changes.set(id, result);
    try {
      return await result;
    } finally {
      if (this.#changes.get(id) === result) {
        this.#changes.delete(id);
        this.#changed.notify();
      }
    }
  }

  async #removeUpload(id: string): Promise<void> {
    await removeFile(this.#files.path(id, 'upload')).catch((error) => {
      this.#options.log.warn({ err: error }, 'The recording of a job could not be removed');
    });
  }

  async #sweep(): Promise<void> {
    const { log } = this.#options;
    for (const job of queue.outdated([...this.#jobs.values()], this.#options)) {
      queue.logLostCallback(job, log);
      await this.remove(job.id).catch((error) => log.warn({ err: error }, 'A finished job could not be removed'));
    }
  }
}
