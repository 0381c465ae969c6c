import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Consumer, JetStreamClient } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import type { ObjectStore } from '@nats-io/obj';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
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
  /** Does nothing if it is not there. */
  deleteFile(name: string): Promise<void>;
}

/**
 * Connects, and creates missing streams and buckets. Only this function loads the client.
 * @throws the client's error
 */
export async function openNatsStore(
  { url, prefix, ackWaitMs }: NatsOptions,
  log: FastifyBaseLogger,
): Promise<NatsStore> {
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
  });
  void logStatus(connection, log);
  try {
    const js = jetstream(connection);
    const jsm = await js.jetstreamManager();
    const stream = `${prefix}_jobs`;
    const subjects = { jobs: `${prefix}.jobs.run`, callbacks: `${prefix}.jobs.callback` };
    // Keep streams that the operator has created, for example with replicas.
    await jsm.streams.info(stream).catch(() =>
      jsm.streams.add({
        name: stream,
        subjects: Object.values(subjects),
        retention: RetentionPolicy.Workqueue,
        discard: DiscardPolicy.New,
      }),
    );
    const consumer = async (name: 'jobs' | 'callbacks') => {
      const found = await js.consumers.get(stream, name).catch(() => undefined);
      if (found) return found;
      const config = { ack_policy: AckPolicy.Explicit, max_ack_pending: -1, ack_wait: nanos(ackWaitMs) };
      await jsm.consumers.add(stream, { durable_name: name, filter_subject: subjects[name], ...config });
      return js.consumers.get(stream, name);
    };
    const bucket = `${prefix}_jobs`;
    const files = await new Objm(js).create(bucket);
    return {
      connection,
      js,
      jobs: await consumer('jobs'),
      callbacks: await consumer('callbacks'),
      subjects,
      records: await new Kvm(js).create(bucket, { history: 1, markerTTL: MARKER_MS }),
      files,
      async deleteFile(name) {
        await files.delete(name);
        // The library leaves a marker forever.
        const encoded = Buffer.from(name).toString('base64url');
        const padded = encoded.padEnd(4 * Math.ceil(encoded.length / 4), '=');
        await jsm.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.M.${padded}` });
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
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

async function logStatus(connection: NatsConnection, log: FastifyBaseLogger): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') log.warn('The connection to the server of background jobs was lost');
    else if (type === 'reconnect') log.info('Connected to the server of background jobs again');
  }
}

/** Stores a file. */
export async function upload(files: ObjectStore, name: string, path: string): Promise<void> {
  const stream = Readable.toWeb(createReadStream(path)) as globalThis.ReadableStream<Uint8Array>;
  await files.put({ name }, stream);
}

/** Writes a stored file to a new file. @returns whether it was there */
export async function download(files: ObjectStore, name: string, path: string): Promise<boolean> {
  const found = await files.get(name);
  if (!found) return false;
  const stream = Readable.fromWeb(found.data as ReadableStream<Uint8Array>);
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const error = await found.error;
  if (error) throw error;
  return true;
}

/** Name of a job's recording. */
export const uploadName = ({ id }: StoredJob) => `${id}.upload`;

/** Name of the response of one worker: a late one must not overwrite another's. */
export const responseName = ({ id, worker }: StoredJob) => `${id}.${worker}.response`;

/** Errors of the server for lack of space: of the account, of the machine, of a stream. */
const full = new Set([10023, 10047, 10077]);

/** Turns errors of the server into those that clients may see. @throws HearsayError `storage_full` or `jobs_unavailable` */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
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
