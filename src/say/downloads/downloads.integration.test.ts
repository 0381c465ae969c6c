import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { audio, download, spokenBytes, synthesisApp, type TestApp } from '../../../test/fixtures/synthesis-app.ts';

import { createDownloadDirectory, Downloads } from './downloads.ts';

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  return { ...files, readdir: vi.fn(files.readdir) };
});

const start = perTest(synthesisApp);

const linkOf = async ({ post }: TestApp, fields: object = {}) => {
  const response = await post('/v1/audio/speech', { input: 'Hello', return_download_link: true, ...fields });
  expect(response.statusCode).toBe(200);
  return String(response.headers['x-download-path']);
};
const status = async ({ app }: TestApp, url: string) => (await app.inject(url)).statusCode;

describe('a download', () => {
  it('has the bytes that were sent, under an unguessable name', async () => {
    const t = await start();
    for (const stream of [true, false]) {
      const link = await linkOf(t, { stream });
      expect(link).toMatch(/^\/v1\/download\/[\da-f]{32}\.mp3$/);
      const file = await t.app.inject(link);
      expect([file.statusCode, file.body]).toEqual([200, spokenBytes]);
      expect(file.headers).toMatchObject({
        'content-type': 'audio/mpeg',
        'content-length': String(spokenBytes.length),
        'content-disposition': 'attachment; filename=speech.mp3',
      });
    }
    expect(await t.files()).toHaveLength(2);
  });

  it('is created only on request', async () => {
    const t = await start();
    const response = await t.post('/v1/audio/speech', { input: 'Hello', download_format: 'wav' });
    expect(response.headers['x-download-path']).toBeUndefined();
    expect(await t.files()).toEqual([]);
    expect(t.models.jobs[0]).not.toHaveProperty('downloadFormat');
  });

  it('can have its own format', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield* [audio('mp3 '), download('fla'), audio('bytes'), download('c')];
    };
    const link = await linkOf(t, { download_format: 'flac' });
    expect(link).toMatch(/\.flac$/);
    const file = await t.app.inject(link);
    expect([file.body, file.headers['content-type']]).toEqual(['flac', 'audio/flac']);
    expect(t.models.jobs).toMatchObject([{ format: 'mp3', downloadFormat: 'flac' }]);
    await linkOf(t, { download_format: 'mp3' });
    expect(t.models.jobs[1]).not.toHaveProperty('downloadFormat');
  });

  it('has the header of a complete file: its own, or that of the response', async () => {
    const t = await start();
    const header = (of: 'audio' | 'download', text: string) =>
      ({ type: 'header', of, bytes: Buffer.from(text) }) as const;
    t.models.run = async function* () {
      yield* [audio('____audio'), header('audio', 'HEAD')];
    };
    expect((await t.app.inject(await linkOf(t, {}))).body).toBe('HEADaudio');
    t.models.run = async function* () {
      yield* [audio('____audio'), header('audio', 'HEAD'), download('____file'), header('download', 'FILE')];
    };
    expect((await t.app.inject(await linkOf(t, { download_format: 'flac' }))).body).toBe('FILEfile');
    const whole = await t.post('/v1/audio/speech', { input: 'Hello', stream: false });
    expect(whole.body).toBe('HEADaudio');
  });

  it('is sent in parts', async () => {
    const t = await start();
    const url = await linkOf(t, {});
    const get = (range: string, headers = {}) => t.app.inject({ url, headers: { range, ...headers } });
    const whole = await t.app.inject(url);
    expect([whole.statusCode, whole.headers['accept-ranges'], whole.body]).toEqual([200, 'bytes', spokenBytes]);
    const size = spokenBytes.length;
    const part = await get('bytes=4-6');
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      'two',
      `bytes 4-6/${size}`,
      '3',
    ]);
    expect((await get('bytes=-4')).body).toBe('tail');
    const beyond = await get(`bytes=${size}-`);
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    expect((await get('bytes=0-1,4-5')).statusCode).toBe(200);
    expect((await get('bytes=0-1', { 'if-range': whole.headers.etag })).statusCode).toBe(206);
    expect((await get('bytes=0-1', { 'if-range': '"other"' })).body).toBe(spokenBytes);
  });

  it('is not sent again to a client that has it', async () => {
    const t = await start();
    const url = await linkOf(t, {});
    const etag = String((await t.app.inject(url)).headers.etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      // The condition goes before the range (RFC 9110, section 13.2.2).
      const again = await t.app.inject({ url, headers: { 'if-none-match': tags, range: 'bytes=0-1' } });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers).toMatchObject({ 'cache-control': 'no-cache' });
      expect(again.headers).not.toHaveProperty('content-type');
    }
    const other = await t.app.inject({ url, headers: { 'if-none-match': '"other"' } });
    expect([other.statusCode, other.body]).toEqual([200, spokenBytes]);
  });

  it('is described to HEAD as to GET, without being read', async () => {
    const t = await start();
    const url = await linkOf(t);
    const { headers } = await t.app.inject(url);
    const read = vi.fn();
    const find = t.downloads.find.bind(t.downloads);
    t.downloads.find = async (name) => {
      const file = await find(name);
      return file && { ...file, read };
    };
    const head = await t.app.inject({ method: 'HEAD', url, headers: { range: 'bytes=0-1' } });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const described = ({ date: _, 'x-request-id': __, ...others }: object & Record<string, unknown>) => others;
    expect(described(head.headers)).toEqual(described(headers));
    expect(read).not.toHaveBeenCalled();
  });

  it('is saved under the name that the client chooses', async () => {
    const t = await start();
    const link = await linkOf(t, {});
    const name = async (value: string) => {
      const response = await t.app.inject(`${link}?name=${encodeURIComponent(value)}`);
      return response.headers['content-disposition'] ?? response.statusCode;
    };
    expect(await name('chapter-1')).toBe('attachment; filename=chapter-1.mp3');
    expect(await name('chapter.MP3')).toBe('attachment; filename=chapter.MP3');
    expect(await name('Café "1"')).toBe(
      'attachment; filename="Caf_ _1_.mp3"; filename*=UTF-8\'\'Caf%C3%A9%20%221%22.mp3',
    );
    for (const wrong of ['../x', 'a\\b', 'a\nb', ' ', 'x'.repeat(101)]) expect(await name(wrong)).toBe(400);
  });

  it('is found once it is complete, before the response ends', async () => {
    const t = await start();
    let name = '';
    t.models.run = async function* () {
      const [part = ''] = await t.files();
      name = part.replace(/\.part$/, '');
      yield audio('one ');
      for (const file of [name, part]) expect(await status(t, `/v1/download/${file}`)).toBe(404);
      yield audio('two');
    };
    const link = await linkOf(t);
    expect(link).toBe(`/v1/download/${name}`);
    expect((await t.app.inject(link)).body).toBe('one two');
  });

  it('is found by no path out of the directory', async () => {
    const t = await start({ apiKey: 'sesame' });
    await writeFile(join(t.downloads.folder, 'voices.wav'), 'not a file for download');
    const names = [
      'voices.wav',
      '../package.json',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e/x',
      '..\\x',
      'a\0b',
      '.',
      'x'.repeat(400),
    ];
    for (const name of [...names, 'constructor', '__proto__', 'nothing.mp3']) {
      const url = `/v1/download/${name.replace('\0', '%00')}`;
      const response = await t.app.inject({ url, headers: { authorization: 'Bearer sesame' } });
      expect([name, response.statusCode]).toEqual([name, 404]);
    }
    expect(await status(t, '/v1/download/nothing.mp3')).toBe(401);
  });

  it('expires', async () => {
    const t = await start({ ttlSeconds: 1 });
    const link = await linkOf(t);
    expect(await status(t, link)).toBe(200);
    await sleep(1100);
    expect(await status(t, link)).toBe(404);
    expect(await t.files()).toEqual([]);
  });

  it('expires without a request for it', async () => {
    const t = await start({ ttlSeconds: 1 });
    await linkOf(t);
    for (let tries = 0; (await t.files()).length > 0; tries++) {
      expect(tries).toBeLessThan(100);
      await sleep(100);
    }
  });

  it('is removed for newer ones beyond the byte limit', async () => {
    const t = await start({ maxBytes: 2.5 * spokenBytes.length });
    const links = [await linkOf(t), await linkOf(t), await linkOf(t)];
    expect(await Promise.all(links.map((link) => status(t, link)))).toEqual([404, 200, 200]);
    expect(await t.files()).toHaveLength(2);
  });

  it('beyond the byte limit is dropped if streamed, and fails with 507 otherwise', async () => {
    const t = await start({ maxBytes: 10 });
    const request = { input: 'Hello', return_download_link: true };
    const streamed = await t.post('/v1/audio/speech', request);
    expect([streamed.statusCode, streamed.body]).toEqual([200, spokenBytes]);
    expect(await status(t, String(streamed.headers['x-download-path']))).toBe(404);
    const whole = await t.post('/v1/audio/speech', { ...request, stream: false });
    expect(whole.statusCode).toBe(507);
    expect(await t.files()).toEqual([]);
  });

  it('removed from the disk is not found', async () => {
    const t = await start();
    const link = await linkOf(t);
    await rm(`${t.downloads.folder}/${link.split('/').at(-1)}`);
    expect(await status(t, link)).toBe(404);
  });

  it('whose writer died is removed after a day, and other files are not', async () => {
    const t = await start();
    const { folder } = t.downloads;
    const dead = `${'a'.repeat(32)}.mp3.part`;
    for (const name of [dead, `${'b'.repeat(32)}.mp3.part`, 'notes.txt']) await writeFile(join(folder, name), 'one');
    await mkdir(join(folder, 'voices'));
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const name of [dead, 'notes.txt']) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
    const link = await linkOf(t);
    expect(await t.files()).toEqual(
      [`${'b'.repeat(32)}.mp3.part`, link.split('/').at(-1), 'notes.txt', 'voices'].sort(),
    );
  });

  it('of one replica is served, counted and expired by another that shares the directory', async () => {
    const one = await start({ maxBytes: 2.5 * spokenBytes.length });
    const other = new Downloads({ folder: one.downloads.folder, ttlSeconds: 3600, maxBytes: 2.5 * spokenBytes.length });
    const link = await linkOf(one);
    const name = link.split('/').at(-1)!;
    const found = await other.find(name);
    expect([found?.bytes, found?.format]).toEqual([spokenBytes.length, 'mp3']);
    expect((await found!.read(4, 6).toArray()).join('')).toBe('two');

    for (let index = 0; index < 2; index++) {
      const file = await other.create('mp3');
      await file.write(Buffer.from(spokenBytes));
      await other.keep(file);
    }
    expect(await status(one, link)).toBe(404);
    expect(await one.files()).toHaveLength(2);
    const impatient = new Downloads({ folder: one.downloads.folder, ttlSeconds: 1, maxBytes: 1e6 });
    await sleep(1100);
    for (const each of await one.files()) expect(await impatient.find(each)).toBeUndefined();
    expect(await one.files()).toEqual([]);
    impatient.close();
    other.close();
  });
});

it('keeps a complete file if the directory cannot be swept for lack of open files', async () => {
  const t = await start();
  const outOfFiles = Object.assign(new Error('too many open files'), { code: 'EMFILE', syscall: 'scandir' });
  vi.mocked(readdir).mockRejectedValueOnce(outOfFiles);
  const link = await linkOf(t);
  expect(await status(t, link)).toBe(200);
});

it('an mp3 for download begins with a frame that states its length, on the disk', async () => {
  const { downloads } = await start();
  const frame = Buffer.alloc(288, 1);
  frame.writeUInt32BE(0xfff344c4);
  const file = await downloads.create('mp3');
  await file.write(frame);
  await file.restart();
  for (let index = 0; index < 500; index++) await file.write(frame);
  await downloads.keep(file);
  const found = (await downloads.find(file.name))!;
  expect(found.bytes).toBe(501 * 288);
  const bytes = Buffer.concat(await found.read(0, found.bytes - 1).toArray());
  expect(bytes.subarray(0, 4)).toEqual(frame.subarray(0, 4));
  expect(bytes.toString('latin1', 13, 17)).toBe('Info');
  expect([bytes.readUInt32BE(21), bytes.readUInt32BE(25)]).toEqual([500, 501 * 288]);
  expect(bytes.subarray(288).equals(Buffer.concat(Array(500).fill(frame)))).toBe(true);
});

it('createDownloadDirectory makes the directory, and names the setting if it cannot', async () => {
  const { downloads } = await start();
  const path = join(downloads.folder, 'a', 'b');
  expect(await createDownloadDirectory(path)).toBe(path);
  await writeFile(join(downloads.folder, 'file'), '');
  await expect(createDownloadDirectory(join(downloads.folder, 'file'))).rejects.toThrow(/^DOWNLOAD_DIR must be/);
});
