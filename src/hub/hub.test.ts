import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHub, startLocalHub } from '../../test/fixtures/local-hub.ts';
import { HearsayError } from '../errors.ts';
import { Hub, type HubOptions, type HubProgress, parseRepository } from './hub.ts';

const NAME = 'acme/parrot';
const weights = Buffer.alloc(300_000, 'weights of a parrot ');
const files = {
  'config.json': { content: '{"wings":2}' },
  'model.bin': { content: weights, lfs: true },
  'voices/one.pt': { content: 'one' },
  'README.md': { content: 'a parrot' },
};
const modelFiles = (file: string) => /^(config\.json|model\.bin)$/.test(file);
const anyFile = () => true;

let local: LocalHub;
let modelsDir: string;

beforeEach(async () => {
  local = await startLocalHub();
  modelsDir = await mkdtemp(join(tmpdir(), 'hearsay-hub-'));
});
afterEach(async () => {
  await local.close();
  await rm(modelsDir, { recursive: true, force: true });
});

function hubWith(options: Partial<HubOptions> = {}): Hub {
  return new Hub({ endpoint: local.endpoint, offline: false, modelsDir, retryDelayMs: 1, retries: 3, ...options });
}

const directory = () => join(modelsDir, 'hub', 'acme--parrot@main');
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const part = () => join(directory(), `model.bin.${sha256(weights)}.part`);
const downloads = () => local.requests.filter(({ url }) => url.includes('/resolve/'));
const ranges = () => downloads().map(({ headers }) => headers.range);
const names = async () => (await readdir(directory(), { recursive: true })).sort();
const partFiles = async () => (await names()).filter((name) => name.includes('.part'));

/** Expects the exact file and no part files. */
async function expectWeights(): Promise<void> {
  // Far faster than toEqual.
  expect(weights.equals(await readFile(join(directory(), 'model.bin')))).toBe(true);
  expect(await partFiles()).toEqual([]);
}

async function failureOf(fetch: Promise<unknown>): Promise<string> {
  const error = await fetch.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(HearsayError);
  expect(error).toMatchObject({ code: 'model_load_failed' });
  return error.message;
}

describe('download', () => {
  it('stores exactly the wanted files and is cached afterwards', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    expect(await hub.cached(NAME)).toBeUndefined();
    expect(await hub.fetch(NAME, modelFiles)).toBe(directory());
    await expectWeights();
    expect(await readFile(join(directory(), 'config.json'), 'utf8')).toBe('{"wings":2}');
    expect(await names()).toEqual(['.hub-manifest.json', 'config.json', 'model.bin']);

    const requests = local.requests.length;
    expect(await hub.cached(NAME)).toBe(directory());
    expect(await hub.cached(NAME, anyFile)).toBeUndefined();
    expect(await hub.fetch(NAME, modelFiles)).toBe(directory());
    expect(local.requests).toHaveLength(requests);
  });

  it('fetches the commit of the given revision', async () => {
    local.put(NAME, files);
    const commit = local.put(NAME, { 'config.json': { content: '{"wings":3}' } }, 'refs/pr/1');
    const path = await hubWith().fetch(`${NAME}@refs/pr/1`, anyFile);
    expect(await readFile(join(path, 'config.json'), 'utf8')).toBe('{"wings":3}');
    expect(downloads().map(({ url }) => url)).toEqual([`/${NAME}/resolve/${commit}/config.json`]);
    expect(JSON.parse(await readFile(join(path, '.hub-manifest.json'), 'utf8'))).toMatchObject({ commit });
  });

  it('adds files later from the same commit and keeps the existing ones', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    await hub.fetch(NAME, modelFiles);
    local.put(NAME, { 'voices/one.pt': { content: 'changed' } });
    local.requests.length = 0;
    await hub.fetch(NAME, anyFile);
    expect(await readFile(join(directory(), 'voices', 'one.pt'), 'utf8')).toBe('one');
    expect(downloads()).toHaveLength(2);
    expect(await hub.cached(NAME, anyFile)).toBe(directory());
  });

  it('reports the progress of all files together', async () => {
    local.put(NAME, files);
    const seen: HubProgress[] = [];
    await hubWith().fetch(NAME, modelFiles, { onProgress: (progress) => seen.push(progress) });
    const totalBytes = weights.length + '{"wings":2}'.length;
    expect(seen[0]).toEqual({ file: 'config.json', receivedBytes: 0, totalBytes });
    expect(seen.at(-1)).toEqual({ file: 'model.bin', receivedBytes: totalBytes, totalBytes });
    const received = seen.map((progress) => progress.receivedBytes);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  it('stores empty files and names that need escaping', async () => {
    local.put(NAME, { 'a b#?%.txt': { content: 'odd' }, empty: { content: '' } });
    await hubWith().fetch(NAME, anyFile);
    expect(await names()).toEqual(['.hub-manifest.json', 'a b#?%.txt', 'empty']);
    expect((await stat(join(directory(), 'empty'))).size).toBe(0);
  });

  it('is not cached without its manifest or with a truncated file', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    await hub.fetch(NAME, modelFiles);
    await writeFile(join(directory(), 'model.bin'), 'cut');
    expect(await hub.cached(NAME)).toBeUndefined();
    await hub.fetch(NAME, modelFiles);
    await expectWeights();
    await rm(join(directory(), '.hub-manifest.json'));
    expect(await hub.cached(NAME)).toBeUndefined();

    local.requests.length = 0;
    await writeFile(join(directory(), 'config.json'), '{"wings":9}');
    await hub.fetch(NAME, modelFiles);
    expect(downloads().map(({ url }) => url.split('/').at(-1))).toEqual(['config.json']);
    expect(await readFile(join(directory(), 'config.json'), 'utf8')).toBe('{"wings":2}');
  });
});

describe('token', () => {
  it('goes to the hub but not to the host of a redirect', async () => {
    local.put(NAME, files);
    local.token = 'secret';
    local.redirectToCdn = true;
    local.faults = [{ kind: 'none' }, { kind: 'drop', after: 1000 }];
    await hubWith({ token: ' secret\n' }).fetch(NAME, modelFiles);
    await expectWeights();
    expect(local.requests.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
    expect(local.cdnRequests).toHaveLength(3);
    expect(local.cdnRequests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    expect(local.cdnRequests[2]!.headers.range).toMatch(/^bytes=\d+-$/);
  });

  it('is requested if the hub denies access, and never shown if it is wrong', async () => {
    local.put(NAME, files);
    local.token = 'secret';
    const without = await failureOf(hubWith().fetch(NAME, anyFile));
    expect(without).toContain(NAME);
    expect(without).toContain('set HF_TOKEN');
    const wrong = await failureOf(hubWith({ token: 'guess' }).fetch(NAME, anyFile));
    expect(wrong).toContain('token in HF_TOKEN');
    expect(wrong).not.toContain('guess');
    const torn = await failureOf(hubWith({ token: 'gu\ness' }).fetch(NAME, anyFile));
    expect(torn).toContain('HF_TOKEN');
    expect(torn).not.toContain('ess');
  });

  it('is requested if only the files are gated', async () => {
    local.put(NAME, files);
    local.faults = [{ kind: 'status', status: 403 }];
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('gated');
  });
});

describe('interrupted download', () => {
  beforeEach(() => {
    local.put(NAME, { 'model.bin': files['model.bin'] });
  });

  it('resumes after a broken connection', async () => {
    local.faults = [
      { kind: 'drop', after: 100_000 },
      { kind: 'drop', after: 50_000 },
    ];
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    const [first, second, third] = ranges().map((range) => Number(range?.match(/\d+/)?.[0] ?? 0));
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(second).toBeLessThanOrEqual(100_000);
    expect(third).toBeGreaterThan(second!);
  });

  it('resumes after a stall', async () => {
    local.faults = [{ kind: 'stall', after: 100_000 }];
    await hubWith({ stallTimeoutMs: 300 }).fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()[1]).toMatch(/^bytes=[1-9]/);
  });

  it('resumes after a busy hub and a storage host that refuses once', async () => {
    local.redirectToCdn = true;
    local.faults = [503, 429, 403].map((status) => ({ kind: 'status', status }));
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
  });

  it('resumes in a later fetch from the bytes on disk', async () => {
    await mkdir(directory(), { recursive: true });
    await writeFile(part(), weights.subarray(0, 200_000));
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()).toEqual(['bytes=200000-']);
  });

  it('needs no request if the part is complete', async () => {
    await mkdir(directory(), { recursive: true });
    await writeFile(part(), weights);
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(downloads()).toEqual([]);
  });

  it.each([
    ['the hub ignores the range', [{ kind: 'ignore-range' }], 1],
    ['the hub sends another range', [{ kind: 'wrong-range' }], 2],
    ['the hub rejects the range', [{ kind: 'status', status: 416 }], 2],
  ] as const)('starts over if %s', async (_, faults, requests) => {
    await mkdir(directory(), { recursive: true });
    await writeFile(part(), weights.subarray(0, 200_000));
    local.faults = [...faults];
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()).toEqual(['bytes=200000-', undefined].slice(0, requests));
  });

  it('starts over if the part on disk is wrong or too long', async () => {
    for (const wrong of [Buffer.alloc(1000, 'x'), Buffer.alloc(weights.length + 1)]) {
      await mkdir(directory(), { recursive: true });
      await writeFile(part(), wrong);
      await hubWith().fetch(NAME, anyFile);
      await expectWeights();
      await rm(directory(), { recursive: true });
    }
  });

  it('fails after several attempts without progress and keeps the part', async () => {
    local.faults = [{ kind: 'drop', after: 100_000 }, ...Array(3).fill({ kind: 'status', status: 503 })];
    const message = await failureOf(hubWith().fetch(NAME, anyFile));
    expect(message).toContain('503');
    expect(message).toContain(new URL(local.endpoint).host);
    expect(downloads()).toHaveLength(4);
    expect((await stat(part())).size).toBeGreaterThan(0);
    expect(await hubWith().cached(NAME)).toBeUndefined();
  });

  it('continues as long as every attempt makes progress', async () => {
    const large = Buffer.alloc(12 << 20, 'many bytes ');
    local.put(NAME, { 'model.bin': { content: large, lfs: true } });
    local.faults = Array(6).fill({ kind: 'drop', after: 15 << 17 });
    await hubWith({ retries: 1 }).fetch(NAME, anyFile);
    expect(sha256(await readFile(join(directory(), 'model.bin')))).toBe(sha256(large));
    expect(downloads()).toHaveLength(7);
  });

  it('keeps the part for later when aborted', async () => {
    local.faults = [{ kind: 'stall', after: 100_000 }];
    const controller = new AbortController();
    const reason = new Error('enough');
    const fetch = hubWith().fetch(NAME, anyFile, {
      signal: controller.signal,
      onProgress: ({ receivedBytes }) => receivedBytes > 0 && controller.abort(reason),
    });
    await expect(fetch).rejects.toBe(reason);
    const { size } = await stat(part());
    expect(size).toBeGreaterThan(0);
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges().at(-1)).toBe(`bytes=${size}-`);
  });

  it('sends no request if the signal is already aborted', async () => {
    const reason = new Error('never mind');
    await expect(hubWith().fetch(NAME, anyFile, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(local.requests).toEqual([]);
  });
});

describe('wrong content', () => {
  it('is downloaded once more from scratch', async () => {
    local.put(NAME, files);
    local.faults = [{ kind: 'corrupt' }, { kind: 'none' }, { kind: 'longer' }];
    await hubWith().fetch(NAME, modelFiles);
    expect(await readFile(join(directory(), 'config.json'), 'utf8')).toBe('{"wings":2}');
    await expectWeights();
    expect(ranges()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['config.json', 'model.bin'])('is rejected the second time: %s', async (name) => {
    local.put(NAME, files);
    local.faults = [{ kind: 'corrupt' }, { kind: 'corrupt' }];
    const message = await failureOf(hubWith().fetch(NAME, (file) => file === name));
    expect(message).toContain(name);
    expect(downloads()).toHaveLength(2);
    expect(await names()).toEqual([]);
  });

  it('is detected by its size if the hub states no hash', async () => {
    const unhashed = { content: weights, lfs: true, listed: { lfs: { size: weights.length } } };
    const commit = local.put(NAME, { 'model.bin': unhashed });
    local.faults = [{ kind: 'longer' }, { kind: 'drop', after: 1000 }];
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    const manifest = JSON.parse(await readFile(join(directory(), '.hub-manifest.json'), 'utf8'));
    expect(manifest).toEqual({
      repository: NAME,
      revision: 'main',
      commit,
      files: [{ path: 'model.bin', size: weights.length, downloaded: true }],
    });
  });

  it('removes parts of older versions', async () => {
    local.put(NAME, files);
    await mkdir(directory(), { recursive: true });
    await writeFile(join(directory(), `model.bin.${'a'.repeat(64)}.part`), 'of old');
    await hubWith().fetch(NAME, modelFiles);
    expect(await partFiles()).toEqual([]);
  });
});

describe('failure with advice', () => {
  it.each(['../out', '/out', 'a/../../out', 'a\\..\\out', 'a\0b', 'a//b', './a', '.hub-manifest.json'])(
    'for a file named %j',
    async (name) => {
      local.put(NAME, { [name]: { content: 'x' }, 'config.json': files['config.json'] });
      expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('forbidden name');
      expect(downloads()).toEqual([]);
      expect(existsSync(join(modelsDir, 'hub'))).toBe(false);
    },
  );

  it('for an unknown repository, revision or file', async () => {
    expect(await failureOf(hubWith().fetch('acme/nothing@v1', anyFile))).toContain('acme/nothing@v1');
    local.put(NAME, files);
    local.faults = [{ kind: 'status', status: 404 }];
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('no file config.json');
    expect(await failureOf(hubWith().fetch(NAME, () => false))).toContain('none of the files');
    expect(await failureOf(hubWith().fetch('parrot', anyFile))).toContain('org/name');
  });

  it('for an unreachable hub', async () => {
    const { endpoint } = local;
    await local.close();
    const message = await failureOf(hubWith({ endpoint: `${endpoint}/` }).fetch(NAME, anyFile));
    expect(message).toContain(new URL(endpoint).host);
    expect(message).toContain('ECONNREFUSED');
  });

  it('for a hub that is busy or returns no file list', async () => {
    local.put(NAME, files);
    local.listStatus = 500;
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('500');
    local.listStatus = 0;
    for (const body of ['<html>', '{}', JSON.stringify({ sha: '../x', siblings: [] })]) {
      local.listBody = body;
      expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('HF_ENDPOINT');
    }
  });

  it('for missing files while offline', async () => {
    local.put(NAME, files);
    const offline = hubWith({ offline: true });
    expect(await failureOf(offline.fetch(NAME, modelFiles))).toContain('HF_HUB_OFFLINE');
    expect(local.requests).toEqual([]);
    await hubWith().fetch(NAME, modelFiles);
    local.requests.length = 0;
    expect(await offline.fetch(NAME, modelFiles)).toBe(directory());
    expect(await failureOf(offline.fetch(NAME, anyFile))).toContain('HF_HUB_OFFLINE');
    expect(local.requests).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('for a full disk', async () => {
    local.put(NAME, files);
    await mkdir(directory(), { recursive: true });
    await symlink('/dev/full', part());
    const message = await failureOf(hubWith().fetch(NAME, modelFiles));
    expect(message).toContain('disk is full');
    expect(message).not.toContain(modelsDir);
    expect(await hubWith().cached(NAME)).toBeUndefined();
  });

  it('for an unusable directory', async () => {
    local.put(NAME, files);
    await writeFile(join(modelsDir, 'hub'), 'a file');
    expect(await failureOf(hubWith().fetch(NAME, modelFiles))).toContain('MODELS_DIR');
  });
});

describe('concurrent fetches', () => {
  beforeEach(() => {
    local.put(NAME, files);
  });
  const lists = () => local.requests.filter(({ url }) => url.startsWith('/api/'));

  it('share one download', async () => {
    const hub = hubWith();
    const progress = [0, 0];
    await Promise.all([0, 1].map((index) => hub.fetch(NAME, modelFiles, { onProgress: () => progress[index]!++ })));
    expect(lists()).toHaveLength(1);
    expect(downloads()).toHaveLength(2);
    expect(progress[0]).toBeGreaterThan(0);
    expect(progress[1]).toBe(progress[0]);
  });

  it('each get their own files', async () => {
    const hub = hubWith();
    await Promise.all([hub.fetch(NAME, modelFiles), hub.fetch(NAME, (file) => file.startsWith('voices/'))]);
    expect(await hub.cached(NAME, (file) => file !== 'README.md')).toBe(directory());
    expect(downloads()).toHaveLength(3);
  });

  it('share a failure', async () => {
    local.listStatus = 404;
    const hub = hubWith();
    const messages = await Promise.all([0, 1].map(() => failureOf(hub.fetch(NAME, modelFiles))));
    expect(messages[0]).toBe(messages[1]);
    expect(lists()).toHaveLength(1);
  });

  it('continue when one of them is aborted', async () => {
    const hub = hubWith();
    const controller = new AbortController();
    const reason = new Error('enough');
    const first = hub.fetch(NAME, modelFiles, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    const second = hub.fetch(NAME, modelFiles);
    await expect(first).rejects.toBe(reason);
    expect(await second).toBe(directory());
    expect(lists()).toHaveLength(1);
  });

  it('start a new download after an aborted one', async () => {
    const hub = hubWith();
    const controller = new AbortController();
    const reason = new Error('enough');
    local.faults = [{ kind: 'none' }, { kind: 'stall', after: 1000 }];
    let again: Promise<string> | undefined;
    const first = hub.fetch(NAME, modelFiles, {
      signal: controller.signal,
      onProgress: ({ file, receivedBytes }) => {
        if (file !== 'model.bin' || receivedBytes < 500 || again !== undefined) return;
        controller.abort(reason);
        again = hub.fetch(NAME, modelFiles);
      },
    });
    await expect(first).rejects.toBe(reason);
    expect(await again).toBe(directory());
    await expectWeights();
  });

  it('of several processes do not interfere', { repeats: 10 }, async () => {
    await Promise.all(Array.from({ length: 8 }, () => hubWith().fetch(NAME, modelFiles)));
    await expectWeights();
    expect(await hubWith().cached(NAME)).toBe(directory());
    expect(await partFiles()).toEqual([]);
  });
});

describe('remove', () => {
  it('removes a download and no other, and it can be fetched again', async () => {
    local.put(NAME, files);
    local.put(NAME, files, 'v1');
    local.put('acme/owl', files);
    const client = hubWith();
    for (const name of [NAME, 'acme/owl', `${NAME}@v1`]) await client.fetch(name, modelFiles);
    expect(await client.remove(NAME)).toBe(directory());
    expect(existsSync(directory())).toBe(false);
    expect(await client.remove(NAME)).toBeUndefined();
    expect(await client.remove('nonsense')).toBeUndefined();
    expect(await client.cached(`${NAME}@v1`)).toBeDefined();
    expect(await client.cached('acme/owl')).toBeDefined();
    await client.fetch(NAME, modelFiles);
    expect(await client.cached(NAME)).toBe(directory());
  });
});

describe('parseRepository', () => {
  it('parses org/name and a revision', () => {
    expect(parseRepository('a/b')).toEqual({ name: 'a/b', revision: 'main' });
    expect(parseRepository('distil-whisper/distil-large-v3@refs/pr/1')).toEqual({
      name: 'distil-whisper/distil-large-v3',
      revision: 'refs/pr/1',
    });
  });

  it.each(['', 'small', '/a/b', './a', '../a', 'a/..', 'a/b/c', 'a/b@', 'a/b@x y', 'a--b/c', 'a\\b/c', 'a/b\n'])(
    'rejects %j',
    (text) => {
      expect(parseRepository(text)).toBeUndefined();
    },
  );
});
