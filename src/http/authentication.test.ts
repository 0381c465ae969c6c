import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { handleErrors } from './errors.ts';
import { requireApiKey } from './server.ts';

async function status(url: string, authorization?: string, apiKey: string | undefined = 'sesame'): Promise<number> {
  const app = fastify();
  requireApiKey(app, apiKey, ['/v1', '/api/model']);
  handleErrors(app, app.log);
  for (const path of ['/v1/models', '/api/model/presets', '/health', '/v1x']) app.get(path, async () => 'ok');
  const response = await app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
  await app.close();
  return response.statusCode;
}

describe('requireApiKey', () => {
  it('accepts the key with the scheme in any case', async () => {
    expect(await status('/v1/models', 'Bearer sesame')).toBe(200);
    expect(await status('/v1/models', 'bearer  sesame')).toBe(200);
    expect(await status('/api/model/presets', 'BEARER sesame')).toBe(200);
  });

  it('accepts a non-ASCII key sent in UTF-8 or in Latin-1', async () => {
    // Node decodes headers as Latin-1.
    const received = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1');
    for (const key of ['schlüssel', 'voilà', 'ключ', '鍵']) {
      expect([key, await status('/v1/models', `Bearer ${received(key, 'utf8')}`, key)]).toEqual([key, 200]);
    }
    expect(await status('/v1/models', `Bearer ${received('schlüssel', 'latin1')}`, 'schlüssel')).toBe(200);
    expect(await status('/v1/models', `Bearer ${received('schlussel', 'utf8')}`, 'schlüssel')).toBe(401);
    // Only the low bytes of the key.
    expect(await status('/v1/models', `Bearer ${received('ключ', 'latin1')}`, 'ключ')).toBe(401);
  });

  it('rejects a missing or wrong key with 401', async () => {
    const wrong = [undefined, '', 'sesame', 'Bearer', 'Bearer ', 'Bearer sesam', 'Bearer sesames', 'Basic sesame'];
    for (const value of wrong) {
      expect([value, await status('/v1/models', value)]).toEqual([value, 401]);
      expect([value, await status('/api/model/presets', value)]).toEqual([value, 401]);
    }
  });

  it('protects paths in any spelling', async () => {
    for (const path of ['/%76%31/models', '/v1/%6dodels', '/v1/models?x=/health', '/v1/nothing']) {
      expect([path, await status(path)]).toEqual([path, 401]);
    }
  });

  it('leaves other routes open, and all routes without a configured key', async () => {
    expect(await status('/health')).toBe(200);
    expect(await status('/v1x')).toBe(200);
    const app = fastify();
    requireApiKey(app, undefined, ['/v1']);
    app.get('/v1/models', async () => 'ok');
    expect((await app.inject('/v1/models')).statusCode).toBe(200);
    await app.close();
  });
});
