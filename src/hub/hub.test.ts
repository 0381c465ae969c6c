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

const folder = () => join(modelsDir, 'hub', 'acme--parrot@main');
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const part = () => join(folder(), `model.bin.${sha256(weights)}.part`);
const downloads = () => local.requests.filter(({ url }) => url.includes('/resolve/'));
const ranges = () => downloads().map(({ headers }) => headers.range);
const names = async () => (await readdir(folder(), { recursive: true })).sort();
const leftParts = async () => (await names()).filter((name) => name.includes('.part'));

/** The file is there, exactly, and no part of it is left. */
async function expectWeights(): Promise<void> {
  // Far faster than toEqual, which looks at each byte.
  expect(weights.equals(await readFile(join(folder(), 'model.bin')))).toBe(true);
  expect(await leftParts()).toEqual([]);
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

describe('a download', () => {
  it('brings the wanted files, exactly, and is cached from then on', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    expect(await hub.cached(NAME)).toBeUndefined();
    expect(await hub.fetch(NAME, modelFiles)).toBe(folder());
    await expectWeights();
    expect(await readFile(join(folder(), 'config.json'), 'utf8')).toBe('{"wings":2}');
    expect(await names()).toEqual(['.hub-manifest.json', 'config.json', 'model.bin']);

    const requests = local.requests.length;
    expect(await hub.cached(NAME)).toBe(folder());
    expect(await hub.cached(NAME, anyFile)).toBeUndefined();
    expect(await hub.fetch(NAME, modelFiles)).toBe(folder());
    expect(local.requests).toHaveLength(requests);
  });

  it('takes the commit of the revision that is named', async () => {
    local.put(NAME, files);
    const commit = local.put(NAME, { 'config.json': { content: '{"wings":3}' } }, 'refs/pr/1');
    const path = await hubWith().fetch(`${NAME}@refs/pr/1`, anyFile);
    expect(await readFile(join(path, 'config.json'), 'utf8')).toBe('{"wings":3}');
    expect(downloads().map(({ url }) => url)).toEqual([`/${NAME}/resolve/${commit}/config.json`]);
    expect(JSON.parse(await readFile(join(path, '.hub-manifest.json'), 'utf8'))).toMatchObject({ commit });
  });

  it('adds files later, from the same commit, and keeps what is there', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    await hub.fetch(NAME, modelFiles);
    local.put(NAME, { 'voices/one.pt': { content: 'changed' } });
    local.requests.length = 0;
    await hub.fetch(NAME, anyFile);
    expect(await readFile(join(folder(), 'voices', 'one.pt'), 'utf8')).toBe('one');
    expect(downloads()).toHaveLength(2);
    expect(await hub.cached(NAME, anyFile)).toBe(folder());
  });

  it('reports the progress of the whole', async () => {
    local.put(NAME, files);
    const seen: HubProgress[] = [];
    await hubWith().fetch(NAME, modelFiles, { onProgress: (progress) => seen.push(progress) });
    const totalBytes = weights.length + '{"wings":2}'.length;
    expect(seen[0]).toEqual({ file: 'config.json', receivedBytes: 0, totalBytes });
    expect(seen.at(-1)).toEqual({ file: 'model.bin', receivedBytes: totalBytes, totalBytes });
    const received = seen.map((progress) => progress.receivedBytes);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  it('brings an empty file and names that need escaping', async () => {
    local.put(NAME, { 'a b#?%.txt': { content: 'odd' }, empty: { content: '' } });
    await hubWith().fetch(NAME, anyFile);
    expect(await names()).toEqual(['.hub-manifest.json', 'a b#?%.txt', 'empty']);
    expect((await stat(join(folder(), 'empty'))).size).toBe(0);
  });

  it('does not count as cached without its manifest, or with a file missing or cut', async () => {
    local.put(NAME, files);
    const hub = hubWith();
    await hub.fetch(NAME, modelFiles);
    await writeFile(join(folder(), 'model.bin'), 'cut');
    expect(await hub.cached(NAME)).toBeUndefined();
    await hub.fetch(NAME, modelFiles);
    await expectWeights();
    await rm(join(folder(), '.hub-manifest.json'));
    expect(await hub.cached(NAME)).toBeUndefined();

    local.requests.length = 0;
    await writeFile(join(folder(), 'config.json'), '{"wings":9}');
    await hub.fetch(NAME, modelFiles);
    expect(downloads().map(({ url }) => url.split('/').at(-1))).toEqual(['config.json']);
    expect(await readFile(join(folder(), 'config.json'), 'utf8')).toBe('{"wings":2}');
  });
});

describe('the token', () => {
  it('goes to the hub and not on to the host that a file is redirected to', async () => {
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

  it('is asked for where the hub refuses, and not repeated where it is wrong', async () => {
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

  it('is asked for where the files alone are gated', async () => {
    local.put(NAME, files);
    local.faults = [{ kind: 'status', status: 403 }];
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('gated');
  });
});

describe('an interrupted download', () => {
  beforeEach(() => {
    local.put(NAME, { 'model.bin': files['model.bin'] });
  });

  it('is continued where the connection broke', async () => {
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

  it('is continued where nothing comes any more', async () => {
    local.faults = [{ kind: 'stall', after: 100_000 }];
    await hubWith({ stallTimeoutMs: 300 }).fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()[1]).toMatch(/^bytes=[1-9]/);
  });

  it('is continued after a busy hub and after a storage host that refuses once', async () => {
    local.redirectToCdn = true;
    local.faults = [503, 429, 403].map((status) => ({ kind: 'status', status }));
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
  });

  it('is continued by a later fetch, from the bytes on disk', async () => {
    await mkdir(folder(), { recursive: true });
    await writeFile(part(), weights.subarray(0, 200_000));
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()).toEqual(['bytes=200000-']);
  });

  it('needs no request where the part is whole already', async () => {
    await mkdir(folder(), { recursive: true });
    await writeFile(part(), weights);
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(downloads()).toEqual([]);
  });

  it.each([
    ['the hub sends all of it again', [{ kind: 'ignore-range' }], 1],
    ['the hub continues elsewhere', [{ kind: 'wrong-range' }], 2],
    ['the hub does not take the range', [{ kind: 'status', status: 416 }], 2],
  ] as const)('starts over where %s', async (_, faults, requests) => {
    await mkdir(folder(), { recursive: true });
    await writeFile(part(), weights.subarray(0, 200_000));
    local.faults = [...faults];
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    expect(ranges()).toEqual(['bytes=200000-', undefined].slice(0, requests));
  });

  it('starts over where the part on disk is wrong or too long', async () => {
    for (const wrong of [Buffer.alloc(1000, 'x'), Buffer.alloc(weights.length + 1)]) {
      await mkdir(folder(), { recursive: true });
      await writeFile(part(), wrong);
      await hubWith().fetch(NAME, anyFile);
      await expectWeights();
      await rm(folder(), { recursive: true });
    }
  });

  it('gives up after some attempts without progress, says so and keeps what came', async () => {
    local.faults = [{ kind: 'drop', after: 100_000 }, ...Array(3).fill({ kind: 'status', status: 503 })];
    const message = await failureOf(hubWith().fetch(NAME, anyFile));
    expect(message).toContain('503');
    expect(message).toContain(new URL(local.endpoint).host);
    expect(downloads()).toHaveLength(4);
    expect((await stat(part())).size).toBeGreaterThan(0);
    expect(await hubWith().cached(NAME)).toBeUndefined();
  });

  it('goes on for as long as every attempt brings a good piece', async () => {
    const large = Buffer.alloc(12 << 20, 'many bytes ');
    local.put(NAME, { 'model.bin': { content: large, lfs: true } });
    local.faults = Array(6).fill({ kind: 'drop', after: 15 << 17 });
    await hubWith({ retries: 1 }).fetch(NAME, anyFile);
    expect(sha256(await readFile(join(folder(), 'model.bin')))).toBe(sha256(large));
    expect(downloads()).toHaveLength(7);
  });

  it('is left for later when it is aborted', async () => {
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

  it('is not begun with a signal that is aborted', async () => {
    const reason = new Error('never mind');
    await expect(hubWith().fetch(NAME, anyFile, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(local.requests).toEqual([]);
  });
});

describe('content that is not what the hub states', () => {
  it('is fetched once more from scratch', async () => {
    local.put(NAME, files);
    local.faults = [{ kind: 'corrupt' }, { kind: 'none' }, { kind: 'longer' }];
    await hubWith().fetch(NAME, modelFiles);
    expect(await readFile(join(folder(), 'config.json'), 'utf8')).toBe('{"wings":2}');
    await expectWeights();
    expect(ranges()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['config.json', 'model.bin'])('is refused the second time: %s', async (name) => {
    local.put(NAME, files);
    local.faults = [{ kind: 'corrupt' }, { kind: 'corrupt' }];
    const message = await failureOf(hubWith().fetch(NAME, (file) => file === name));
    expect(message).toContain(name);
    expect(downloads()).toHaveLength(2);
    expect(await names()).toEqual([]);
  });

  it('is known by its size where the hub states no hash', async () => {
    const unhashed = { content: weights, lfs: true, listed: { lfs: { size: weights.length } } };
    const commit = local.put(NAME, { 'model.bin': unhashed });
    local.faults = [{ kind: 'longer' }, { kind: 'drop', after: 1000 }];
    await hubWith().fetch(NAME, anyFile);
    await expectWeights();
    const manifest = JSON.parse(await readFile(join(folder(), '.hub-manifest.json'), 'utf8'));
    expect(manifest).toEqual({
      repository: NAME,
      revision: 'main',
      commit,
      files: [{ path: 'model.bin', size: weights.length, downloaded: true }],
    });
  });

  it('leaves no part of a former version behind', async () => {
    local.put(NAME, files);
    await mkdir(folder(), { recursive: true });
    await writeFile(join(folder(), `model.bin.${'a'.repeat(64)}.part`), 'of old');
    await hubWith().fetch(NAME, modelFiles);
    expect(await leftParts()).toEqual([]);
  });
});

describe('a failure says what to do', () => {
  it.each(['../out', '/out', 'a/../../out', 'a\\..\\out', 'a\0b', 'a//b', './a', '.hub-manifest.json'])(
    'where a file is called %j',
    async (name) => {
      local.put(NAME, { [name]: { content: 'x' }, 'config.json': files['config.json'] });
      expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('forbidden name');
      expect(downloads()).toEqual([]);
      expect(existsSync(join(modelsDir, 'hub'))).toBe(false);
    },
  );

  it('where there is no such repository, revision or file', async () => {
    expect(await failureOf(hubWith().fetch('acme/nothing@v1', anyFile))).toContain('acme/nothing@v1');
    local.put(NAME, files);
    local.faults = [{ kind: 'status', status: 404 }];
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('no file config.json');
    expect(await failureOf(hubWith().fetch(NAME, () => false))).toContain('none of the files');
    expect(await failureOf(hubWith().fetch('parrot', anyFile))).toContain('org/name');
  });

  it('where the hub cannot be reached', async () => {
    const { endpoint } = local;
    await local.close();
    const message = await failureOf(hubWith({ endpoint: `${endpoint}/` }).fetch(NAME, anyFile));
    expect(message).toContain(new URL(endpoint).host);
    expect(message).toContain('ECONNREFUSED');
  });

  it('where the hub is busy, or is none', async () => {
    local.put(NAME, files);
    local.listStatus = 500;
    expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('500');
    local.listStatus = 0;
    for (const body of ['<html>', '{}', JSON.stringify({ sha: '../x', siblings: [] })]) {
      local.listBody = body;
      expect(await failureOf(hubWith().fetch(NAME, anyFile))).toContain('HF_ENDPOINT');
    }
  });

  it('where it is offline and lacks something', async () => {
    local.put(NAME, files);
    const offline = hubWith({ offline: true });
    expect(await failureOf(offline.fetch(NAME, modelFiles))).toContain('HF_HUB_OFFLINE');
    expect(local.requests).toEqual([]);
    await hubWith().fetch(NAME, modelFiles);
    local.requests.length = 0;
    expect(await offline.fetch(NAME, modelFiles)).toBe(folder());
    expect(await failureOf(offline.fetch(NAME, anyFile))).toContain('HF_HUB_OFFLINE');
    expect(local.requests).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('where the disk is full', async () => {
    local.put(NAME, files);
    await mkdir(folder(), { recursive: true });
    await symlink('/dev/full', part());
    const message = await failureOf(hubWith().fetch(NAME, modelFiles));
    expect(message).toContain('disk is full');
    expect(message).not.toContain(modelsDir);
    expect(await hubWith().cached(NAME)).toBeUndefined();
  });

  it('where the folder cannot be used', async () => {
    local.put(NAME, files);
    await writeFile(join(modelsDir, 'hub'), 'a file');
    expect(await failureOf(hubWith().fetch(NAME, modelFiles))).toContain('MODELS_DIR');
  });
});

describe('fetches at the same time', () => {
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

  it('get what each wants', async () => {
    const hub = hubWith();
    await Promise.all([hub.fetch(NAME, modelFiles), hub.fetch(NAME, (file) => file.startsWith('voices/'))]);
    expect(await hub.cached(NAME, (file) => file !== 'README.md')).toBe(folder());
    expect(downloads()).toHaveLength(3);
  });

  it('share a failure', async () => {
    local.listStatus = 404;
    const hub = hubWith();
    const messages = await Promise.all([0, 1].map(() => failureOf(hub.fetch(NAME, modelFiles))));
    expect(messages[0]).toBe(messages[1]);
    expect(lists()).toHaveLength(1);
  });

  it('go on when one of them is aborted', async () => {
    const hub = hubWith();
    const controller = new AbortController();
    const reason = new Error('enough');
    const first = hub.fetch(NAME, modelFiles, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    const second = hub.fetch(NAME, modelFiles);
    await expect(first).rejects.toBe(reason);
    expect(await second).toBe(folder());
    expect(lists()).toHaveLength(1);
  });

  it('start anew after one that was aborted', async () => {
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
    expect(await again).toBe(folder());
    await expectWeights();
  });

  it('of two processes do not harm each other', async () => {
    await Promise.all([hubWith().fetch(NAME, modelFiles), hubWith().fetch(NAME, modelFiles)]);
    await expectWeights();
    expect(await hubWith().cached(NAME)).toBe(folder());
    expect(await leftParts()).toEqual([]);
  });
});

describe('parseRepository', () => {
  it('reads org/name and a revision', () => {
    expect(parseRepository('a/b')).toEqual({ name: 'a/b', revision: 'main' });
    expect(parseRepository('distil-whisper/distil-large-v3@refs/pr/1')).toEqual({
      name: 'distil-whisper/distil-large-v3',
      revision: 'refs/pr/1',
    });
  });

  it.each(['', 'small', '/a/b', './a', '../a', 'a/..', 'a/b/c', 'a/b@', 'a/b@x y', 'a--b/c', 'a\\b/c', 'a/b\n'])(
    'takes %j for no repository',
    (text) => {
      expect(parseRepository(text)).toBeUndefined();
    },
  );
});
