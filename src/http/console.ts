import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

const mediaTypes: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/**
 * GET /web: the browser console of a service, with its stylesheets and modules under /web/; / redirects there. Each file
 * has its own route, so that no path can name another file. They are read at start: an upgrade on disk would mix files
 * of two builds.
 *
 * @param root the output of `npm run build`
 * @throws if the console has not been built
 */
export function consoleRoutes(app: FastifyInstance, service: 'hear' | 'say', root = dist): void {
  app.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').redirect('/web'),
  );
  const page = `console/${service}.html`;
  const files = linkedFiles(root, page).map((file) => [`/web/${file}`, file] as const);
  for (const [url, file] of [['/web', page] as const, ...files]) {
    const content = readFileSync(join(root, file));
    const etag = tagOf(content);
    const type = `${mediaTypes[extname(file)]}; charset=utf-8`;
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      reply.headers({ ...headers, etag });
      if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(type).send(content);
    });
  }
}

/** Paths of the stylesheets and all modules of the console, from the links that the build writes into the page. */
function linkedFiles(root: string, page: string): string[] {
  let html: string;
  try {
    html = readFileSync(join(root, page), 'utf8');
  } catch (error) {
    throw new Error(`The console is not built: ${page} is missing. Run \`npm run build\`.`, { cause: error });
  }
  const links = html.matchAll(/<link rel="(?:stylesheet|modulepreload)" href="\/web\/([^"]+)">/g);
  return Array.from(links, ([, file]) => file!);
}

function tagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
