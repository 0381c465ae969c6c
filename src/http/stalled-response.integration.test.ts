import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { cutStalledResponse } from './stalled-response.ts';
import { StreamedResponse } from './streamed-response.ts';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server whose response never ends; `isNeeded` tells it that others wait. */
async function start(isNeeded: () => boolean, { windowMs = 200, minBytesPerSecond = 10_000, pauseMs = 0 } = {}) {
  const app = fastify();
  let closed = false;
  app.get('/', async (request, reply) => {
    cutStalledResponse(request, reply, isNeeded, { windowMs, minBytesPerSecond });
    reply.raw.once('close', () => {
      closed = true;
    });
    const response = new StreamedResponse(reply, {});
    while (!closed) {
      await response.write(Buffer.alloc(16_000));
      if (pauseMs > 0) await sleep(pauseMs);
    }
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return {
    socket,
    isClosed: () => closed,
    async close() {
      socket.destroy();
      await app.close();
    },
  };
}

it('a client that stops reading keeps its slot until somebody needs it', async () => {
  let isNeeded = false;
  const { isClosed, close } = await start(() => isNeeded);
  await sleep(1000);
  expect(isClosed()).toBe(false);
  isNeeded = true;
  while (!isClosed()) await sleep(10);
  await close();
});

it('a client that reads slowly, and an engine that is slow, are not cut', async () => {
  // A busy machine may keep both from any progress for a moment.
  const patient = { windowMs: 1000, minBytesPerSecond: 1 };
  const slowEngine = await start(() => true, { ...patient, pauseMs: 150 });
  slowEngine.socket.resume();
  const slowClient = await start(() => true, patient);
  slowClient.socket.on('data', async () => {
    slowClient.socket.pause();
    await sleep(5);
    slowClient.socket.resume();
  });
  await sleep(3500);
  expect([slowEngine.isClosed(), slowClient.isClosed()]).toEqual([false, false]);
  await slowEngine.close();
  await slowClient.close();
});
