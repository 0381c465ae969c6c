import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IncomingBodies } from './incoming-bodies.ts';
import { createServer } from './server.ts';

const full = expect.objectContaining({ code: 'queue_full' });

describe('IncomingBodies', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('cuts the slowest body to make room for a new one', () => {
    const bodies = new IncomingBodies({ maxCount: 3, maxBytes: 1e9 });
    const [slow, slower, fast] = [bodies.open(), bodies.open(), bodies.open()];
    for (let second = 0; second < 20; second++) {
      slow.receive(2000);
      slower.receive(1000);
      fast.receive(100_000);
      vi.advanceTimersByTime(1000);
    }
    bodies.open();
    expect([slow, slower, fast].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect(slower.signal.reason).toEqual(full);
    expect([bodies.count, bodies.bytes]).toEqual([3, 20 * 102_000]);
    // The new one is too young to be called slow.
    bodies.open();
    expect(slow.signal.aborted).toBe(true);
  });

  it('judges by the rate of the last seconds: a fast start does not shelter a trickle', () => {
    const bodies = new IncomingBodies({ maxCount: 2, maxBytes: 1e9 });
    const [trickle, steady] = [bodies.open(), bodies.open()];
    trickle.receive(400_000_000);
    for (let second = 0; second < 15; second++) {
      vi.advanceTimersByTime(1000);
      trickle.receive(1000);
      steady.receive(50_000);
    }
    bodies.open();
    expect([trickle.signal.aborted, steady.signal.aborted]).toEqual([true, false]);
  });

  it('refuses one more while all are young', () => {
    const bodies = new IncomingBodies({ maxCount: 1, maxBytes: 1e9 });
    const first = bodies.open();
    expect(() => bodies.open()).toThrow(full);
    vi.advanceTimersByTime(2000);
    bodies.open();
    expect(first.signal.aborted).toBe(true);
  });

  it('cuts the slowest when all together are too large, and never a complete one', () => {
    const bodies = new IncomingBodies({ maxCount: 10, maxBytes: 1000 });
    const [complete, slow, fast] = [bodies.open(), bodies.open(), bodies.open()];
    complete.receive(400);
    complete.complete();
    vi.advanceTimersByTime(3000);
    slow.receive(100);
    fast.receive(500);
    fast.receive(100);
    expect([complete, slow, fast].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect([bodies.count, bodies.bytes]).toEqual([1, 1000]);
    fast.receive(1);
    expect([fast.signal.aborted, bodies.bytes]).toEqual([true, 400]);
    fast.receive(1);
    fast.release();
    complete.release();
    complete.release();
    complete.receive(1);
    expect([bodies.count, bodies.bytes]).toEqual([0, 0]);
  });
});

describe('bodies in memory', () => {
  const megabyte = 1_000_000;
  const body = JSON.stringify('x'.repeat(megabyte));

  async function start() {
    const app = await createServer({
      log: pino({ level: 'silent' }),
      requestLogLevel: 'silent',
      corsOrigins: [],
      description: { title: 'test', description: 'test', version: '0' },
      jsonBodyBytes: 2 * megabyte,
      maxBodiesBytes: 2.5 * megabyte,
    });
    const waiting: (() => void)[] = [];
    app.post('/wait', () => new Promise((resolve) => waiting.push(() => resolve('done'))));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    /** Sends the first `bytes` of a body. */
    const send = (bytes = body.length) => {
      const sent = request({
        port,
        method: 'POST',
        path: '/wait',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
        agent: false,
      });
      const status = new Promise<number | string>((resolve) => {
        sent.once('response', (response) => resolve(response.resume().statusCode!));
        sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
      });
      sent.write(body.slice(0, bytes));
      if (bytes === body.length) sent.end();
      return { sent, status };
    };
    return { app, waiting, send };
  }

  it('are bounded in sum until their responses: the next gets 503', async () => {
    const { app, waiting, send } = await start();
    const first = [send(), send()];
    while (waiting.length < 2) await new Promise(setImmediate);
    expect(await send().status).toBe(503);
    for (const resolve of waiting.splice(0)) resolve();
    expect(await Promise.all(first.map(({ status }) => status))).toEqual([200, 200]);
    const next = send();
    while (waiting.length < 1) await new Promise(setImmediate);
    waiting[0]!();
    expect(await next.status).toBe(200);
    await app.close();
  });

  it('that stall make room for others', async () => {
    const { app, waiting, send } = await start();
    const stalled = [send(megabyte - 10), send(megabyte - 10)];
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const good = send();
    while (waiting.length < 1) await new Promise(setImmediate);
    waiting[0]!();
    expect(await good.status).toBe(200);
    expect(await Promise.race(stalled.map(({ status }) => status))).toBe(503);
    for (const { sent } of stalled) sent.destroy();
    app.server.closeAllConnections();
    await app.close();
  });
});
