import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Consumer, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { HearsayError } from '../../errors.ts';
import { isSystemError } from '../../files/system-error.ts';
import type { StoredJob } from './job.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** How long records of removed jobs and message ids (for deduplication) are remembered. */
const MARKER_MS = 3_600_000;

export interface NatsOptions {
  /** Comma-separated, with user and password or a token if need be. */
  url: string;
  /** Prefix of the names of streams, buckets and subjects. */
  prefix: string;
  /** Milliseconds without a renewal after which a worker counts as dead. */
  ackWaitMs: number;
}

/** Streams and buckets of jobs on a NATS server. */
export interface NatsStore {
  connection: NatsConnection;
  js: JetStreamClient;
  /** A message for each job to run, and for each callback to deliver, until that is done. */
  jobs: Consumer;
  callbacks: Consumer;
  subjects: { jobs: string; callbacks: string };
  /** Records by id. */
  records: KV;
  /** Recordings and responses. */
  files: ObjectStore;
  /** Whether the server has a file, with all of its pieces: a disk may have lost some, and the client waits for them. */
  hasFile(name: string): Promise<boolean>;
  /** Does nothing if it is not there. */
  deleteFile(name: string): Promise<void>;
  /** Removes what cut uploads have left, unless it came after `before`, in milliseconds since 1970. */
  deleteLostChunks(before: number): Promise<void>;
  /**
   * Creates what the server no longer has, for example because it was started with another disk.
   * @returns whether the records are other ones than before
   */
  restore(): Promise<boolean>;
}

/**
 * Connects, and creates missing streams and buckets. Only this function loads the client.
 * @throws the client's error
 */
export async function openNatsStore({ url, prefix, ackWaitMs }: NatsOptions): Promise<NatsStore> {
  const [{ connect, nanos }, { jetstream, AckPolicy, DiscardPolicy, RetentionPolicy }, { Kvm }, { Objm }] =
    await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/kv'),
      import('@nats-io/obj'),
    ]);
  const connection = await connect({
    ...serverOptions(url),
    name: 'hearsay',
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    // The server may refuse its clients for a while, as when its users are edited.
    ignoreAuthErrorAbort: true,
  });
  try {
    const js = jetstream(connection);
    const jsm = await js.jetstreamManager();
    const stream = `${prefix}_jobs`;
    const bucket = `${prefix}_jobs`;
    const subjects = { jobs: `${prefix}.jobs.run`, callbacks: `${prefix}.jobs.callback` };
    const consumer = async (name: 'jobs' | 'callbacks') => {
      const config = { ack_policy: AckPolicy.Explicit, max_ack_pending: -1, ack_wait: nanos(ackWaitMs) };
      await orIfMissing(jsm.consumers.info(stream, name), () =>
        jsm.consumers.add(stream, { durable_name: name, filter_subject: subjects[name], ...config }),
      );
      return js.consumers.get(stream, name);
    };
    // Keeps what the operator has created, for example with replicas.
    const create = async () => {
      const { config } = await orIfMissing(jsm.streams.info(stream), () =>
        jsm.streams.add({
          name: stream,
          subjects: Object.values(subjects),
          retention: RetentionPolicy.Workqueue,
          discard: DiscardPolicy.New,
        }),
      );
      const lacking = Object.values(subjects).filter((subject) => !config.subjects?.some(matches(subject)));
      if (config.retention !== RetentionPolicy.Workqueue || lacking.length > 0) {
        throw new Error(`The stream ${stream} must be a work queue of ${Object.values(subjects).join(' and ')}`);
      }
      // Reads go to the leader: another server may not have a record yet, and its job would count as removed.
      const records = await new Kvm(js).create(bucket, { history: 1, markerTTL: MARKER_MS, allow_direct: false });
      const { config: recordsConfig, created } = await jsm.streams.info(`KV_${bucket}`);
      if (!recordsConfig.allow_msg_ttl) {
        const markers = { allow_msg_ttl: true, subject_delete_marker_ttl: nanos(MARKER_MS) };
        await jsm.streams.update(`KV_${bucket}`, { ...recordsConfig, ...markers });
      }
      const files = await new Objm(js).create(bucket);
      return { jobs: await consumer('jobs'), callbacks: await consumer('callbacks'), records, files, created };
    };
    let { created, ...parts } = await create();
    return {
      connection,
      js,
      subjects,
      ...parts,
      ...fileOperations(jsm, parts.files, bucket),
      async restore() {
        const before = created;
        ({ created } = await create());
        return created !== before;
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** What `found` resolves with, or what `create` makes if the server has no such stream or consumer. */
async function orIfMissing<T>(found: Promise<T>, create: () => Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 10059 || code === 10014) return create();
    throw error;
  }
}

/** Whether a pattern of subjects, such as `hearsay.jobs.*` or `hearsay.>`, has `subject`. */
export function matches(subject: string): (pattern: string) => boolean {
  return (pattern) => {
    const parts = pattern.split('.');
    const words = subject.split('.');
    if (parts.at(-1) === '>' && words.length >= parts.length) words.splice(parts.length - 1, Infinity, '>');
    return parts.length === words.length && parts.every((part, at) => part === '*' || part === words[at]);
  };
}

/**
 * What the client does not do. Deletes by purging, which writes nothing: it works when the server is full, and leaves no
 * marker.
 */
function fileOperations(
  jsm: JetStreamManager,
  files: ObjectStore,
  bucket: string,
): Pick<NatsStore, 'hasFile' | 'deleteFile' | 'deleteLostChunks'> {
  const stream = `OBJ_${bucket}`;
  return {
    async hasFile(name) {
      const found = await files.info(name);
      if (!found) return false;
      const subject = `$O.${bucket}.C.${found.nuid}`;
      const { state } = await jsm.streams.info(stream, { subjects_filter: subject });
      return (state.subjects?.[subject] ?? 0) === found.chunks;
    },
    async deleteFile(name) {
      const found = await files.info(name);
      if (!found) return;
      await jsm.streams.purge(stream, { filter: `$O.${bucket}.C.${found.nuid}` });
      const encoded = Buffer.from(name).toString('base64url');
      const padded = encoded.padEnd(4 * Math.ceil(encoded.length / 4), '=');
      await jsm.streams.purge(stream, { filter: `$O.${bucket}.M.${padded}` });
    },
    async deleteLostChunks(before) {
      const { state } = await jsm.streams.info(stream, { subjects_filter: `$O.${bucket}.>` });
      const subjects = Object.keys(state.subjects ?? {});
      const lost = new Set(subjects.filter((subject) => subject.startsWith(`$O.${bucket}.C.`)));
      // Unlike a list, which may end early, this fails as a whole.
      for (const subject of subjects.filter((subject) => subject.startsWith(`$O.${bucket}.M.`))) {
        const description = await jsm.streams.getMessage(stream, { last_by_subj: subject });
        if (description) lost.delete(`$O.${bucket}.C.${description.json<{ nuid: string }>().nuid}`);
      }
      for (const subject of lost) {
        const last = await jsm.streams.getMessage(stream, { last_by_subj: subject });
        if (last && last.time.getTime() < before) await jsm.streams.purge(stream, { filter: subject });
      }
    },
  };
}

/** Servers and credentials of a URL such as `nats://user:password@host:4222,host2`. */
export function serverOptions(url: string) {
  const [, scheme = 'nats', credentials, hosts = ''] = /^(?:(\w+):\/\/)?(?:([^@]*)@)?(.*?)\/?$/.exec(url) ?? [];
  const [user, pass] = credentials?.split(':').map(decodeURIComponent) ?? [];
  return {
    servers: hosts.split(','),
    ...(scheme === 'tls' && { tls: {} }),
    ...(pass === undefined ? user !== undefined && { token: user } : { user, pass }),
  };
}

/** Stores a file. */
export async function upload(files: ObjectStore, name: string, path: string): Promise<void> {
  const stream = Readable.toWeb(createReadStream(path)) as globalThis.ReadableStream<Uint8Array>;
  await files.put({ name }, stream);
}

/**
 * The pieces of a stored file; undefined if it is not there.
 * @param stallMs how long to wait for a piece: the client waits forever if the server restarts meanwhile
 */
async function piecesOf(files: ObjectStore, name: string, stallMs: number): Promise<AsyncIterable<Buffer> | undefined> {
  const found = await files.get(name);
  if (!found) return undefined;
  // The stream fails, too.
  found.error.catch(() => {});
  const stream = Readable.fromWeb(found.data as ReadableStream<Uint8Array>);
  const stalled = () => stream.destroy(new Error('The server of background jobs stopped sending a file'));
  async function* pieces() {
    const timer = setTimeout(stalled, stallMs);
    try {
      for await (const piece of stream) {
        yield piece;
        timer.refresh();
      }
    } finally {
      clearTimeout(timer);
    }
  }
  return pieces();
}

/** Writes a stored file to a new file. @returns whether it was there */
export async function download(files: ObjectStore, name: string, path: string, stallMs: number): Promise<boolean> {
  const pieces = await piecesOf(files, name, stallMs);
  if (!pieces) return false;
  await pipeline(pieces, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return true;
}

/** A stored file, which must be small; undefined if it is not there. */
export async function read(files: ObjectStore, name: string, stallMs: number): Promise<Buffer | undefined> {
  const pieces = await piecesOf(files, name, stallMs);
  if (!pieces) return undefined;
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Name of a job's recording. */
export const uploadName = ({ id }: StoredJob) => `${id}.upload`;

/** Name of the response of one worker: a late one must not overwrite another's. */
export const responseName = ({ id, worker }: StoredJob) => `${id}.${worker}.response`;

/** Errors of the server for lack of space: of the account, of the machine, of a stream. */
const full = new Set([10002, 10023, 10028, 10047, 10077]);

/** Turns errors of the server into those that clients may see. @throws HearsayError `storage_full` or `jobs_unavailable` */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HearsayError || isSystemError(error)) throw error;
    const { code } = error as { code?: unknown };
    if (typeof code === 'number' && full.has(code)) {
      throw new HearsayError('storage_full', 'The disk is full: the job was not saved.', { cause: error });
    }
    throw new HearsayError('jobs_unavailable', 'The server of background jobs failed.', { cause: error });
  }
}
