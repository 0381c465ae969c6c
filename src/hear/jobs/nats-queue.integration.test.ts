import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeJobQueue, enqueueJob, jobLimits } from '../../../test/fixtures/job-queue-contract.ts';
import { until } from '../../../test/fixtures/service.ts';
import { NatsQueue } from './nats-queue.ts';
import { openNatsStore, serverOptions } from './nats-store.ts';

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
  startServer();
  await until(
    async () =>
      (await open()
        .then((queue) => queue.close())
        .then(
          () => true,
          () => false,
        )) === true,
    'it runs',
  );
});
afterAll(async () => {
  server?.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const open = (limits = jobLimits) =>
  NatsQueue.open({ ...limits, url, prefix: prefix(), ackWaitMs, temporaryDir: join(folder, prefix()), log });

function startServer(): void {
  const { port } = new URL(url);
  server = spawn(program, ['-js', '-a', '127.0.0.1', '-p', port, '-sd', join(folder, 'server')]);
}

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
    const { js, connection } = await openNatsStore({ url, prefix: prefix(), ackWaitMs }, log);
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
    const { records, connection } = await openNatsStore({ url, prefix: prefix(), ackWaitMs }, log);
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
    server!.kill('SIGKILL');
    await once(server!, 'exit');
    await expect(queue.get(id)).rejects.toMatchObject({ code: 'jobs_unavailable' });
    startServer();
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
    const { files, connection } = await openNatsStore({ url, prefix: prefix(), ackWaitMs }, log);
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
    const { files, connection } = await openNatsStore({ url, prefix: prefix(), ackWaitMs }, log);
    expect(await files.list()).toEqual([]);
    expect((await files.status()).streamInfo.state.messages).toBe(0);
    expect(await readdir(join(folder, prefix()))).toEqual([]);
    await connection.close();
    await queue.close();
    runs++;
  });
});
