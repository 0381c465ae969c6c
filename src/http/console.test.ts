import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { consoleRoutes } from './console.ts';

const built = fileURLToPath(new URL('../../dist', import.meta.url));
const apps = await Promise.all(
  (['hear', 'say'] as const).map(async (service) => {
    const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    consoleRoutes(app, service);
    return { service, app };
  }),
);
afterAll(async () => {
  for (const { app } of apps) await app.close();
});

/** Loads the page, and everything that it and its modules link. */
async function load(app: FastifyInstance): Promise<Map<string, { type: string; body: string }>> {
  const loaded = new Map<string, { type: string; body: string }>();
  const visit = async (path: string) => {
    if (loaded.has(path)) return;
    const response = await app.inject(path);
    expect([path, response.statusCode]).toEqual([path, 200]);
    const type = String(response.headers['content-type']);
    loaded.set(path, { type, body: response.body });
    const links = type.startsWith('text/html')
      ? [...response.body.matchAll(/<(?:link|script|img|audio)\b[^>]*?\b(?:href|src)="([^"]*)"/g)]
      : [...response.body.matchAll(/\b(?:from|import|URL|url)\s*\(?['"]([./][^'"\n]+)['"]/g)];
    for (const [, target] of links) {
      if (!target!.startsWith('data:')) await visit(new URL(target!, `http://host${path}`).pathname);
    }
  };
  await visit('/web');
  return loaded;
}

describe.each(apps)('console of $service', ({ service, app }) => {
  it('serves every linked file with its media type', async () => {
    const loaded = await load(app);
    expect(loaded.size).toBeGreaterThan(15);
    for (const [path, { type }] of loaded) {
      const expected = path === '/web' ? 'text/html' : path.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([path, type]).toEqual([path, `${expected}; charset=utf-8`]);
    }
  });

  it('is the target of /', async () => {
    const { statusCode, headers } = await app.inject('/');
    expect([statusCode, headers.location]).toEqual([302, '/web']);
  });

  it('preloads every module in the page', async () => {
    const loaded = await load(app);
    const page = loaded.get('/web')!.body;
    const preloaded = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, path]) => path!);
    expect(preloaded.sort()).toEqual([...loaded.keys()].filter((path) => path.endsWith('.js')).sort());
  });

  it('is smaller than 270 kB', async () => {
    const sizes = [...(await load(app)).values()].map(({ body }) => Buffer.byteLength(body));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(270_000);
  });

  it('loads its own files only, and forbids others by headers', async () => {
    for (const [path, { body }] of await load(app)) {
      if (path === '/web') {
        expect(body).not.toMatch(/<script(?![^>]* src="\/web\/)|<style|\sstyle=|\son\w+=/i);
        expect(body).not.toMatch(/(?:href|src|action)="(?!\/|#|data:)/);
      }
      if (path.endsWith('.js'))
        expect(body).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
      if (path.endsWith('.css')) expect(body).not.toMatch(/@import|url\(/);
    }
    for (const path of ['/web', '/web/console/shared/base.css', `/web/console/${service}/main.js`]) {
      const { headers } = await app.inject(path);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self' blob:",
          "media-src 'self' blob:",
          "img-src 'self' data:",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ]),
      );
      expect(policy.join()).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  it('answers 304 to a browser that has the file', async () => {
    const url = '/web/console/shared/base.css';
    const etag = String((await app.inject(url)).headers.etag);
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': header } });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    for (const header of ['"other"', etag.slice(1, -1), '']) {
      expect((await app.inject({ url, headers: { 'if-none-match': header } })).statusCode).toBe(200);
    }
    expect((await app.inject('/web')).headers.etag).not.toBe(etag);
    expect((await app.inject('/web/')).statusCode).toBe(200);
  });

  it('answers 404 to every other path', async () => {
    const other = service === 'say' ? 'hear' : 'say';
    for (const url of [
      '/web/../package.json',
      '/web/..%2f..%2fpackage.json',
      '/web/%2e%2e/%2e%2e/package.json',
      '/web/console/..%2f..%2fstart.js',
      '/web/console/%2e%2e/start.js',
      '/web/console//shared/base.css',
      '/web/console/shared/base.css%00.js',
      '/web//etc/passwd',
      '/web/start.js',
      `/web/${service}/main.js`,
      `/web/console/${service}.html`,
      `/web/console/${other}/main.js`,
      '/web/console',
      '/web/console/shared',
    ]) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404]);
    }
    expect((await app.inject({ method: 'POST', url: '/web' })).statusCode).toBe(404);
  });
});

it('the built console has no tests and no package imports', () => {
  const files = readdirSync(`${built}/console`, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  for (const file of files.filter((file) => file.endsWith('.js'))) {
    const imports = readFileSync(`${built}/console/${file}`, 'utf8').split(/^(?!import )/m, 1)[0]!;
    const bare = [...imports.matchAll(/ from '([^.'][^']*)'/g)].map(([, name]) => name);
    expect([file, bare]).toEqual([file, []]);
  }
});

it('served the page of a later build, and 404 for its modules, after an upgrade in place', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hearsay-console-'));
  const build = (module: string) => {
    mkdirSync(join(root, 'console'), { recursive: true });
    writeFileSync(join(root, `console/hear.html`), `<link rel="modulepreload" href="/web/console/${module}.js">`);
    writeFileSync(join(root, `console/${module}.js`), `// ${module}`);
  };
  const app = fastify();
  try {
    build('old');
    consoleRoutes(app, 'hear', root);
    rmSync(root, { recursive: true });
    build('new');
    expect((await app.inject('/web')).body).toContain('old.js');
    expect((await app.inject('/web/console/old.js')).body).toBe('// old');
  } finally {
    await app.close();
    rmSync(root, { recursive: true });
  }
});
