import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openaiClient } from '../../test/fixtures/openai.ts';
import { perTest } from '../../test/fixtures/per-test.ts';
import { multipart, type TestApp, transcriptionApp } from '../../test/fixtures/transcription-app.ts';
import { createServer } from './server.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl is not installed: its tests are skipped');

const large = Buffer.alloc(50 * 1024 * 1024);

const startApp = perTest(transcriptionApp);

async function start(
  config: Parameters<typeof transcriptionApp>[0] = {},
): Promise<TestApp & { url: string; port: number }> {
  const running = await startApp({ maxUploadBytes: 1_000_000_000, ...config });
  await running.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = running.app.server.address() as AddressInfo;
  return { ...running, port, url: `http://127.0.0.1:${port}` };
}

/** Reads everything until the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  // A cut connection may end in a reset; `once` of node:events would reject.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const situations: [string, number, (app: TestApp) => void, Parameters<typeof transcriptionApp>[0]][] = [
  ['a wrong key', 401, () => {}, { apiKey: 'sesame' }],
  ['a declared size over the limit', 413, () => {}, { maxUploadBytes: 1_000_000 }],
  [
    'a warming model',
    503,
    ({ models }) => {
      models.state = 'warming';
    },
    {},
  ],
];

describe('a response before the body has arrived', () => {
  it.each(situations)('reaches fetch: %s', async (_name, status, prepare, config) => {
    const app = await start(config);
    prepare(app);
    const body = new FormData();
    body.append('file', new Blob([large]), 'a.wav');
    const response = await fetch(`${app.url}/v1/audio/transcriptions`, { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(status);
    expect(app.models.jobs).toEqual([]);
    expect(await readdir(app.uploadDir)).toEqual([]);
  });

  it.each(situations)('reaches the openai client: %s', async (_name, status, prepare, config) => {
    const app = await start(config);
    prepare(app);
    const client = openaiClient(app, 'wrong');
    const request = client.audio.transcriptions.create({ model: 'asr-1', file: new File([large], 'a.wav') });
    await expect(request).rejects.toMatchObject({ status, code: status });
  });

  it('reaches a client whose body exceeds the limit midway', async () => {
    const app = await start({ maxUploadBytes: 1_000_000 });
    const { headers, payload } = multipart([['file', large, 'a.wav']]);
    async function* chunks() {
      for (let at = 0; at < payload.length; at += 65536) yield payload.subarray(at, at + 65536);
    }
    const response = await fetch(`${app.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers,
      body: chunks(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(((await response.json()) as { detail: string }).detail).toBe('Uploaded file is too large');
    expect(await readdir(app.uploadDir)).toEqual([]);
  });

  it.skipIf(!hasCurl).each(situations)(
    'reaches curl, with and without Expect: %s',
    async (_name, status, prepare, config) => {
      const app = await start(config);
      prepare(app);
      for (const expectation of ['Expect:', 'Expect: 100-continue']) {
        const curl = execFile('curl', [
          ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', expectation, '--max-time', '50'],
          ...['-F', 'file=@-;filename=a.wav', `${app.url}/v1/audio/transcriptions`],
        ]);
        curl.stdin?.on('error', () => {});
        curl.stdin?.end(large);
        let printed = '';
        curl.stdout?.on('data', (data) => {
          printed += data;
        });
        await once(curl, 'close');
        expect([expectation, printed]).toEqual([expectation, String(status)]);
      }
    },
  );

  it('reaches a client that sends everything before it reads, and keeps the connection usable', async () => {
    const app = await start({ apiKey: 'sesame' });
    const socket = connect(app.port, '127.0.0.1');
    const { headers, payload } = multipart([['file', large.subarray(0, 20_000_000), 'a.wav']]);
    const write = promisify(
      socket.write.bind(socket) as (data: string | Buffer, done: (error?: Error) => void) => void,
    );
    socket.pause();
    await write(
      `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: x\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    await write(payload);
    await write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    socket.resume();
    const responses = await readAll(socket);
    expect(responses).toMatch(/^HTTP\/1\.1 401 /);
    expect(responses).toContain('Invalid API key');
    expect(responses).toMatch(/HTTP\/1\.1 200 /);
  });

  it('reaches a client that sends connection: close', async () => {
    const app = await start({ apiKey: 'sesame' });
    const socket = connect(app.port, '127.0.0.1');
    const { headers, payload } = multipart([['file', large.subarray(0, 20_000_000), 'a.wav']]);
    socket.pause();
    socket.write(
      `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(payload, resolve));
    socket.resume();
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 .*Invalid API key/s);
  });

  it('reaches a client that awaits 100 Continue before it sends anything', async () => {
    const app = await start({ apiKey: 'sesame' });
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      'POST /v1/audio/transcriptions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n',
    );
    const response = await readAll(socket);
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).not.toContain('100 Continue');
  });

  it('sends 100 Continue for a valid request', async () => {
    const app = await start();
    const { headers, payload } = multipart([['file', 'audio', 'a.wav']]);
    const forms = [
      { path: '/v1/audio/transcriptions', type: headers['content-type'], body: payload },
      { path: '/api/model/activate', type: 'application/json', body: Buffer.from('{"size":"small"}') },
    ];
    for (const { path, type, body } of forms) {
      const socket = connect(app.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(first.toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
      socket.write(body);
      expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});

it('reads the body of an HTTP/1.0 client without 100 Continue', async () => {
  const app = await start();
  const { headers, payload } = multipart([['file', 'audio', 'a.wav']]);
  const socket = connect(app.port, '127.0.0.1');
  socket.write(
    `POST /v1/audio/transcriptions HTTP/1.0\r\nExpect: 100-continue\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
  );
  socket.write(payload);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

describe('body timeouts', () => {
  async function impatient() {
    const app = await createServer({
      log: pino({ level: 'silent' }),
      requestLogLevel: 'silent',
      apiKey: 'sesame',
      corsOrigins: [],
      description: { title: 'test', description: 'test', version: '0' },
      drainMs: 100,
      bodyTimeoutMs: 100,
    });
    app.post('/v1/anything', async () => 'ok');
    app.post('/json', async () => 'ok');
    app.get('/page', async () => Buffer.from('ok'));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as AddressInfo).port };
  }

  it('end a refused body that never ends', async () => {
    const { app, port } = await impatient();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /v1/anything HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/x\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 10);
    const response = await readAll(socket);
    clearInterval(drip);
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    await app.close();
  });

  it.each([
    ['a page', 'GET /page', 200],
    ['a path that cannot be decoded', 'POST /v1/%zz', 400],
  ])('end a body that no handler reads: %s', async (_name, line, status) => {
    const { app, port } = await impatient();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 10);
    const response = await readAll(socket);
    clearInterval(drip);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await app.close();
  });

  it('keep a connection whose unread body ends in time', async () => {
    const { app, port } = await impatient();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx');
    await once(socket, 'data');
    socket.write('x');
    // Longer than the drain timeout.
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await app.close();
  });

  it('end a JSON body that never arrives', async () => {
    const { app, port } = await impatient();
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await app.close();
  });
});

it('answers malformed HTTP with the envelope', async () => {
  const app = await start();
  const socket = connect(app.port, '127.0.0.1');
  socket.write('HELLO\r\n\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 .*"invalid_request_error"/s);
});
