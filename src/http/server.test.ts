import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { HearsayError } from '../errors.ts';
import { EventStream } from './event-stream.ts';
import type { CompletedRequest } from './observe-request.ts';
import { createServer } from './server.ts';

it('close() ends with the last response, despite keep-alive connections', async () => {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
  });
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => waiting.push(resolve));
  app.get('/plain', async () => {
    await turn();
    return 'ok';
  });
  app.get('/events', async (_request, reply) => {
    const events = new EventStream(reply);
    events.send({ n: 1 });
    await turn();
    events.end();
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const agent = new Agent({ keepAlive: true });
  const bodies = ['/plain', '/events'].map(async (path) => {
    const sent = request({ port, host: '127.0.0.1', path, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response) body += chunk;
    return body;
  });
  while (waiting.length < 2) await new Promise(setImmediate);
  const closed = app.close();
  await new Promise(setImmediate);
  for (const resolve of waiting) resolve();
  expect(await Promise.all(bodies)).toEqual(['ok', 'data: {"n":1}\n\n']);
  await closed;
  agent.destroy();
}, 20_000);

it('a request that comes during close() gets the answer of its route', async () => {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
  });
  app.get('/refused', async () => {
    throw new HearsayError('draining', 'The service is shutting down.');
  });
  let finish = () => {};
  const isClosing = new Promise<void>((resolve) => {
    app.addHook('preClose', async () => {
      resolve();
      await new Promise<void>((done) => {
        finish = done;
      });
    });
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const closed = app.close();
  await isClosing;
  const response = await fetch(`${address}/refused`);
  expect(await response.json()).toMatchObject({ error: { code: 503 }, detail: { error: 'draining' } });
  expect(response.headers.get('retry-after')).toBe('10');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  expect(response.headers.get('connection')).toBe('close');
  finish();
  await closed;
});

it('duplicate slashes change nothing, with an address that ends in one: they were unknown routes', async () => {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    apiKey: 'sesame',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
  });
  app.post('/v1/audio/speech', async () => 'ok');
  for (const url of ['/v1//audio/speech', '//v1/audio/speech', '/v1/audio///speech//?x=//']) {
    const send = (headers: object) => app.inject({ method: 'POST', url, headers: { ...headers } });
    expect([url, (await send({ authorization: 'Bearer sesame' })).statusCode]).toEqual([url, 200]);
    expect([url, (await send({})).statusCode]).toEqual([url, 401]);
  }
  await app.close();
});

it('a request that announces JSON and has no body is one without a body: DELETE got a 400', async () => {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
  });
  app.delete('/jobs', async () => 'deleted');
  app.post('/speech', { schema: { body: z.object({ input: z.string() }) } }, async () => 'ok');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const headers of [new Headers(), new Headers({ 'content-type': 'application/json' })]) {
    expect((await fetch(`${address}/jobs`, { method: 'DELETE', headers })).status).toBe(200);
    const response = await fetch(`${address}/speech`, { method: 'POST', headers });
    const detail = 'body: Invalid input: expected object, received null';
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ detail })]);
  }
  await app.close();
});

it('an undecodable path gets a request id, a log line and a metric', async () => {
  const lines: string[] = [];
  const requests: CompletedRequest[] = [];
  const app = await createServer({
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    requestLogLevel: 'info',
    corsOrigins: [],
    description: { title: 'test', description: 'test', version: '0' },
    onRequestEnd: (request) => requests.push(request),
  });
  app.get('/things/:name', async () => 'ok');
  for (const [path, id] of [
    ['/things/%zz?secret=1', 'malformed'],
    [`/things/${'a'.repeat(600)}`, 'long'],
  ] as const) {
    const response = await app.inject({ url: path, headers: { 'x-request-id': id } });
    expect(response.statusCode).toBe(400);
    expect(response.headers['x-request-id']).toBe(id);
    expect(requests.splice(0)).toMatchObject([{ method: 'GET', route: undefined, status: 400 }]);
    const [line, ...others] = lines.splice(0);
    expect(others).toEqual([]);
    expect(line).toContain(`"reqId":"${id}"`);
    expect(line).not.toContain('secret');
  }
  await app.close();
});

it.each([
  ['warn', 'info', ['request']],
  ['info', 'warn', ['of the service']],
  ['info', 'silent', ['of the service']],
  ['silent', 'info', ['request']],
])('logs the service at %s and its requests at %s', async (level, requestLogLevel, expected) => {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(line) });
  const description = { title: 'test', description: 'test', version: '0' };
  const app = await createServer({ log, requestLogLevel, corsOrigins: [], description });
  app.get('/', async () => {
    log.info('of the service');
    return 'ok';
  });
  await app.inject('/');
  await app.close();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(expected);
});

it.each([
  ['info', '/health', 200, []],
  ['debug', '/health', 200, ['/health']],
  ['info', '/ready', 503, []],
  ['info', '/web/console.css', 200, []],
  ['info', '/docs/static/index.css', 200, []],
  ['info', '/web/console.css', 500, ['/web/console.css']],
  ['info', '/v1/models', 200, ['/v1/models']],
  ['info', '/webhook', 200, ['/webhook']],
  ['info', '/api/model/presets', 200, []],
  ['info', '/api/model/activate', 200, ['/api/model/activate']],
])('at %s, logs GET %s with %i as %j', async (level, path, status, expected) => {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(line) });
  const description = { title: 'test', description: 'test', version: '0' };
  const app = await createServer({ log, requestLogLevel: level, corsOrigins: [], description });
  if (!path.startsWith('/docs')) app.get(path, (_request, reply) => reply.code(status).send('x'));
  await app.inject(path);
  await app.close();
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(expected.map(() => expect.stringContaining(path)));
});
