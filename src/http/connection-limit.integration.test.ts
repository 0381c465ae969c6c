import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createServer } from './server.ts';

/** More than the buffers of both ends. */
const LARGE = 50_000_000;

const open: Socket[] = [];
let close = async () => {};
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await close();
});

async function start(maxConnections: number) {
  const log: string[] = [];
  const app = await createServer({
    log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
    maxConnections,
  });
  const waiting: (() => void)[] = [];
  app.get('/now', async () => 'now');
  app.get('/large', async () => 'x'.repeat(LARGE));
  app.post('/body', async () => 'body');
  app.get('/wait', () => new Promise((resolve) => waiting.push(() => resolve('done'))));
  await app.listen({ port: 0, host: '127.0.0.1' });
  close = async () => {
    for (const resolve of waiting) resolve();
    await app.close();
  };
  const { port } = app.server.address() as AddressInfo;
  const dial = async () => {
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    const connection = { socket, received: '', isClosed: false };
    socket.setEncoding('utf8').on('data', (text: string) => {
      connection.received += text;
    });
    socket
      .on('error', () => {})
      .once('close', () => {
        connection.isClosed = true;
      });
    await once(socket, 'connect');
    return connection;
  };
  return { dial, waiting, log };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

it('a new connection closes the longest idle one', async () => {
  const { dial, log } = await start(3);
  const first = await dial();
  const second = await dial();
  const third = await dial();
  first.socket.write(get('/now'));
  await until(() => first.received.endsWith('now'));
  // A head that never ends is idle too.
  second.socket.write('GET /now HTTP/1.1\r\nHost: loc');
  for (let extra = 0; extra < 2; extra++) {
    const next = await dial();
    next.socket.write(get('/now'));
    await until(() => next.received.endsWith('now'));
  }
  await until(() => second.isClosed && third.isClosed);
  expect(first.isClosed).toBe(false);
  expect(log).toHaveLength(1);
  expect(log[0]).toContain('MAX_CONNECTIONS (3) reached');
});

it('a new connection closes the slowest sender if none is idle', async () => {
  const { dial, waiting } = await start(3);
  const post =
    'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n';
  const busy = await dial();
  busy.socket.write(get('/wait'));
  const [slow, slower] = [await dial(), await dial()];
  for (const { socket } of [slow, slower]) socket.write(post);
  await until(() => waiting.length === 1);
  // Only what follows the head counts.
  await new Promise((resolve) => setTimeout(resolve, 200));
  slow.socket.write(' '.repeat(1000));
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const next = await dial();
  next.socket.write(get('/wait'));
  await until(() => waiting.length === 2);
  await until(() => slower.isClosed);
  expect([busy.isClosed, slow.isClosed]).toEqual([false, false]);
});

it('a new connection closes a client that does not read', async () => {
  const { dial, waiting } = await start(2);
  const busy = await dial();
  busy.socket.write(get('/wait'));
  const deaf = await dial();
  deaf.socket.pause();
  deaf.socket.write(get('/large'));
  await new Promise((resolve) => setTimeout(resolve, 2300));
  const next = await dial();
  next.socket.write(get('/wait'));
  await until(() => waiting.length === 2);
  deaf.socket.resume();
  await until(() => deaf.isClosed);
  expect(deaf.received.length).toBeLessThan(LARGE);
  expect(busy.isClosed).toBe(false);
});

it('a connection that serves a request is never closed for another', async () => {
  const { dial, waiting } = await start(2);
  const busy = [await dial(), await dial()];
  for (const { socket } of busy) socket.write(get('/wait'));
  await until(() => waiting.length === 2);
  const extra = await dial();
  await until(() => extra.isClosed);
  for (const resolve of waiting) resolve();
  await until(() => busy.every(({ received }) => received.endsWith('done')));
});
