import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** The folder that `npm run build` writes; the same seen from src/ and from dist/. */
const built = fileURLToPath(new URL('../../dist', import.meta.url));

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Only what the service itself sends is loaded and run, and no string ever becomes markup or script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

interface ConsoleFile {
  /** Path of the URL. */
  path: string;
  type: string;
  body: Buffer;
  etag: string;
}

/**
 * GET /web, without a key: the browser console of a service, with its stylesheet and its modules under /web/. Each file
 * is read once and has a route of its own, so that a path can name nothing else.
 *
 * @throws where the console has not been built
 */
export function consoleRoutes(app: FastifyInstance, service: 'hear' | 'say'): void {
  for (const { path, type, body, etag } of consoleFiles(service)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      reply.headers({
        etag,
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
}

/** Whether the client holds this version. Proxies that compress weaken the tag. */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function consoleFiles(service: string): ConsoleFile[] {
  const modules = modulesFrom(`console/${service}/main.js`);
  // Otherwise the browser would learn of a module only from the one that imports it.
  const preloads = modules.map((name) => `<link rel="modulepreload" href="/web/${name}">\n`).join('');
  const page = read(`console/${service}.html`).replace('</head>', `${preloads}</head>`);
  return [
    consoleFile('/web', '.html', page),
    ...['console/console.css', ...modules].map((name) => consoleFile(`/web/${name}`, extname(name), read(name))),
  ];
}

function consoleFile(path: string, extension: string, text: string): ConsoleFile {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { path, type: mediaTypes[extension]!, body, etag };
}

/** The module and all that it imports, as paths below the built folder. */
function modulesFrom(entry: string): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, target] of read(name).matchAll(/\b(?:from|import)\s*['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      visit(join(dirname(name), target!));
    }
  };
  visit(entry);
  return [...found];
}

function read(name: string): string {
  try {
    return readFileSync(join(built, name), 'utf8');
  } catch (error) {
    throw new Error(`The console's file ${name} is missing: \`npm run build\` makes it.`, { cause: error });
  }
}
