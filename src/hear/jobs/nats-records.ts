import { setTimeout as sleep } from 'node:timers/promises';
import type { KV, KvEntry } from '@nats-io/kv';
import type { FastifyBaseLogger } from 'fastify';
import { type StoredJob, storedJob } from './job.ts';

const WATCH_RETRY_MS = 1000;
/** Milliseconds for existing records to arrive. */
const MAX_INITIAL_MS = 10_000;

/** The records of jobs in a NATS bucket, with a local copy that follows its changes. */
export class NatsRecords {
  readonly #bucket: KV;
  readonly #log: FastifyBaseLogger;
  readonly #copy = new Map<string, StoredJob>();
  readonly #watchers = new Map<string, (job: StoredJob | undefined) => void>();
  readonly #closed = new AbortController();
  #entries: { stop(): void } | undefined;

  /** Resolves when the copy is complete. */
  static async open(bucket: KV, log: FastifyBaseLogger): Promise<NatsRecords> {
    const records = new NatsRecords(bucket, log);
    const { values } = await bucket.status();
    await Promise.race([
      new Promise<void>((complete) => void records.#follow(values, complete)),
      sleep(MAX_INITIAL_MS, undefined, { signal: records.#closed.signal }).catch(() => {}),
    ]);
    return records;
  }

  private constructor(bucket: KV, log: FastifyBaseLogger) {
    this.#bucket = bucket;
    this.#log = log;
  }

  /** All records of the local copy, which may be slightly out of date. */
  all(): StoredJob[] {
    return [...this.#copy.values()];
  }

  /** The record on the server. */
  async get(id: string): Promise<StoredJob | undefined> {
    return read(await this.#bucket.get(id));
  }

  /** Adds a record, unless it is there. */
  async create(job: StoredJob): Promise<void> {
    try {
      await this.#bucket.create(job.id, JSON.stringify(job));
      this.#copy.set(job.id, job);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  /**
   * Changes the current version of a record, retrying if others change it meanwhile.
   * @param change returns undefined to leave it as it is
   * @returns the changed record
   */
  async change(id: string, change: (job: StoredJob) => StoredJob | undefined): Promise<StoredJob | undefined> {
    for (;;) {
      const entry = await this.#bucket.get(id);
      const before = read(entry);
      const after = before && change(before);
      if (!entry || !after) return undefined;
      try {
        await this.#bucket.update(id, JSON.stringify(after), entry.revision);
        this.#copy.set(id, after);
        return after;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  async remove(id: string): Promise<void> {
    // Without a TTL, the marker of the deletion would stay forever.
    await this.#bucket.purge(id, { ttl: '1h' });
    this.#copy.delete(id);
  }

  /** Calls back whenever a record has changed. @returns a function that stops it */
  watch(id: string, onChange: (job: StoredJob | undefined) => void): () => void {
    this.#watchers.set(id, onChange);
    return () => {
      if (this.#watchers.get(id) === onChange) this.#watchers.delete(id);
    };
  }

  /** Forgets everything and reads it again: the server has another bucket. */
  reset(): void {
    this.#copy.clear();
    for (const onChange of this.#watchers.values()) onChange(undefined);
    this.#entries?.stop();
  }

  close(): void {
    this.#closed.abort();
  }

  /** Keeps the copy up to date. @param values entries that are there already */
  async #follow(values: number, onComplete: () => void): Promise<void> {
    const { signal } = this.#closed;
    if (values === 0) onComplete();
    for (let seen = 0; !signal.aborted; ) {
      try {
        const entries = await this.#bucket.watch();
        this.#entries = entries;
        for await (const entry of entries) {
          this.#take(entry);
          if (++seen === values) onComplete();
        }
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'Watching the records of background jobs failed');
      }
      await sleep(WATCH_RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  #take(entry: KvEntry): void {
    const job = read(entry);
    if (job) this.#copy.set(entry.key, job);
    else this.#copy.delete(entry.key);
    this.#watchers.get(entry.key)?.(job);
  }
}

/** The record of an entry; undefined if it was removed or is none. */
function read(entry: KvEntry | null): StoredJob | undefined {
  if (entry?.operation !== 'PUT') return undefined;
  try {
    return storedJob.parse(entry.json());
  } catch {
    return undefined;
  }
}

/** Whether somebody else has changed the record meanwhile. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 10071 || code === 10164;
}
