import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { requireApiKey } from './authentication.ts';
import { handleErrors } from './errors.ts';

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
  it('lets the key in, whatever the case of the scheme', async () => {
    expect(await status('/v1/models', 'Bearer sesame')).toBe(200);
    expect(await status('/v1/models', 'bearer  sesame')).toBe(200);
    expect(await status('/api/model/presets', 'BEARER sesame')).toBe(200);
  });

  it('lets a key of more than ASCII in, whether it was sent in UTF-8 or in Latin-1', async () => {
    // What Node makes of the bytes of a header.
    const received = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1');
    for (const key of ['schlüssel', 'voilà', 'ключ', '鍵']) {
      expect([key, await status('/v1/models', `Bearer ${received(key, 'utf8')}`, key)]).toEqual([key, 200]);
    }
    expect(await status('/v1/models', `Bearer ${received('schlüssel', 'latin1')}`, 'schlüssel')).toBe(200);
    expect(await status('/v1/models', `Bearer ${received('schlussel', 'utf8')}`, 'schlüssel')).toBe(401);
    // The low bytes of the key alone are not the key.
    expect(await status('/v1/models', `Bearer ${received('ключ', 'latin1')}`, 'ключ')).toBe(401);
  });

  it('refuses everything else', async () => {
    const wrong = [undefined, '', 'sesame', 'Bearer', 'Bearer ', 'Bearer sesam', 'Bearer sesames', 'Basic sesame'];
    for (const value of wrong) {
      expect([value, await status('/v1/models', value)]).toEqual([value, 401]);
      expect([value, await status('/api/model/presets', value)]).toEqual([value, 401]);
    }
  });

  it('is not deceived by another spelling of the path', async () => {
    for (const path of ['/%76%31/models', '/v1/%6dodels', '/v1/models?x=/health', '/v1/nothing']) {
      expect([path, await status(path)]).toEqual([path, 401]);
    }
  });

  it('leaves other routes, and a service without a key, open', async () => {
    expect(await status('/health')).toBe(200);
    expect(await status('/v1x')).toBe(200);
    const app = fastify();
    requireApiKey(app, undefined, ['/v1']);
    app.get('/v1/models', async () => 'ok');
    expect((await app.inject('/v1/models')).statusCode).toBe(200);
    await app.close();
  });
});
