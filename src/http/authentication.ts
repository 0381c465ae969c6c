import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';

const sha256 = (text: string, encoding: BufferEncoding) => createHash('sha256').update(text, encoding).digest();

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

/**
 * Requires `Authorization: Bearer <apiKey>` on every route under the given prefixes, before a body is read. Register it
 * ahead of the routes. Without a key nothing is required.
 */
export function requireApiKey(app: FastifyInstance, apiKey: string | undefined, prefixes: string[]): void {
  if (apiKey === undefined) return;
  const expected = sha256(apiKey, 'utf8');
  // Digests are of one length, so the comparison tells nothing about the key's length either.
  const isKey = (given: Buffer) => timingSafeEqual(given, expected);
  app.addHook('onRequest', async (request) => {
    // The matched pattern decides: the raw path may be percent-encoded and still match a route.
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
    if (!prefixes.some((prefix) => isUnder(path, prefix))) return;
    const key = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // A header is bytes, which Node reads as Latin-1; a key of more than ASCII may as well have been sent in UTF-8.
    if (key === undefined || !(isKey(sha256(key, 'latin1')) || isKey(sha256(key, 'utf8')))) {
      throw new HearsayError('invalid_api_key', 'Invalid API key');
    }
  });
}
