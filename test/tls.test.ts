import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endAll, spawnHear, spawnSay, startHear, until } from './fixtures/service.ts';

let folder: string;
const path = (name: string) => join(folder, name);

/** Makes `<name>.crt` and `<name>.key` for localhost. */
function makeCertificate(name: string): void {
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  ];
  const files = ['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`)];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...options, ...files, ...names], { stdio: 'ignore' });
}

let hasOpenssl = true;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearsay-tls-'));
  try {
    for (const name of ['one', 'two']) makeCertificate(name);
  } catch {
    hasOpenssl = false;
  }
});
afterEach(() => endAll());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function use(name: string): { TLS_CERT: string; TLS_KEY: string } {
  copyFileSync(path(`${name}.key`), path('current.key'));
  copyFileSync(path(`${name}.crt`), path('current.crt'));
  return { TLS_CERT: path('current.crt'), TLS_KEY: path('current.key') };
}

/** Requests a page with the certificate that must be served. */
function get(url: string, name: string, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { ca: readFileSync(path(`${name}.crt`)), ...(agent && { agent }) }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    })
      .once('error', reject)
      .end();
  });
}

const handshake = (port: number): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });

describe('TLS_CERT and TLS_KEY', () => {
  it('serve HTTPS, and a new certificate without a restart', async ({ skip }) => {
    if (!hasOpenssl) skip();
    const hear = await startHear({ ...use('one'), WARMUP_ON_START: 'false' });
    expect(hear.url).toMatch(/^https:/);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await get(`${hear.url}/health`, 'one', kept)).toBe(200);
    await expect(get(`${hear.url}/health`, 'two')).rejects.toThrow(/certificate/);

    use('two');
    await until(() => hear.log.some((line) => line.includes('Reloaded the certificate')), 'it is loaded');
    expect(await get(`${hear.url}/health`, 'two')).toBe(200);
    await expect(get(`${hear.url}/health`, 'one')).rejects.toThrow(/certificate/);
    expect(await get(`${hear.url}/health`, 'one', kept)).toBe(200);
    kept.destroy();

    copyFileSync(path('one.key'), path('current.key'));
    await until(() => hear.log.some((line) => line.includes('Kept the previous certificate')), 'it is refused');
    expect(await get(`${hear.url}/health`, 'two')).toBe(200);
    await hear.stop();
  });

  it.each(['GET', 'POST'])('tell a client that sends %s in plain HTTP to use https', async (method) => {
    if (!hasOpenssl) return;
    const hear = await spawnHear({ ...use('one'), WARMUP_ON_START: 'false' });
    await hear.listening();
    const plain = { method, ...(method === 'POST' && { body: new Uint8Array(1_000_000) }) };
    const response = await fetch(`${hear.url.replace('https', 'http')}/health`, plain);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ detail: 'This port takes HTTPS: the address must begin with https://.' }),
    ]);
    expect(await get(`${hear.url}/health`, 'one')).toBe(200);
    await hear.stop();
  });

  it('bound handshakes, and survive what is no TLS', async ({ skip }) => {
    if (!hasOpenssl) skip();
    const say = await spawnSay({ ...use('one'), WARMUP_ON_START: 'false', MAX_CONNECTIONS: '5' });
    await say.listening();
    const port = Number(new URL(say.url).port);
    const plain = connectPlainly(port, '127.0.0.1');
    plain.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) =>
      plain
        .once('close', resolve)
        .on('error', () => {})
        .resume(),
    );
    const open = [await handshake(port), await handshake(port)];
    const silent = Array.from({ length: 20 }, () => connectPlainly(port, '127.0.0.1').on('error', () => {}));
    for (let round = 0; round < 5; round++) expect(await get(`${say.url}/health`, 'one')).toBe(200);
    for (const socket of [...open, ...silent]) socket.destroy();
    expect(say.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    await say.stop();
  });

  it.each([
    ['TLS_KEY alone', () => ({ TLS_KEY: path('one.key') }), /^TLS_KEY needs TLS_CERT$/],
    ['TLS_CERT alone', () => ({ TLS_CERT: path('one.crt') }), /^TLS_CERT needs TLS_KEY$/],
    [
      'a missing file',
      () => ({ TLS_CERT: path('none'), TLS_KEY: path('one.key') }),
      /^TLS_CERT must be a readable file/,
    ],
    ['a key of another', () => ({ TLS_CERT: path('one.crt'), TLS_KEY: path('two.key') }), /and its key: .*mismatch/],
    ['no PEM', () => ({ TLS_CERT: path('one.key'), TLS_KEY: path('one.key') }), /^TLS_CERT and TLS_KEY must be/],
  ])('with %s end the process with one line', async (_name, env, line) => {
    if (!hasOpenssl) return;
    const hear = await spawnHear(env());
    expect(await hear.exited).toEqual({ code: 1, signal: null });
    expect(hear.log).toEqual([expect.stringMatching(line)]);
  });
});
