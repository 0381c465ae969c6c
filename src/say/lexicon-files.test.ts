import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubFile } from '../hub/download.ts';
import { cachedLexicons, fetchLexicons } from './lexicon-files.ts';

const contents: Record<string, string> = {
  'us_gold.json': '{"a": "us gold"}',
  'us_silver.json': '{"a": "us silver"}',
  'gb_gold.json': '{"a": "gb gold"}',
  'gb_silver.json': '{"a": "gb silver"}',
};
const wanted: HubFile[] = Object.entries(contents).map(([path, content]) => ({
  path,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
}));

let modelsDir: string;
let directory: string;
let server: Server;
let endpoint: string;
let requests: { url: string; range: string | undefined; authorization: string | undefined }[];
/** Responses of the next requests, instead of the file. */
let faults: ({ status: number } | { body: string } | { cutAfter: number })[];
beforeEach(async () => {
  modelsDir = mkdtempSync(join(tmpdir(), 'lexicon-files-'));
  directory = join(modelsDir, 'misaki');
  requests = [];
  faults = [];
  server = createServer((request, response) => {
    const { range, authorization } = request.headers;
    requests.push({ url: request.url!, range, authorization });
    const fault = faults.shift();
    if (fault && 'status' in fault) return response.writeHead(fault.status).end();
    const content =
      contents[/^\/hexgrad\/misaki\/[0-9a-f]{40}\/misaki\/data\/(\w+\.json)$/.exec(request.url!)?.[1] ?? ''];
    if (content === undefined) return response.writeHead(404).end();
    if (fault && 'body' in fault) return response.end(fault.body);
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': content.length - start,
      ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
    });
    if (fault) return response.write(content.slice(0, fault.cutAfter), () => response.destroy());
    return response.end(content.slice(start));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(modelsDir, { recursive: true, force: true });
});

const fetched = (options: { offline?: boolean; signal?: AbortSignal; onProgress?: () => void } = {}) =>
  fetchLexicons({ modelsDir, endpoint, offline: options.offline ?? false }, options, wanted);
const failed = { code: 'model_load_failed', message: expect.stringContaining('pronouncing dictionary') };

describe('fetchLexicons', () => {
  it('downloads the files of one commit, without a token, once', async () => {
    expect(await cachedLexicons(modelsDir)).toBeUndefined();
    expect(await fetched()).toBe(directory);
    for (const [name, content] of Object.entries(contents))
      expect(readFileSync(join(directory, name), 'utf8')).toBe(content);
    expect(readdirSync(directory).sort()).toEqual(Object.keys(contents).sort());
    expect(requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined, undefined]);
    expect(new Set(requests.map(({ url }) => url.split('/')[3])).size).toBe(1);
    expect(await cachedLexicons(modelsDir)).toBe(directory);
    await fetched({ offline: true });
    expect(requests).toHaveLength(4);
  });

  it('keeps files that the user has put there', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, 'gb_gold.json'), '{"a": "my own"}');
    await fetched();
    expect(readFileSync(join(directory, 'gb_gold.json'), 'utf8')).toBe('{"a": "my own"}');
  });

  it('resumes an interrupted download', async () => {
    faults = [{ cutAfter: 5 }];
    await fetched();
    expect(requests[1]).toMatchObject({ url: requests[0]!.url, range: 'bytes=5-' });
    expect(readFileSync(join(directory, 'us_gold.json'), 'utf8')).toBe(contents['us_gold.json']);
  });

  it('rejects a file with another hash', async () => {
    faults = Array(2).fill({ body: contents['us_gold.json']!.replace('us', 'uk') });
    await expect(fetched()).rejects.toMatchObject(failed);
    expect(existsSync(join(directory, 'us_gold.json'))).toBe(false);
    expect(await cachedLexicons(modelsDir)).toBeUndefined();
    expect(await fetched()).toBe(directory);
  });

  it('fails with the cause', async () => {
    faults = [{ status: 404 }];
    await expect(fetched()).rejects.toMatchObject(failed);
    await expect(fetched({ offline: true })).rejects.toThrow(/HF_HUB_OFFLINE/);
    expect(requests).toHaveLength(1);
    writeFileSync(directory.replace('misaki', 'file'), '');
    const nowhere = { modelsDir: join(modelsDir, 'file'), endpoint, offline: false };
    await expect(fetchLexicons(nowhere, {}, wanted)).rejects.toMatchObject(failed);
  });

  it('stops when aborted', async () => {
    const listening = new AbortController();
    const reason = new Error('enough');
    const stopped = fetched({ signal: listening.signal, onProgress: () => listening.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
  });
});
