import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/fixtures/scripted-engine.ts';
import { createServer, disconnectSignal } from './server.ts';
import { StreamedResponse } from './streamed-response.ts';

let app: FastifyInstance;
let responses: string[];
let codes: string[];
/** Responses of /endless that noticed their client's disconnect. */
let gone: number;
let chunks: number;

beforeEach(async () => {
  responses = [];
  codes = [];
  gone = 0;
  chunks = 0;
  app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
    headTimeoutMs: 300,
    onRequestEnd: ({ route, status, code }) => {
      responses.push(`${route} ${status}`);
      if (code) codes.push(code);
    },
  });
  app.get('/short', async () => 'ok');
  app.post('/short', async () => 'ok');
  app.get('/endless', async (_request, reply) => {
    const signal = disconnectSignal(reply);
    const answer = new StreamedResponse(reply, { 'content-type': 'text/plain' });
    while (!signal.aborted) {
      await answer.write('endless '.repeat(1000));
      chunks++;
      await sleep(1);
    }
    gone++;
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** A client that never closes its side. */
function stubborn(): { socket: Socket; received: () => string; ended: () => boolean } {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let ended = false;
  socket.setEncoding('latin1').on('data', (data) => {
    text += data;
  });
  // A cut connection may end in either way.
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      ended = true;
    });
  }
  return { socket, received: () => text, ended: () => ended };
}

async function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('malformed requests', () => {
  const post = 'POST /short HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const smuggled = 'GET /short HTTP/1.1\r\nHost: x\r\n\r\n';
  const cases: Record<string, [bytes: string, status: number]> = {
    garbage: ['HELLO\r\n\r\n', 400],
    'a TLS greeting': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'a length and chunks': [`${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, 400],
    'two lengths': [`${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`, 400],
    'a negative length': [`${post}Content-Length: -2\r\n\r\n{}${smuggled}`, 400],
    'a length with a sign': [`${post}Content-Length: +2\r\n\r\n{}${smuggled}`, 400],
    'an endless length': [`${post}Content-Length: 99999999999999999999999\r\n\r\n`, 400],
    'a blank before the colon': [`${post}Content-Length : 2\r\n\r\n{}${smuggled}`, 400],
    'a coding after chunks': [`${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`, 400],
    'a folded header': [`${post}X: a\r\n Content-Length: 2\r\n\r\n{}${smuggled}`, 400],
    'lines without a carriage return': ['GET /short HTTP/1.1\nHost: x\n\n', 400],
    'no host': ['GET /short HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    'two hosts': ['GET /short HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
    'two hosts, far apart': [
      `GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a:b\r\n'.repeat(2500)}Host: b\r\n\r\n`,
      400,
    ],
    'a header of a megabyte': [`GET /short HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1e6)}\r\n\r\n`, 431],
    'an address of a megabyte': [`GET /${'x'.repeat(1e6)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    'ten thousand headers': [`GET /short HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, 431],
    'a head that is never complete': ['GET /short HTTP/1.1\r\nHost: x\r\nX: ', 408],
    nothing: ['', 408],
  };

  it.each(Object.keys(cases))('get one response and a closed connection: %s', async (name) => {
    const [bytes, status] = cases[name]!;
    const { socket, received, ended } = stubborn();
    socket.write(bytes, 'latin1');
    await until(ended);
    expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    const body = JSON.parse(received().split('\r\n\r\n')[1]!);
    expect(body).toMatchObject({ error: { code: status, type: 'invalid_request_error' }, detail: body.error.message });
    expect(responses).not.toContain('/short 200');
    await until(() => codes.length > 0 || bytes === '');
    expect([responses.length, codes.length]).toEqual(bytes === '' ? [0, 0] : [1, 1]);
    socket.destroy();
  });

  it('are counted once if their client hangs up within the body', async () => {
    const { socket, ended } = stubborn();
    socket.end(`${post}Content-Length: 20\r\n\r\n{`);
    await until(ended);
    socket.destroy();
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
    expect([responses, codes]).toEqual([['/short 499'], []]);
  });

  it('closes a connection whose client never closes its side', async () => {
    const { socket, ended } = stubborn();
    socket.write('HELLO\r\n\r\n');
    await until(ended);
    // Further bytes are not requests and do not extend the connection.
    socket.write(get('/short'));
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
    expect(responses).toEqual(['undefined 400']);
    socket.destroy();
  });

  it('cuts the connection during a response instead of mixing two', async () => {
    const { socket, received, ended } = stubborn();
    socket.write(get('/endless'));
    await until(() => received().includes('endless'));
    socket.write('\0not HTTP\r\n\r\n');
    await until(ended);
    expect(received()).toMatch(/^HTTP\/1\.1 200 /);
    expect(received()).not.toContain('HTTP/1.1 400');
    await until(() => gone === 1);
    socket.destroy();
  });

  it('ignores an unknown expectation', async () => {
    const { socket, received } = stubborn();
    socket.write('GET /short HTTP/1.1\r\nHost: x\r\nExpect: dinner\r\n\r\n');
    await until(() => received().endsWith('ok'));
    expect(received()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

describe('pipelined requests', () => {
  it('get their responses in order', async () => {
    const { socket, received } = stubborn();
    socket.write(get('/short') + get('/missing') + get('/short'));
    await until(() => received().match(/HTTP\/1\.1 \d+/g)?.length === 3);
    expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    socket.destroy();
  });

  it('are handled one after the other, and end with their connection', async () => {
    const { socket, received } = stubborn();
    socket.write(get('/endless').repeat(20));
    await until(() => received().includes('endless'));
    await until(() => chunks > 10);
    socket.destroy();
    await once(socket, 'close');
    await until(() => gone === 1);
    await until(() => responses.length === 1);
    expect(responses).toEqual(['/endless 499']);
    await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  });
});
