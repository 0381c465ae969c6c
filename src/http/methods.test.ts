import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createServer } from './server.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function start(apiKey?: string) {
  app = await createServer({
    log: pino({ level: 'silent' }),
    requestLogLevel: 'silent',
    corsOrigins: '*',
    apiKey,
    description: { title: 'test', description: 'test', version: '0' },
  });
  app.get('/health', async () => 'fine');
  app.post('/dev/unload', async () => 'done');
  app.post('/v1/audio/speech', async () => 'speech');
  app.get('/v1/models/:model', async () => 'model');
  await app.ready();
  return async (method: string, url: string, headers = {}) => {
    const response = await app.inject({ method: method as 'GET', url, headers });
    return { status: response.statusCode, allow: response.headers.allow, body: response.body };
  };
}

it.each([
  ['GET', '/v1/audio/speech', 'POST, OPTIONS'],
  ['HEAD', '/v1/audio/speech', 'POST, OPTIONS'],
  ['PUT', '/v1/audio/speech?x=/', 'POST, OPTIONS'],
  ['DELETE', '/v1/audio/speech/', 'POST, OPTIONS'],
  ['GET', '/v1//audio/speech', 'POST, OPTIONS'],
  ['GET', '/dev/unload', 'POST, OPTIONS'],
  ['GET', '/dev/%75nload', 'POST, OPTIONS'],
  ['POST', '/health', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/v1/models/a', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/v1/models/org%2Fname', 'GET, HEAD, OPTIONS'],
  ['POST', '/docs', 'GET, HEAD, OPTIONS'],
  ['PROPFIND', '/docs/static/index.css', 'GET, HEAD, OPTIONS'],
])('%s of the known path %s gets 405 with Allow', async (method, url, allow) => {
  const send = await start();
  const response = await send(method, url);
  expect([response.status, response.allow]).toEqual([405, allow]);
  if (method === 'HEAD') return;
  const message = `This route takes ${allow}, not ${method}.`;
  expect(JSON.parse(response.body).error).toEqual({ message, type: 'invalid_request_error', code: 405, param: null });
});

it('OPTIONS lists the methods; a preflight under /v1 is answered by CORS', async () => {
  const send = await start('sesame');
  expect(await send('OPTIONS', '/health')).toEqual({ status: 204, allow: 'GET, HEAD, OPTIONS', body: '' });
  const preflight = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  expect(await send('OPTIONS', '/v1/audio/speech', preflight)).toEqual({ status: 204, allow: undefined, body: '' });
  for (const headers of [{}, { origin: 'https://page.example' }]) {
    expect(await send('OPTIONS', '/v1/audio/speech', headers)).toEqual({
      status: 204,
      allow: 'POST, OPTIONS',
      body: '',
    });
  }
  expect((await send('OPTIONS', '/v1/nowhere')).status).toBe(404);
  expect((await send('OPTIONS', '/nowhere')).status).toBe(404);
  expect((await send('OPTIONS', '/nowhere', preflight)).status).toBe(404);
  expect((await send('OPTIONS', '/health', { host: 'evil.example' })).status).toBe(403);
});

it('HEAD answers like GET, without a body', async () => {
  const send = await start();
  expect(await send('HEAD', '/health')).toEqual({ status: 200, allow: undefined, body: '' });
});

it('a path that its own method does not find is 404', async () => {
  const send = await start();
  for (const url of ['/v1/models/#', '/v1/models/?x', '/health#/x/']) {
    const { status, allow } = await send('GET', url);
    expect([url, status, allow]).toEqual([url, url.startsWith('/health') ? 200 : 404, undefined]);
  }
});

it.each(['/nowhere', '/v1/models', '/v1/models/', '/v1/models/a/b', '/v1', '/', '/docs/static', '/health/x'])(
  'the unknown path %s gets 404 with any method',
  async (url) => {
    const send = await start();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await send(method, url);
      expect([method, response.status, response.allow]).toEqual([method, 404, undefined]);
    }
  },
);

it('reveals nothing without the key', async () => {
  const send = await start('sesame');
  expect((await send('GET', '/v1/audio/speech')).status).toBe(401);
  expect((await send('GET', '/v1/audio/speech', { authorization: 'Bearer sesame' })).status).toBe(405);
});

it('every response forbids sniffing of its type', async () => {
  await start();
  for (const url of ['/health', '/nowhere', '/docs', '/docs/json', '/docs/static/index.css', '/things/%zz']) {
    const { headers } = await app.inject(url);
    expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff']);
  }
});
