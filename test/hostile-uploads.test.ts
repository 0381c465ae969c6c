import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMedia } from './fixtures/media.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';

const maxUploadBytes = 3_000_000;
const apiKey = 'secret';
const authorization = `Bearer ${apiKey}`;
const boundary = 'limit';
const path = '/v1/audio/transcriptions';

let hear: Hear;
let folder: string;
/** A valid file: two seconds of silence. */
let good: Buffer<ArrayBuffer>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-uploads-'));
  const wav = join(folder, 'good.wav');
  await writeMedia(wav, 'wav s16', { samples: new Float32Array(32_000), sampleRate: 16_000 });
  good = await readFile(wav);
  hear = await startHear({
    API_KEY: apiKey,
    MAX_UPLOAD_BYTES: String(maxUploadBytes),
    MAX_CONCURRENCY: '2',
    QUEUE_SIZE: '2',
    UPLOAD_TIMEOUT_SECONDS: '2',
    SERVER_LOG_LEVEL: 'debug',
  });
  await hear.ready();
});

afterAll(async () => {
  try {
    // The service is unaffected.
    await until(async () => (await hear.metric('hearsay_queue_waiting')) === 0, 'the queue is empty');
    expect(await hear.metric('hearsay_queue_active')).toBe(0);
    expect(await hear.tempFiles()).toEqual([]);
    expect(await (await hear.get('/health')).json()).toMatchObject({ status: 'healthy', model_loaded: true });
    expect((await upload(good)).status).toBe(200);
    expect(hear.engines()).toHaveLength(1);
    expect(hear.log.join('\n')).not.toMatch(/Unexpected error|engine died|restarting it/);
    // Neither names nor contents of files are logged at any level.
    expect(hear.log.join('\n')).not.toMatch(/secret|passwd|injected|canary/);
    await hear.stop();
  } finally {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
});

const upload = (file: Uint8Array<ArrayBuffer> | string, fileName = 'speech.wav') =>
  hear.post({
    file: typeof file === 'string' ? Buffer.from(file) : file,
    fileName,
    headers: { authorization },
  });

async function expectError(response: { status: number; text(): Promise<string> }, status: number): Promise<string> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const { error, detail } = JSON.parse(text);
  expect(error).toMatchObject({ code: status, type: 'invalid_request_error', message: expect.any(String) });
  expect(detail).toBe(error.message);
  expect(text).not.toContain(folder);
  expect(text).not.toContain(hear.tempDir);
  return error.message;
}

describe('a manifest', () => {
  let trap: Server;
  let origin: string;
  let connections = 0;
  beforeAll(async () => {
    trap = createServer((_request, response) => response.writeHead(404).end());
    trap.on('connection', () => {
      connections++;
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    trap.closeAllConnections();
    trap.close();
  });

  const manifests: Record<string, (target: string) => string> = {
    'manifest.mpd': (target) => `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="PT10.0S" minBufferTime="PT2.0S">
<Period id="0" start="PT0.0S"><AdaptationSet id="0" contentType="audio" segmentAlignment="true"><Representation id="0" mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="64000" audioSamplingRate="16000"><SegmentTemplate timescale="1000" duration="10000" initialization="${target}" media="${target}" startNumber="1"/></Representation></AdaptationSet></Period></MPD>`,
    'playlist.m3u8': (target) =>
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`,
    'master.m3u8': (target) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n${target}\n`,
    'list.ffconcat': (target) => `ffconcat version 1.0\nfile '${target}'\n`,
    'session.sdp': (target) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${target}\nm=audio 5004 RTP/AVP 0\n`,
  };

  it.each(Object.keys(manifests))('with a URL makes no connection: %s', async (name) => {
    for (const fileName of [name, 'speech.wav', 'speech.mp4']) {
      const message = await expectError(await upload(manifests[name]!(`${origin}/canary.m4s`), fileName), 400);
      expect(message).toMatch(/audio/);
    }
    expect(connections).toBe(0);
  });

  // Reading a pipe empties it: one still full was not read.
  it.skipIf(process.platform === 'win32')('with a local path does not open the file', async () => {
    // Next to the uploads, so that its bare name resolves.
    const [uploadDir] = await readdir(hear.tempDir);
    const canary = join(hear.tempDir, uploadDir!, 'canary.m4s');
    execFileSync('mkfifo', [canary]);
    const pipe = openSync(canary, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      const content = good.subarray(0, 4096);
      writeSync(pipe, content);
      for (const name of Object.keys(manifests)) {
        for (const target of ['canary.m4s', canary, `file:${canary}`, `file://${canary}`]) {
          for (const fileName of [name, 'speech.wav', 'speech.mp4']) {
            await expectError(await upload(manifests[name]!(target), fileName), 400);
          }
        }
      }
      expect(readSync(pipe, Buffer.alloc(65_536))).toBe(content.length);
    } finally {
      closeSync(pipe);
      await rm(canary);
    }
  });
});

describe('a file that is not a recording', () => {
  const crc = Buffer.alloc(4);
  const chunk = (type: string, body: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    return Buffer.concat([size, Buffer.from(type, 'latin1'), body, crc]);
  };
  const files: Record<string, () => Uint8Array<ArrayBuffer>> = {
    garbage: () => Buffer.from(Array.from({ length: 100_000 }, (_, i) => Math.imul(i * i + 7, 2654435761) >>> 24)),
    nothing: () => Buffer.alloc(0),
    'one byte': () => Buffer.from('R'),
    zeros: () => Buffer.alloc(100_000),
    text: () => Buffer.from('It was the best of times. '.repeat(1000)),
    'an image': () =>
      Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        chunk('IHDR', Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])),
        chunk('IDAT', deflateSync(Buffer.alloc(72))),
        chunk('IEND', Buffer.alloc(0)),
      ]),
    'a zip archive': () =>
      Buffer.from(`PK\x03\x04\x14${'\0'.repeat(21)}\x05\0\0\0a.txthelloPK\x05\x06${'\0'.repeat(18)}`),
    'the head of a recording': () => good.subarray(0, 44),
    'a wrong head': () => Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff', 'latin1'), good]),
  };

  it.each(Object.keys(files))('is rejected: %s', async (name) => {
    for (const fileName of ['speech.wav', 'speech.mp3']) {
      const message = await expectError(await upload(files[name]!(), fileName), 400);
      expect(message).not.toBe('');
    }
  });
});

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Writes raw HTTP on a new connection and reads until the service closes it or the response is complete. */
async function raw(send: (socket: Socket) => unknown, shut = false): Promise<Answer> {
  const { hostname, port } = new URL(hear.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {});
  // A reset is a valid end here; `once` of node:events would reject.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  try {
    await once(socket, 'connect');
    await send(socket);
    if (shut) socket.end();
    const complete = () => {
      const head = received.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1];
      return head >= 0 && length !== undefined && Buffer.byteLength(received.slice(head + 4)) >= Number(length);
    };
    let over = false;
    void closed.then(() => {
      over = true;
    });
    await until(() => over || complete(), 'the service answers');
  } finally {
    socket.destroy();
  }
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ') as [string, string])),
    body: rest.join('\r\n\r\n'),
  };
}

const head = (headers: Record<string, string | number>, contentType = `multipart/form-data; boundary=${boundary}`) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${contentType}`,
    ...Object.entries({ Authorization: authorization, ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const part = (disposition: string, content: Uint8Array | string, more = '') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`, 'latin1'),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
const filePart = (content: Uint8Array | string = good, name = 'speech.wav') =>
  part(`name="file"; filename="${name}"`, content, 'Content-Type: audio/wav\r\n');
const field = (name: string, value: string) => part(`name="${name}"`, value);
const end = Buffer.from(`--${boundary}--\r\n`);

const post = (...parts: Buffer[]) => {
  const body = Buffer.concat([...parts, end]);
  return raw((socket) => {
    socket.write(head({ 'Content-Length': body.length }));
    socket.write(body);
  });
};
const expectRefusal = ({ status, body }: Answer, expected = 400) =>
  expectError({ status, text: async () => body }, expected);

describe('an unusual form', () => {
  it('without a file is rejected', async () => {
    expect(await expectRefusal(await post(field('model', 'asr-1')))).toMatch(/no file/);
    await expectRefusal(await post(part('name="file"', '')));
    await expectRefusal(await post());
  });

  it('with several files is transcribed by its first', async () => {
    const other = part('name="known_speaker_references[]"; filename="a.wav"', Buffer.alloc(1_000_000));
    expect((await post(filePart(), filePart('no audio', 'b.wav'), other)).status).toBe(200);
    await expectRefusal(await post(filePart('no audio', 'b.wav'), filePart()));
  });

  it('may have its fields before or after the file', async () => {
    for (const parts of [
      [field('response_format', 'vtt'), filePart()],
      [filePart(), field('response_format', 'vtt')],
    ]) {
      expect(await post(...parts)).toMatchObject({ status: 200, body: 'WEBVTT\n' });
    }
  });

  it('may have a file without a name and unknown fields', async () => {
    expect((await post(field('unknown', 'x'), part('name="file"', good), field('__proto__', 'x'))).status).toBe(200);
  });

  it('may have a field of up to 1 MiB', async () => {
    const mebibyte = 1024 * 1024;
    expect((await post(filePart(), field('prompt', 'p'.repeat(mebibyte)))).status).toBe(200);
    const refusal = await post(filePart(), field('prompt', 'p'.repeat(mebibyte + 1)));
    expect(await expectRefusal(refusal)).toMatch(/larger than 1 MiB/);
  });

  it('with more than a thousand parts is rejected', async () => {
    const parts = Array.from({ length: 1100 }, (_, i) => field(`field${i}`, 'x'));
    expect(await expectRefusal(await post(...parts, filePart()))).toMatch(/at most 1000/);
  });

  it('with a name of a megabyte is rejected', async () => {
    const megabyte = 'n'.repeat(1_000_000);
    for (const parts of [
      [filePart(good, megabyte)],
      [field(megabyte, 'x'), filePart()],
      [part('name="file"', good, `X: ${megabyte}\r\n`)],
      [part('name="file"', good, 'X: x\r\n'.repeat(100_000))],
    ]) {
      const answer = await post(...parts);
      // A long head is truncated and may lose the file part.
      if (answer.status !== 200) await expectRefusal(answer);
    }
  });

  it('with many megabytes of fields is rejected', async () => {
    const parts = Array.from({ length: 20 }, (_, i) => field(`field${i}`, 'x'.repeat(100_000)));
    expect(await expectRefusal(await post(...parts, filePart()))).toMatch(/larger than 1 MiB/);
  });

  it('without an end is rejected, in any part', async () => {
    const beginnings = {
      'what comes before the first part': 'x',
      'the head of a part': `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`,
      'a value in the head of a part': `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\nX: `,
      'a field': `--${boundary}\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n`,
      'a file': `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
      'what comes after the last part': `${part('name="file"', good)}--${boundary}--\r\n`,
      boundaries: `--${boundary}\r\n`,
      'almost a boundary': `\r\n--${boundary.slice(0, -1)}`,
    };
    for (const [what, beginning] of Object.entries(beginnings)) {
      const endless = what.includes('boundar') ? Buffer.from(beginning.repeat(5000)) : Buffer.alloc(100_000, 'x');
      const answer = await raw(async (socket) => {
        let closed = false;
        socket.once('close', () => {
          closed = true;
        });
        socket.write(head({ 'Transfer-Encoding': 'chunked' }));
        const chunk = (content: string | Buffer) =>
          Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
        socket.write(chunk(beginning));
        while (!closed && socket.bytesRead === 0 && socket.bytesWritten < 10 * maxUploadBytes) {
          if (!socket.write(chunk(endless))) await sleep(1);
        }
      });
      expect([400, 413], what).toContain(answer.status);
      await expectRefusal(answer, answer.status);
    }
  });

  it('that trickles is rejected', async () => {
    let drip: NodeJS.Timeout | undefined;
    const answer = await raw((socket) => {
      socket.write(head({ 'Content-Length': 1_000_000 }));
      socket.write(filePart('').subarray(0, -2));
      drip = setInterval(() => socket.write('x'), 100);
    }).finally(() => clearInterval(drip));
    expect(await expectRefusal(answer, 408)).toMatch(/slower than 1000 bytes/);
    expect(answer.headers.connection).toBe('close');
  });

  it('without a boundary or with a wrong one is rejected', async () => {
    const body = Buffer.concat([filePart(), end]);
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
    ]) {
      const answer = await raw((socket) => {
        socket.write(head({ 'Content-Length': body.length }, type));
        socket.write(body);
      });
      await expectRefusal(answer);
    }
  });

  it('of another type is rejected', async () => {
    const answer = await raw((socket) => socket.write(`${head({ 'Content-Length': 2 }, 'application/xml')}{}`));
    await expectRefusal(answer, 415);
  });

  it('that is truncated is rejected or its connection cut', async () => {
    const whole = Buffer.concat([filePart(), end]);
    for (const length of [3, 60, 1000, whole.length - 6]) {
      const answer = await raw((socket) => {
        socket.write(head({ 'Content-Length': length }));
        socket.write(whole.subarray(0, length));
      });
      await expectRefusal(answer);
    }
    await raw((socket) => {
      socket.write(head({ 'Content-Length': whole.length }));
      socket.write(whole.subarray(0, 1000));
    }, true);
  });

  it('shorter than its content length is rejected', async () => {
    const body = Buffer.concat([filePart(), end]);
    const answer = await raw((socket) => {
      socket.write(head({ 'Content-Length': body.length + 1000 }));
      socket.write(body);
    });
    // The form was complete: a response is fine.
    if (answer.status !== 200) await expectRefusal(answer, 408);
    const half = await raw((socket) => {
      socket.write(head({ 'Content-Length': body.length }));
      socket.write(body.subarray(0, body.length / 2));
    });
    await expectRefusal(half, 408);
    expect(half.headers.connection).toBe('close');
  });

  it('longer than its content length does not become a second request', async () => {
    const body = Buffer.concat([filePart(), end]);
    const answer = await raw((socket) => {
      socket.write(head({ 'Content-Length': body.length }));
      socket.write(Buffer.concat([body, Buffer.from('\0\0not http\r\n\r\n')]));
    });
    expect([200, 400]).toContain(answer.status);
  });

  it('may have any file name', async () => {
    for (const name of [
      '../../../../tmp/passwd.wav',
      '/etc/passwd',
      'nul\0byte.wav',
      'a\r\nX-injected: 1.wav',
      '%0d%0aX-injected: 1',
      `${'long'.repeat(1000)}.wav`,
      '\xff\xfe',
      '$(touch injected)',
    ]) {
      const answer = await post(filePart(good, name));
      if (answer.status !== 200) await expectRefusal(answer);
      expect(answer.headers).not.toHaveProperty('x-injected');
    }
    const folders = await readdir(hear.tempDir);
    expect(folders).toHaveLength(1);
    expect(folders[0]).toMatch(/^hearsay-hear-/);
  });
});

describe('an oversized upload', () => {
  it('is rejected by its head alone', async () => {
    const answer = await raw((socket) => socket.write(head({ 'Content-Length': maxUploadBytes + 1 })));
    expect(await expectRefusal(answer, 413)).toBe('Uploaded file is too large');
  });

  it('is cut while it streams and never exceeds the limit on disk', async () => {
    const { hostname, port } = new URL(hear.url);
    const sending = request({
      hostname,
      port,
      path,
      method: 'POST',
      headers: { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    sending.on('error', () => {});
    const answered = once(sending, 'response');
    let response: import('node:http').IncomingMessage | undefined;
    void answered.then(([found]) => {
      response = found;
    });
    sending.write(filePart(good.subarray(0, 44)).subarray(0, -2));
    let sent = 0;
    let largest = 0;
    // Would never end by itself.
    while (response === undefined && sent < 20 * maxUploadBytes) {
      if (!sending.write(Buffer.alloc(100_000))) await Promise.race([once(sending, 'drain'), answered]);
      sent += 100_000;
      await sleep(5);
      for (const name of await readdir(hear.tempDir, { recursive: true })) {
        const { size } = await stat(join(hear.tempDir, name)).catch(() => ({ size: 0 }));
        largest = Math.max(largest, size);
      }
    }
    expect(response?.statusCode).toBe(413);
    expect(sent).toBeGreaterThan(maxUploadBytes * 0.9);
    expect(sent).toBeLessThan(10 * maxUploadBytes);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(maxUploadBytes + 200_000);
    // Nothing is kept, even while the rest is being sent.
    await until(async () => (await hear.tempFiles()).length === 0, 'the file is gone');
    sending.destroy();
  });
});

describe('a wrong key', () => {
  it('is rejected before 100 Continue', async () => {
    for (const Authorization of ['Bearer wrong', 'Bearer', `Basic ${apiKey}`]) {
      const answer = await raw((socket) =>
        socket.write(head({ Authorization, Expect: '100-continue', 'Content-Length': 1000 })),
      );
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toMatchObject({ detail: 'Invalid API key' });
    }
  });

  it('is rejected while the body is being sent', async () => {
    const answer = await raw((socket) => {
      socket.write(head({ Authorization: 'Bearer wrong', 'Content-Length': 1000 }));
      socket.write('--');
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('bearer');
    expect(await hear.tempFiles()).toEqual([]);
  });

  it('does not affect a valid one, which gets 100 Continue', async () => {
    const body = Buffer.concat([filePart(), end]);
    const { hostname, port } = new URL(hear.url);
    const sending = request({
      hostname,
      port,
      path,
      method: 'POST',
      headers: {
        authorization,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    const answered = once(sending, 'response');
    await once(sending, 'continue');
    sending.end(body);
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(200);
  });
});
