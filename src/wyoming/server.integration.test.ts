import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { HearsayError } from '../errors.ts';
import { encodeEvent } from './events.ts';
import { startWyoming, type WyomingServer } from './server.ts';

const open: Socket[] = [];
let server: WyomingServer;
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close();
});

/** A server that refuses `refused` events and never ends `endless` ones; `late` ones wait until the client has ended. */
async function start(maxConnections: number) {
  server = await startWyoming({
    host: '127.0.0.1',
    port: 0,
    maxConnections,
    log: pino({ level: 'silent' }),
    handler: (connection) => ({
      async handle({ type }) {
        if (type.startsWith('late') && !connection.signal.aborted) await once(connection.signal, 'abort');
        if (type === 'late answer') await connection.send('answer');
        if (type.endsWith('refused')) throw new HearsayError('invalid_request', 'No.');
        if (type === 'endless') await new Promise(() => {});
      },
    }),
  });
  const dial = async () => {
    // Never closes its side of a connection.
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    open.push(socket);
    const connection = { socket, received: '', isClosed: false };
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => {
        connection.received += text;
      })
      .on('error', () => {})
      .once('end', () => {
        connection.isClosed = true;
      })
      .once('close', () => {
        connection.isClosed = true;
      });
    await once(socket, 'connect');
    return connection;
  };
  const ping = async () => {
    const connection = await dial();
    connection.socket.write(encodeEvent('ping', { text: 'there?' }));
    await until(() => connection.received.includes('there?') || connection.isClosed);
    return connection;
  };
  return { dial, ping };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

it('a refused client that neither reads on nor closes its side does not stay connected', async () => {
  const { ping } = await start(1);
  const refused = await ping();
  refused.socket.write(encodeEvent('refused'));
  await until(() => refused.received.includes('invalid_request'));
  // More than the buffers of both ends hold.
  refused.socket.write(Buffer.alloc(20_000_000));
  let next = await ping();
  for (let tries = 0; next.isClosed && tries < 40; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    next = await ping();
  }
  expect(next.received).toContain('there?');
});

it.each([
  ['late answer', 'answer'],
  ['late refused', 'invalid_request'],
])('sends a %s to a client that has closed its side, as nc does', async (type, answer) => {
  const { dial } = await start(1);
  const connection = await dial();
  connection.socket.end(encodeEvent(type));
  await until(() => connection.isClosed);
  expect(connection.received).toContain(answer);
});

it('one connection more closes the one that has been idle for longest', async () => {
  const { ping } = await start(3);
  const busy = await ping();
  busy.socket.write(encodeEvent('endless'));
  const [first, second] = [await ping(), await ping()];
  first.socket.write(encodeEvent('ping', { text: 'again' }));
  await until(() => first.received.includes('again'));
  const next = await ping();
  await until(() => second.isClosed);
  expect([busy, first, next].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
});

it('a new connection is closed if no other is idle', async () => {
  const { ping } = await start(1);
  const busy = await ping();
  busy.socket.write(encodeEvent('endless'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const next = await ping();
  expect([busy.isClosed, next.isClosed]).toEqual([false, true]);
  expect(next.received).toBe('');
});
