import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { AllowedHosts } from './foreign-pages.ts';
import { createServer } from './server.ts';
import { serveUpgrades } from './upgrades.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function start(allowedHosts: AllowedHosts = [], corsOrigins: string[] | '*' = '*') {
  app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins,
    allowedHosts,
    apiKey: 'sesame',
    description: { title: 'test', description: 'test', version: '0' },
  });
  for (const url of ['/dev/unload', '/v1/speak', '/open']) app.post(url, async () => 'done');
  app.get('/dev/state', async () => 'state');
  return (method: 'GET' | 'POST' | 'OPTIONS', url: string, headers: Record<string, string>) =>
    app.inject({ method, url, headers: { authorization: 'Bearer sesame', ...headers } });
}

const forbidden = (message: RegExp) => ({
  error: { message: expect.stringMatching(message), type: 'permission_error', code: 403, param: null },
  detail: expect.stringMatching(message),
});

describe('a host', () => {
  it.each([
    ...['localhost', 'localhost:8000', 'LOCALHOST.', 'say.localhost:8880', '127.0.0.1:8880', '192.168.1.5', '8.8.8.8'],
    ...['[::1]:8880', '[fe80::1]', '[2001:db8::7]:8000', 'hear', 'hear:8000', 'my_machine-2', '0.0.0.0:8000'],
    // Regression: containers that called a service on their host got 403.
    ...['host.docker.internal:8000', 'host.containers.internal', 'nas.local', 'NAS.Local.:8000', 'nas.home.arpa'],
  ])('%s is served', async (host) => {
    const send = await start();
    expect((await send('GET', '/dev/state', { host })).statusCode).toBe(200);
  });

  it.each([
    ...['evil.example', 'evil.example:8000', 'localhost.evil.example', '127.0.0.1.evil.example', '1.2.3.4.5', 'a.b.'],
    ...['evil.example/localhost', 'evil.example:80:localhost', '[::1].evil.example', 'localhost@evil.example'],
    ...['local.evil.example', 'evil.local.example', 'evillocal.example', 'evil.arpa', 'fritz.box'],
  ])('%j may be a stranger’s name that points here: refused on every route', async (host) => {
    const send = await start(['speech.example.org']);
    for (const [method, url] of [
      ['GET', '/dev/state'],
      ['GET', '/docs/json'],
      ['POST', '/v1/speak'],
      ['POST', '/open'],
    ] as const) {
      const response = await send(method, url, { host });
      expect([url, response.statusCode]).toEqual([url, 403]);
      expect(response.json()).toEqual(
        forbidden(/^The host ".*" is not allowed\. To serve it, add it to ALLOWED_HOSTS\.$/),
      );
    }
  });

  it('in ALLOWED_HOSTS is served, and those below *.', async () => {
    const send = await start(['speech.example.org', '*.lan.example']);
    for (const [host, status] of [
      ['speech.example.org', 200],
      ['Speech.Example.org:443', 200],
      ['a.lan.example', 200],
      ['a.b.lan.example', 200],
      ['lan.example', 403],
      ['xlan.example', 403],
      ['example.org', 403],
      ['evil.speech.example.org', 403],
    ] as const) {
      expect([host, (await send('GET', '/dev/state', { host })).statusCode]).toEqual([host, status]);
    }
  });

  it('of any name is served with ALLOWED_HOSTS=*', async () => {
    const send = await start('*');
    expect((await send('GET', '/dev/state', { host: 'evil.example' })).statusCode).toBe(200);
  });

  it('is judged after CORS, so that a page can read why', async () => {
    const send = await start();
    const response = await send('POST', '/v1/speak', { host: 'speech.example.org', origin: 'https://app.example' });
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([403, '*']);
  });
});

describe('a page of another origin', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'content-type': 'text/plain' },
    { origin: 'null' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost.evil.example:8880' },
    { origin: 'http://localhost:8880', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  it.each(foreign)('with %j could unload the model: it is refused outside /v1', async (headers) => {
    const send = await start();
    for (const url of ['/dev/unload', '/open', '/dev/%75nload']) {
      const response = await send('POST', url, { host: 'localhost:8880', ...headers });
      expect([url, response.statusCode]).toEqual([url, 403]);
      expect(response.json()).toEqual(forbidden(/other origins/));
    }
    expect((await send('POST', '/v1/speak', headers)).statusCode).not.toBe(403);
    expect((await send('GET', '/dev/state', headers)).statusCode).toBe(200);
  });

  it.each([
    {},
    { origin: 'http://localhost:8880' },
    { origin: 'http://LOCALHOST:8880' },
    { origin: 'http://localhost:8880', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    // A proxy that ends TLS and replaces the Host: the browser vouches for the page, or ALLOWED_HOSTS does.
    { origin: 'https://speech.example.org', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://speech.lan.example' },
  ])('with %j is not foreign', async (headers) => {
    const send = await start(['speech.lan.example']);
    const response = await send('POST', '/dev/unload', { host: 'localhost:8880', ...headers } as Record<
      string,
      string
    >);
    expect(response.statusCode).toBe(200);
  });

  it('behind a proxy that ends TLS and keeps the Host is not foreign', async () => {
    const send = await start(['speech.example.org']);
    const headers = { host: 'speech.example.org', origin: 'https://speech.example.org' };
    expect((await send('POST', '/dev/unload', headers)).statusCode).toBe(200);
  });

  it('whose proxy replaced the Host over plain http gets a hint about ALLOWED_HOSTS; one with Sec-Fetch-Site does not', async () => {
    const send = await start();
    const origin = 'http://speech.example.org';
    const told = await send('POST', '/dev/unload', { host: '127.0.0.1:8880', origin });
    expect(told.json()).toEqual(forbidden(/If "speech\.example\.org" is this service, ALLOWED_HOSTS must name it/));
    const foreign = await send('POST', '/dev/unload', {
      host: '127.0.0.1:8880',
      origin,
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.json()).toEqual(forbidden(/may not use this route\.$/));
  });

  it('is not known by X-Forwarded-Host, which is not read', async () => {
    const send = await start();
    const headers = { origin: 'http://speech.example.org', 'x-forwarded-host': 'speech.example.org' };
    expect((await send('POST', '/dev/unload', { host: '127.0.0.1', ...headers })).statusCode).toBe(403);
  });

  it('uses /v1 as far as CORS_ORIGINS allows: simple requests act, whether or not the response is hidden', async () => {
    const send = await start(['hear.example.org'], ['https://app.example']);
    for (const [headers, status] of [
      [{}, 200],
      [{ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 200],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'http://localhost:8000' }, 200],
      [{ origin: 'https://hear.example.org' }, 200],
      [{ origin: 'https://speech.example', 'sec-fetch-site': 'same-origin' }, 200],
    ] as const) {
      const response = await send('POST', '/v1/speak', { host: 'localhost:8000', ...headers });
      expect([headers, response.statusCode]).toEqual([headers, status]);
      if (status === 403) expect(response.json()).toEqual(forbidden(/not in CORS_ORIGINS/));
    }
  });
});

it.each([
  ['no page', undefined, 200],
  ['a page of this service', 'http://localhost:8000', 200],
  ['a page in CORS_ORIGINS', 'https://app.example', 200],
  ['a page in ALLOWED_HOSTS', 'https://hear.example.org', 200],
  ['a page of another origin', 'https://evil.example', 403],
  ['a sandboxed page', 'null', 403],
])('a WebSocket of %s (%s) gets %i', async (_what, origin, status) => {
  await start(['hear.example.org'], ['https://app.example']);
  app.get('/v1/socket', async () => 'opened');
  serveUpgrades(app, '/v1/socket');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const headers = {
    host: 'localhost:8000',
    authorization: 'Bearer sesame',
    connection: 'Upgrade',
    upgrade: 'websocket',
    ...(origin && { origin }),
  };
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    request({ port, path: '/v1/socket', headers, agent: false })
      .once('response', (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });
  expect(answer).toBe(status);
});
