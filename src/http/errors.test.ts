import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { errorSpecs } from './errors.ts';
import { createServer } from './server.ts';

async function server(jsonBodyBytes = 1000) {
  const log: string[] = [];
  const app = await createServer({
    log: pino({ level: 'info' }, { write: (line: string) => log.push(line) }),
    requestLogLevel: 'silent',
    corsOrigins: '*',
    description: { title: 'test', description: 'test', version: '0' },
    jsonBodyBytes,
  });
  app.get<{ Params: { code: string } }>('/fail/:code', (request) => {
    throw new HearsayError(request.params.code as ErrorCode, 'The message.', { param: 'field' });
  });
  app.get('/crash', () => {
    throw new Error('a secret detail');
  });
  app.post(
    '/json',
    { schema: { body: z.object({ size: z.string(), deep: z.object({ n: z.int() }).optional() }) } },
    () => ({ ok: true }),
  );
  return { app, log };
}

// Written out: changing a status takes two edits.
const expected: Record<ErrorCode, [status: number, type: string, retryAfter?: '10', named?: 'named']> = {
  invalid_request: [400, 'invalid_request_error'],
  unsupported_response_format: [400, 'invalid_request_error'],
  unsupported_language: [400, 'invalid_request_error'],
  unsupported_task: [400, 'invalid_request_error'],
  unspeakable_text: [400, 'invalid_request_error', undefined, 'named'],
  invalid_audio: [400, 'invalid_request_error'],
  audio_too_long: [400, 'invalid_request_error'],
  invalid_model: [400, 'invalid_request_error', undefined, 'named'],
  invalid_api_key: [401, 'authentication_error'],
  forbidden: [403, 'permission_error'],
  not_found: [404, 'invalid_request_error'],
  method_not_allowed: [405, 'invalid_request_error'],
  upload_timeout: [408, 'invalid_request_error'],
  activation_cancelled: [409, 'invalid_request_error', undefined, 'named'],
  model_in_use: [409, 'invalid_request_error', undefined, 'named'],
  payload_too_large: [413, 'invalid_request_error'],
  unsupported_media_type: [415, 'invalid_request_error'],
  range_not_satisfiable: [416, 'invalid_request_error'],
  headers_too_large: [431, 'invalid_request_error'],
  internal_error: [500, 'server_error'],
  engine_failed: [500, 'server_error', undefined, 'named'],
  queue_full: [503, 'server_error', '10', 'named'],
  queue_timeout: [503, 'server_error', '10', 'named'],
  model_warming: [503, 'server_error', '10', 'named'],
  model_failed: [503, 'server_error', undefined, 'named'],
  model_unavailable: [503, 'server_error', '10', 'named'],
  model_load_failed: [503, 'server_error', undefined, 'named'],
  jobs_unavailable: [503, 'server_error', '10', 'named'],
  draining: [503, 'server_error', '10', 'named'],
  storage_full: [507, 'server_error'],
};

describe('error responses', () => {
  it('have the status, envelope, detail and headers of their code', async () => {
    const { app } = await server();
    expect(Object.keys(errorSpecs).sort()).toEqual(Object.keys(expected).sort());
    for (const [code, [status, type, retryAfter, named]] of Object.entries(expected)) {
      const response = await app.inject(`/fail/${code}`);
      expect([code, response.statusCode]).toEqual([code, status]);
      expect(response.json()).toEqual({
        error: { message: 'The message.', type, code: status, param: 'field' },
        detail: named ? { error: code, message: 'The message.', type } : 'The message.',
      });
      expect([code, response.headers['retry-after']]).toEqual([code, retryAfter]);
      expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    await app.close();
  });

  it('say what an operator can fix, without the path, which is in the log', async () => {
    const { app, log } = await server();
    const codes = ['EMFILE', 'EACCES', 'EPERM', 'EROFS'];
    for (const code of codes) {
      app.get(`/${code}`, () => {
        throw Object.assign(new Error(`${code}: refused, open '/a/path'`), { code, syscall: 'open' });
      });
    }
    for (const code of codes) {
      const response = await app.inject(`/${code}`);
      const isBusy = code === 'EMFILE';
      expect([response.statusCode, response.headers['retry-after']]).toEqual(isBusy ? [503, '10'] : [500, undefined]);
      expect(response.json().error.message).toMatch(isBusy ? /too many open files/ : new RegExp(`\\(${code}\\)`));
      expect(response.body).not.toContain('/a/path');
      expect(log.splice(0).join('')).toContain("/a/path'");
    }
    await app.close();
  });

  it('hide the message of an unexpected error, which is logged with its stack', async () => {
    const { app, log } = await server();
    const response = await app.inject('/crash');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('secret');
    expect(response.json().error.type).toBe('server_error');
    expect(log.join('')).toContain('a secret detail');
    expect(log.join('')).toContain('errors.test.ts');
    await app.close();
  });

  it('name the invalid field', async () => {
    const { app } = await server();
    const missing = await app.inject({ method: 'POST', url: '/json', payload: {} });
    expect([missing.statusCode, missing.json().error.param]).toEqual([400, 'size']);
    expect(missing.json().error.message).toBe('size: missing, expected string');
    const deep = await app.inject({ method: 'POST', url: '/json', payload: { size: 'a', deep: { n: 'x' } } });
    expect([deep.statusCode, deep.json().error.param]).toEqual([400, 'deep.n']);
    expect(deep.json().error.message).toContain('deep.n');
    for (const payload of [undefined, '[]', 'null']) {
      const headers = { 'content-type': 'application/json' };
      const whole = await app.inject({ method: 'POST', url: '/json', ...(payload && { payload, headers }) });
      expect([whole.statusCode, whole.json().error.param]).toEqual([400, null]);
      expect(whole.json().error.message).toMatch(/^body: .*expected object/);
    }
    await app.close();
  });

  it('name the media type of the body that is read', async () => {
    const { app } = await server();
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await app.inject({ method: 'POST', url: '/json', payload: '--b--', headers });
    expect([response.statusCode, response.json().detail]).toEqual([415, 'The body must be application/json.']);
    await app.close();
  });

  it('name the header of a compressed body', async () => {
    const { app } = await server();
    const post = (encoding: string) =>
      app.inject({
        method: 'POST',
        url: '/json',
        payload: JSON.stringify({ size: 'a' }),
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      });
    const refused = await post('gzip');
    expect([refused.statusCode, refused.json().error.param]).toEqual([415, 'content-encoding']);
    for (const encoding of ['identity', 'utf-8']) expect((await post(encoding)).statusCode).toBe(200);
    await app.close();
  });

  it('use the envelope for malformed, oversized and unsupported bodies', async () => {
    const { app } = await server();
    const post = (payload: string, type: string) =>
      app.inject({ method: 'POST', url: '/json', payload, headers: { 'content-type': type } });
    const responses = [
      [await post('{"size": ', 'application/json'), 400],
      [await post('', 'application/json'), 400],
      [await post(JSON.stringify({ size: 'a'.repeat(2000) }), 'application/json'), 413],
      [await post('<a/>', 'application/xml'), 415],
      [await post('{"size": "a"}', 'text/plain'), 415],
    ] as const;
    for (const [response, status] of responses) {
      expect(response.statusCode).toBe(status);
      expect(response.json().error.code).toBe(status);
      expect(response.json().detail).toBe(response.json().error.message);
    }
    await app.close();
  });

  it('drop members that would change prototypes, like others that no route knows', async () => {
    const { app } = await server();
    for (const name of ['__proto__', 'constructor']) {
      const payload = `{"${name}": {"prototype": {}}, "size": "a"}`;
      const headers = { 'content-type': 'application/json' };
      const response = await app.inject({ method: 'POST', url: '/json', payload, headers });
      expect([name, response.statusCode]).toEqual([name, 200]);
    }
    await app.close();
  });

  it('refuse a body of many members before it is parsed', async () => {
    const { app } = await server(20_000_000);
    const payload = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [index, 1]));
    const response = await app.inject({ method: 'POST', url: '/json', payload });
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      'The body has an object of more than 20000 members.',
    ]);
    await app.close();
  });

  it('use the envelope for unknown routes and malformed paths', async () => {
    const { app } = await server();
    const unknown = await app.inject('/nowhere?secret=1');
    expect([unknown.statusCode, unknown.json().error.type]).toEqual([404, 'invalid_request_error']);
    expect(unknown.body).not.toContain('secret');
    const malformed = await app.inject('/fail/%zz');
    expect([malformed.statusCode, malformed.json().error.code]).toEqual([400, 400]);
    const long = await app.inject(`/fail/${'a'.repeat(600)}`);
    expect(long.statusCode).toBeGreaterThanOrEqual(400);
    expect(long.json().error.type).toBe('invalid_request_error');
    await app.close();
  });

  it('have status 404 for an unknown route with any body', async () => {
    const { app } = await server();
    const bodies = [
      ['application/json', ''],
      ['application/json', '{"size": '],
      ['application/json', JSON.stringify({ size: 'a'.repeat(2000) })],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/xml', '<a/>'],
    ] as const;
    for (const [type, payload] of bodies) {
      for (const [method, url] of [
        ['POST', '/jsom'],
        ['PUT', '/jsom'],
        ['DELETE', '/jsom'],
      ] as const) {
        const response = await app.inject({ method, url, payload, headers: { 'content-type': type } });
        expect([type, payload.length, response.statusCode]).toEqual([type, payload.length, 404]);
        expect(response.json().error.message).toBe(`Unknown route: ${method} ${url}`);
      }
    }
    await app.close();
  });

  it('say which service has the route that a client looks for at the wrong service or path', async () => {
    const { app } = await server();
    const hear = 'The service `hear` (port 8000 by default) has POST /v1/audio/transcriptions';
    const say = 'The service `say` (port 8880 by default) has POST /v1/audio/speech';
    for (const [url, hint] of [
      ['/v1/audio/speech', say],
      ['/audio/speech', say],
      ['/v1/audio/transcriptions?x=/audio/speech', hear],
      ['/v1/v1/audio/transcriptions', hear],
      ['/v1/audio/transcriptions/audio/transcriptions', hear],
    ] as const) {
      const response = await app.inject({ method: 'POST', url });
      expect(response.statusCode).toBe(404);
      expect(response.json().error.message).toBe(`Unknown route: POST ${url.split('?', 1)[0]}. ${hint}`);
    }
    const got = await app.inject({ method: 'GET', url: '/v1/audio/speech' });
    expect(got.json().error.message).toBe('Unknown route: GET /v1/audio/speech');
    await app.close();
  });

  it('are all documented in docs/errors.md', async () => {
    const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.map((row) => {
      const [code, status, type, retryAfter, cause, remedy] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      expect(cause && remedy).toBeTruthy();
      return [code?.replaceAll('`', ''), Number(status), type?.replaceAll('`', ''), retryAfter];
    });
    const actual = Object.entries(errorSpecs).map(([code, { status, type, retryAfter }]) => [
      code,
      status,
      type,
      String(retryAfter ?? ''),
    ]);
    expect(documented).toEqual(actual);
  });
});
