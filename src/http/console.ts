import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { hasTag } from './entity-tag.ts';

/** The output of `npm run build`: the same path from src/ and from dist/. */
const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/**
 * A policy that allows only scripts and styles of the service itself, and no markup or script made from strings.
 * @param trustedTypes name of the Trusted Types policy of a library, the only one allowed
 */
export function contentSecurityPolicy(trustedTypes = "'none'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The studio loads the pages of books from blobs.
    "connect-src 'self' blob:",
    "media-src 'self' blob:",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ');
}

const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * GET /web: the browser console of a service, with its stylesheets and modules under /web/; / redirects there. Each file
 * has its own route, so that no path can name another file.
 *
 * @throws if the console has not been built
 */
export async function consoleRoutes(app: FastifyInstance, service: 'hear' | 'say'): Promise<void> {
  const page = `console/${service}.html`;
  const files = linkedFiles(page);
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: dist,
      serve: false,
      acceptRanges: false,
      cacheControl: false,
      lastModified: false,
      // The library derives its tag from size and time, and packaging may change the time.
      etag: false,
      setHeaders(reply, path) {
        reply.headers(headers);
        // RFC 9239; the library sends the obsolete application/javascript.
        if (path.endsWith('.js')) reply.type('text/javascript; charset=utf-8');
      },
    });
    scope.get('/', { schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'no-cache').redirect('/web'),
    );
    for (const [url, file] of [['/web', page] as const, ...files.map((file) => [`/web/${file}`, file] as const)]) {
      const etag = contentTag(file);
      scope.get(url, { schema: { hide: true } }, (request, reply) => {
        reply.header('etag', etag);
        if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
        return reply.sendFile(file);
      });
    }
  });
}

/** Paths of the stylesheets and all modules of the console, from the links that the build writes into the page. */
function linkedFiles(page: string): string[] {
  let html: string;
  try {
    html = readFileSync(join(dist, page), 'utf8');
  } catch (error) {
    throw new Error(`The console is not built: ${page} is missing. Run \`npm run build\`.`, { cause: error });
  }
  const links = html.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="\/web\/([^"]+)">/g);
  return Array.from(links, ([, file]) => file!);
}

function contentTag(file: string): string {
  return `"${createHash('sha256')
    .update(readFileSync(join(dist, file)))
    .digest('base64url')
    .slice(0, 27)}"`;
}
