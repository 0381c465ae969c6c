import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';

const sha256 = (text: string, encoding: BufferEncoding) => createHash('sha256').update(text, encoding).digest();

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

/**
 * Requires `Authorization: Bearer <apiKey>` on every path under the prefixes, before a body is read. Register it before
 * the routes. Does nothing without a key.
 */
export function requireApiKey(app: FastifyInstance, apiKey: string | undefined, prefixes: string[]): void {
  if (apiKey === undefined) return;
  const expected = sha256(apiKey, 'utf8');
  // Digests have equal lengths: the comparison leaks nothing, not even the length of the key.
  const isKey = (digest: Buffer) => timingSafeEqual(digest, expected);
  app.addHook('onRequest', async (request) => {
    // The raw path may be percent-encoded and still match a route.
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
    if (!prefixes.some((prefix) => isUnder(path, prefix))) return;
    const key = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // Node decodes headers as Latin-1; clients may send keys beyond ASCII in UTF-8.
    if (key === undefined || !(isKey(sha256(key, 'latin1')) || isKey(sha256(key, 'utf8')))) {
      throw new HearsayError('invalid_api_key', 'Invalid API key');
    }
  });
}
