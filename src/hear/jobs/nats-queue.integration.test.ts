import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetentionPolicy } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeJobQueue, enqueueJob, jobLimits } from '../../../test/fixtures/job-queue-contract.ts';
import { until } from '../../../test/fixtures/service.ts';
import { NatsQueue } from './nats-queue.ts';
import { download, guarded, matches, openNatsStore, read, serverOptions } from './nats-store.ts';

const program = process.env.NATS_SERVER ?? 'nats-server';
const hasServer = spawnSync(program, ['--version']).status === 0;
if (!hasServer) console.log('Skipped: jobs on NATS, because there is no nats-server.');

const log = pino({ level: 'silent' });
const ackWaitMs = 1000;
let folder: string;
let server: ChildProcess | undefined;
let url: string;
let runs = 0;
const prefix = () => `test${runs}`;
const never = new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nats-queue-'));
  if (!hasServer) return;
  const port = await freePort();
  url = `nats://127.0.0.1:${port}`;
  await startServer();
});
afterAll(async () => {
  server?.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const open = (limits = jobLimits) =>
  NatsQueue.open({ ...limits, url, prefix: prefix(), ackWaitMs, temporaryDir: join(folder, prefix()), log });

async function startServer(...more: string[]): Promise<void> {
  const { port } = new URL(url);
  server = spawn(program, ['-js', '-a', '127.0.0.1', '-p', port, '-sd', join(folder, 'server'), ...more]);
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(() => resolve(true)));
      socket.once('error', () => resolve(false));
    });
  await until(accepts, 'the server accepts connections');
}

async function killServer(): Promise<void> {
  server!.kill('SIGKILL');
  await once(server!, 'exit');
}

const openStore = () => openNatsStore({ url, prefix: prefix(), ackWaitMs });

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

describe('serverOptions', () => {
  it.each([
    ['nats://host:4222', { servers: ['host:4222'] }],
    ['nats://a:1,b:2/', { servers: ['a:1', 'b:2'] }],
    ['tls://me:p%40ss@host', { servers: ['host'], tls: {}, user: 'me', pass: 'p@ss' }],
    ['nats://token@host', { servers: ['host'], token: 'token' }],
  ])('reads %s', (text, expected) => {
    expect(serverOptions(text)).toEqual(expected);
  });
});

it.each([
  ['a.b.c', true],
  ['a.*.c', true],
  ['a.>', true],
  ['>', true],
  ['a.b', false],
  ['a.b.c.>', false],
  ['a.*', false],
  ['a.b.d', false],
])('a stream of %s has the subject a.b.c: %s', (pattern, expected) => {
  expect(matches('a.b.c')(pattern)).toBe(expected);
});

describe.skipIf(!hasServer)('on NATS', () => {
  describeJobQueue('NatsQueue', {
    open,
    reset: async () => void runs++,
    folder: () => folder,
    kill: (queue) => queue.close(),
  });

  it('jobs of several processes go to one each', async () => {
    const queues = [await open(), await open(), await open()];
    const ids = [];
    for (let count = 0; count < 30; count++) ids.push((await enqueueJob(queues[count % 3]!, folder)).id);
    const taken: string[] = [];
    const stop = new AbortController();
    const work = async (queue: NatsQueue) => {
      for (;;) {
        const lease = await queue.take(stop.signal);
        taken.push(lease.job.id);
        await lease.complete({ contentType: 'text/plain', body: 'said' });
      }
    };
    const workers = queues.map((queue) => work(queue).catch(() => {}));
    await until(() => taken.length >= ids.length, 'all are taken');
    stop.abort();
    await Promise.all(workers);
    expect(taken.sort()).toEqual(ids.sort());
    for (const queue of queues) await queue.close();
    runs++;
  });

  it('a job stays with a live worker, however long it takes', async () => {
    const [first, second] = [await open(), await open()];
    await enqueueJob(first, folder);
    const lease = await first.take(never);
    const controller = new AbortController();
    const other = expect(second.take(controller.signal)).rejects.toThrow('patience');
    setTimeout(() => controller.abort(new Error('patience')), 3 * ackWaitMs);
    await other;
    await lease.complete({ contentType: 'text/plain', body: 'said' });
    expect(second.counts.running).toBe(0);
    for (const queue of [first, second]) await queue.close();
    runs++;
  });

  it('the outcome of a worker that lost its job does not count', async () => {
    const [first, second] = [await open(), await open()];
    const { id } = await enqueueJob(first, folder);
    const lost = await first.take(never);
    // As of a worker that was stopped for longer than the server waits.
    const { js, connection } = await openStore();
    await js.publish(`${prefix()}.jobs.run`, JSON.stringify(lost.job));
    const lease = await second.take(never);
    await until(() => lost.signal.aborted, 'the first worker knows');
    await lost.complete({ contentType: 'text/plain', body: 'late' });
    expect(await second.get(id)).toMatchObject({ status: 'running', starts: 2 });
    await lease.complete({ contentType: 'text/plain', body: 'said' });
    expect((await first.response(id))?.toString()).toBe('said');
    await connection.close();
    for (const queue of [first, second]) await queue.close();
    runs++;
  });

  it('a job that was published but not recorded runs: its client may have been answered', async () => {
    const queue = await open();
    const { id } = await enqueueJob(queue, folder);
    const { records, connection } = await openStore();
    await records.purge(id);
    const lease = await queue.take(never);
    expect(lease.job.id).toBe(id);
    await lease.complete({ contentType: 'text/plain', body: 'said' });
    await connection.close();
    await queue.close();
    runs++;
  });

  it('a job is saved when its server was killed and is back', async () => {
    const queue = await open();
    const { id } = await enqueueJob(queue, folder);
    const lease = await queue.take(never);
    const waiting = await enqueueJob(queue, folder);
    await killServer();
    await expect(queue.get(id)).rejects.toMatchObject({ code: 'jobs_unavailable' });
    await startServer();
    const next = queue.take(never);
    await until(
      async () =>
        lease.complete({ contentType: 'text/plain', body: 'said' }).then(
          () => true,
          () => false,
        ),
      'it is saved',
    );
    // Its worker was silent meanwhile: it may be the next one, too.
    const leases = [await next];
    if (leases[0]!.job.id === id) leases.push(await queue.take(never));
    for (const lease of leases) await lease.complete({ contentType: 'text/plain', body: 'said' });
    expect(leases.at(-1)!.job.id).toBe(waiting.id);
    for (const each of [id, waiting.id]) expect((await queue.response(each))?.toString()).toBe('said');
    await until(() => queue.counts.succeeded === 2, 'the copy follows the records again');
    await queue.close();
    runs++;
  });

  it('a recording whose job was never published is removed', async () => {
    const queue = await open();
    const { files, connection } = await openStore();
    await files.putBlob({ name: `job_${'0'.repeat(32)}.upload` }, Buffer.from('a recording'));
    const { id } = await enqueueJob(queue, folder);
    await queue.removeStrays(Date.now() - 60_000);
    expect(await files.list()).toHaveLength(2);
    await queue.removeStrays(Date.now() + 60_000);
    expect((await files.list()).map(({ name }) => name)).toEqual([`${id}.upload`]);
    await connection.close();
    await queue.close();
    runs++;
  });

  it('no file is left when all jobs are removed', async () => {
    const queue = await open();
    const done = await enqueueJob(queue, folder);
    await (await queue.take(never)).complete({ contentType: 'text/plain', body: 'said' });
    const cancelled = await enqueueJob(queue, folder);
    await queue.cancel(cancelled.id);
    for (const { id } of [done, cancelled]) expect(await queue.remove(id)).toBe(true);
    const { files, connection } = await openStore();
    expect(await files.list()).toEqual([]);
    expect((await files.status()).streamInfo.state.messages).toBe(0);
    expect(await readdir(join(folder, prefix()))).toEqual([]);
    await connection.close();
    await queue.close();
    runs++;
  });

  it('takes new jobs after its server has lost all of them', async () => {
    const queues = [await open(), await open()];
    const [first, second] = queues as [NatsQueue, NatsQueue];
    const lost = await enqueueJob(first, folder);
    const lease = await first.take(never);
    await killServer();
    await rm(join(folder, 'server'), { recursive: true });
    await startServer();
    await until(() => lease.signal.aborted, 'the worker knows');
    await lease.release();
    await until(async () => (await second.get(lost.id).catch(() => lost)) === undefined, 'the other one does, too');
    const { id } = await enqueueJob(second, folder);
    await (await first.take(never)).complete({ contentType: 'text/plain', body: 'said' });
    expect((await second.response(id))?.toString()).toBe('said');
    const now = { queued: 0, running: 0, succeeded: 1, failed: 0, cancelled: 0 };
    for (const queue of queues) await expect.poll(() => queue.counts, { timeout: 5000 }).toEqual(now);
    for (const queue of queues) await queue.close();
    runs++;
  });

  it('goes on after its server has refused it for a while', async () => {
    const queue = await open();
    const { id } = await enqueueJob(queue, folder);
    await killServer();
    await startServer('--auth', 'secret');
    // Two attempts to connect.
    await sleep(6000);
    await killServer();
    await startServer();
    await until(async () => (await queue.get(id).catch(() => undefined))?.status === 'queued', 'it answers');
    await queue.close();
    runs++;
  });

  it('closes while its server is down', async () => {
    const queue = await open();
    await enqueueJob(queue, folder);
    await queue.take(never);
    await killServer();
    await sleep(500);
    await queue.close();
    await startServer();
    runs++;
  });

  it('gives up a file that stops arriving, as when the server restarts', async () => {
    const stopped = { get: async () => ({ data: new ReadableStream(), error: new Promise(() => {}) }) };
    const files = stopped as unknown as ObjectStore;
    const path = join(folder, 'stopped');
    await expect(download(files, 'file', path, 100)).rejects.toThrow('stopped sending');
    await expect(read(files, 'file', 100)).rejects.toThrow('stopped sending');
  });

  it('fails a job whose recording has lost a piece on the server, and goes on', async () => {
    const queue = await open();
    const done = await enqueueJob(queue, folder);
    await (await queue.take(never)).complete({ contentType: 'text/plain', body: 'said' });
    const { js, files, connection } = await openStore();
    const { streams } = await js.jetstreamManager();
    const stream = `OBJ_${prefix()}_jobs`;
    await streams.purge(stream, { filter: `$O.${prefix()}_jobs.C.>` });
    const { id } = await enqueueJob(queue, folder, { content: 'a recording'.repeat(30_000) });
    const { nuid, chunks } = (await files.info(`${id}.upload`))!;
    expect(chunks).toBe(3);
    const piece = await streams.getMessage(stream, { last_by_subj: `$O.${prefix()}_jobs.C.${nuid}` });
    await streams.deleteMessage(stream, piece!.seq);
    const next = await enqueueJob(queue, folder);
    expect((await queue.take(never)).job.id).toBe(next.id);
    const error = { code: 'internal_error', message: 'The recording of this job was lost.' };
    expect(await queue.get(id)).toMatchObject({ status: 'failed', error });
    expect(await queue.response(done.id)).toBeUndefined();
    await connection.close();
    await queue.close();
    runs++;
  });

  it('goes on beside a message that it cannot read', async () => {
    const queue = await open();
    const { js, connection } = await openStore();
    await js.publish(`${prefix()}.jobs.run`, 'no job');
    const { id } = await enqueueJob(queue, folder);
    const lease = await queue.take(never);
    expect(lease.job.id).toBe(id);
    await lease.complete({ contentType: 'text/plain', body: 'said' });
    await expect(queue.take(AbortSignal.timeout(2500))).rejects.toMatchObject({ name: 'TimeoutError' });
    await connection.close();
    await queue.close();
    runs++;
  });

  it('a removed job stays removed, even if its recording was not deleted when it was cancelled', async () => {
    const queue = await open();
    const { id } = await enqueueJob(queue, folder);
    await queue.cancel(id);
    const { files, connection } = await openStore();
    await files.putBlob({ name: `${id}.upload` }, Buffer.from('a recording'));
    expect(await queue.remove(id)).toBe(true);
    await expect(queue.take(AbortSignal.timeout(1500))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await queue.get(id)).toBeUndefined();
    await connection.close();
    await queue.close();
    runs++;
  });

  it('parts of a file whose upload was cut are removed', async () => {
    const queue = await open();
    await enqueueJob(queue, folder);
    const { js, files, connection } = await openStore();
    await js.publish(`$O.${prefix()}_jobs.C.cut`, 'a part');
    await queue.removeStrays(Date.now() - 60_000);
    // The part, and the recording of the job with its description.
    expect((await files.status()).streamInfo.state.messages).toBe(3);
    await queue.removeStrays(Date.now() + 60_000);
    expect((await files.status()).streamInfo.state.messages).toBe(2);
    await connection.close();
    await queue.close();
    runs++;
  });

  it('removes jobs from a bucket that the operator has created', async () => {
    await (await open()).close();
    const { js, connection } = await openStore();
    const jsm = await js.jetstreamManager();
    const bucket = `KV_${prefix()}_jobs`;
    const { config } = await jsm.streams.info(bucket);
    await jsm.streams.delete(bucket);
    await jsm.streams.add({ ...config, allow_msg_ttl: false, subject_delete_marker_ttl: 0 });
    const queue = await open();
    const { id } = await enqueueJob(queue, folder);
    await queue.cancel(id);
    expect(await queue.remove(id)).toBe(true);
    await connection.close();
    await queue.close();
    runs++;
  });

  it('names a stream that cannot hold its jobs', async () => {
    const { js, connection } = await openStore();
    const jsm = await js.jetstreamManager();
    const name = `${prefix()}_jobs`;
    const message = `The stream ${name} must be a work queue of ${prefix()}.jobs.run and ${prefix()}.jobs.callback`;
    for (const config of [
      { name, subjects: ['else'], retention: RetentionPolicy.Workqueue },
      { name, subjects: [`${prefix()}.jobs.*`] },
    ]) {
      await jsm.streams.delete(name);
      await jsm.streams.add(config);
      await expect(open()).rejects.toThrow(message);
    }
    await connection.close();
    runs++;
  });
});

it.each([10002, 10023, 10047, 10077])('error %i of the server says that there is no space', async (code) => {
  const refuse = () => Promise.reject(Object.assign(new Error('refused'), { code }));
  await expect(guarded(refuse)).rejects.toMatchObject({ code: 'storage_full' });
});
