import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FormPart, multipart } from '../../test/fixtures/transcription-app.ts';
import { type Form, type ReadFormOptions, readForm } from './multipart.ts';

type Outcome = { form: Form } | { error: Error & { code?: string; param?: string } };

let folder: string;
let server: Server;
let port: number;
let outcomes: Promise<Outcome>[];
let options: Partial<ReadFormOptions>;
let rejections: unknown[];
const onRejection = (reason: unknown) => rejections.push(reason);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearsay-multipart-'));
  outcomes = [];
  options = {};
  rejections = [];
  process.on('unhandledRejection', onRejection);
  server = createServer((request, response) => {
    const outcome = readForm(request, { uploadDir: folder, maxBytes: 100_000_000, ...options }).then(
      (form): Outcome => ({ form }),
      (error): Outcome => ({ error }),
    );
    outcomes.push(outcome);
    outcome.then((result) => {
      request.resume();
      response.statusCode = 'form' in result ? 200 : 400;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  const left = await readdir(folder);
  await rm(folder, { recursive: true });
  await new Promise(setImmediate);
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
  expect(left).toEqual([]);
});

async function post(body: Buffer | string, headers: Record<string, string>): Promise<Outcome> {
  const request = httpRequest({ port, method: 'POST', headers, host: '127.0.0.1', agent: false });
  request.on('error', () => {});
  // The server may close the connection while the body is still being written.
  request.on('socket', (socket) => socket.on('error', () => {}));
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return outcomes[0]!;
}

const send = (parts: FormPart[], more: Record<string, string> = {}) => {
  const { headers, payload } = multipart(parts);
  return post(payload, { ...headers, ...more });
};

const codeOf = (outcome: Outcome) => ('error' in outcome ? outcome.error.code : 'no error');

function formOf(outcome: Outcome): Form {
  if ('error' in outcome) throw outcome.error;
  return outcome.form;
}

describe('readForm', () => {
  it('streams the file to disk, with fields before and after it', async () => {
    const content = randomBytes(5_000_000);
    const { fields, file, remove } = formOf(
      await send([
        ['language', 'en'],
        ['file', content, 'speech.wav'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
        ['prompt', 'Zürich \r\n--'],
      ]),
    );
    expect(Object.fromEntries(fields)).toEqual({
      language: ['en'],
      'timestamp_granularities[]': ['word', 'segment'],
      prompt: ['Zürich \r\n--'],
    });
    expect(file?.bytes).toBe(content.length);
    expect((await readFile(file!.path)).equals(content)).toBe(true);
    await remove();
    await remove();
  });

  it('reads a body that arrives byte by byte, in chunks', async () => {
    const { headers, payload } = multipart([
      ['file', 'abc\r\n--hearsay\r\ndef', 'a'],
      ['language', 'de'],
    ]);
    const request = httpRequest({ port, method: 'POST', headers, host: '127.0.0.1', agent: false });
    for (const byte of payload) {
      request.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    request.end();
    await once(request, 'response');
    const { fields, file, remove } = formOf(await outcomes[0]!);
    expect(await readFile(file!.path, 'utf8')).toBe('abc\r\n--hearsay\r\ndef');
    expect(fields.get('language')).toEqual(['de']);
    await remove();
  });

  it('distinguishes a missing file from an empty one', async () => {
    expect(formOf(await send([['language', 'en']])).file).toBeUndefined();
    outcomes.length = 0;
    expect(formOf(await send([['file', '', '']])).file).toBeUndefined();
    outcomes.length = 0;
    const empty = formOf(await send([['file', '', 'speech.wav']]));
    expect(empty.file?.bytes).toBe(0);
    await empty.remove();
  });

  it('accepts a file part without a file name and ignores file parts with other names', async () => {
    const unnamed = formOf(await send([['file', 'audio']]));
    expect(unnamed.file?.bytes).toBe(5);
    await unnamed.remove();
    outcomes.length = 0;
    expect(formOf(await send([['other', 'audio', 'a.wav']])).file).toBeUndefined();
  });

  it('rejects a declared length over the limit before reading', async () => {
    options = { maxBytes: 1000 };
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '2000' },
    });
    request.on('error', () => {});
    request.flushHeaders();
    await once(request, 'response');
    expect(await outcomes[0]).toMatchObject({
      error: { code: 'payload_too_large', message: 'Uploaded file is too large' },
    });
    request.destroy();
  });

  it('rejects an undeclared length as soon as it exceeds the limit', async () => {
    options = { maxBytes: 1_000_000 };
    const { headers, payload } = multipart([['file', Buffer.alloc(1_200_000), 'a']]);
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    request.on('error', () => {});
    request.write(payload.subarray(0, 1_100_000));
    // The body never ends.
    await once(request, 'response');
    expect(codeOf(await outcomes[0]!)).toBe('payload_too_large');
    request.destroy();
  });

  it('accepts a body of exactly the limit', async () => {
    const form = multipart([['file', Buffer.alloc(1000), 'a']]);
    options = { maxBytes: form.payload.length };
    const { remove } = formOf(await post(form.payload, form.headers));
    await remove();
    outcomes.length = 0;
    options = { maxBytes: form.payload.length - 1 };
    expect(codeOf(await post(form.payload, form.headers))).toBe('payload_too_large');
  });

  it('rejects other media types with unsupported_media_type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=x', '']) {
      outcomes.length = 0;
      expect([type, codeOf(await post('{}', { 'content-type': type }))]).toEqual([type, 'unsupported_media_type']);
    }
  });

  it('rejects malformed and truncated forms', async () => {
    const whole = multipart([
      ['language', 'en'],
      ['file', 'some audio', 'a.wav'],
    ]);
    const type = whole.headers['content-type'];
    const text = whole.payload.toString();
    const cases: [string, string | Buffer, string][] = [
      ['no boundary', whole.payload, 'multipart/form-data'],
      ['empty boundary', whole.payload, 'multipart/form-data; boundary='],
      ['another boundary', whole.payload, 'multipart/form-data; boundary=another'],
      ['empty body', '', type],
      ['no form in it', 'hello', type],
      ['cut in a part head', text.slice(0, 60), type],
      ['cut in a field', text.slice(0, text.indexOf('en\r\n') + 1), type],
      ['cut in the file', text.slice(0, text.indexOf('some') + 4), type],
      ['cut before the last boundary', text.slice(0, text.lastIndexOf('--hearsay')), type],
      ['cut in the last boundary', text.slice(0, -8), type],
    ];
    for (const [name, body, contentType] of cases) {
      outcomes.length = 0;
      expect([name, codeOf(await post(body, { 'content-type': contentType }))]).toEqual([name, 'invalid_request']);
    }
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary=; charset=utf-8',
  ])('says that a Content-Type without a boundary is at fault: %s', async (type) => {
    const { payload } = multipart([['file', 'some audio', 'a.wav']]);
    const outcome = await post(payload, { 'content-type': type });
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining('no boundary') } });
  });

  it('refuses a field that is not UTF-8 and names no encoding: its letters were lost', async () => {
    const field = (name: string, value: Buffer, type = '') =>
      Buffer.concat([Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"${type}\r\n\r\n`), value]);
    const form = (...parts: Buffer[]) =>
      post(Buffer.concat([...parts.flatMap((part) => [part, Buffer.from('\r\n')]), Buffer.from('--b--\r\n')]), {
        'content-type': 'multipart/form-data; boundary=b',
      });
    const latin1 = Buffer.from('Zürich', 'latin1');
    const declared = '\r\ncontent-type: text/plain; charset=ISO-8859-1';
    const read = formOf(
      await form(
        field('prompt', latin1, declared),
        field('keywords[]', Buffer.from('Zürich \ufffd')),
        field('user', Buffer.from('Zürich'), '\r\ncontent-type: text/plain;charset=utf-8'),
      ),
    );
    expect(Object.fromEntries(read.fields)).toEqual({
      prompt: ['Zürich'],
      'keywords[]': ['Zürich \ufffd'],
      user: ['Zürich'],
    });
    await read.remove();
    outcomes.length = 0;
    expect(await form(field('user', latin1, declared), field('prompt', latin1))).toMatchObject({
      error: { code: 'invalid_request', message: 'prompt is not UTF-8.', param: 'prompt' },
    });
  });

  it('takes no time for the spaces of a Content-Type', async () => {
    const { payload } = multipart([['file', 'some audio', 'a.wav']]);
    const before = process.cpuUsage().user;
    await post(payload, { 'content-type': `multipart/form-data; boundary=${' '.repeat(15_000)}x` });
    expect(process.cpuUsage().user - before).toBeLessThan(500_000);
  });

  it('neither hangs nor crashes on a corrupted form', async () => {
    options = { stallTimeoutMs: 300 };
    const { headers, payload } = multipart([
      ['language', 'en'],
      ['file', 'some audio', 'a.wav'],
      ['prompt', 'x'],
    ]);
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let i = 0; i < 300; i++) {
      outcomes.length = 0;
      const at = random(payload.length);
      const changed =
        i % 2 === 0
          ? Buffer.concat([payload.subarray(0, at), payload.subarray(at + 1 + random(30))])
          : Buffer.concat([
              payload.subarray(0, at),
              Buffer.from('\r\n-"; '.slice(random(6))),
              payload.subarray(at + 1),
            ]);
      const outcome = await post(changed, headers);
      if ('form' in outcome) await outcome.form.remove();
      else expect(outcome.error.code).toBe('invalid_request');
    }
  });

  it('limits parts and fields', async () => {
    const many = await send(Array.from({ length: 1001 }, (_, i): FormPart => [`f${i}`, 'x']));
    expect(codeOf(many)).toBe('invalid_request');
    outcomes.length = 0;
    const large = await send([['prompt', 'x'.repeat(1024 * 1024 + 1)]]);
    expect(large).toMatchObject({ error: { code: 'invalid_request', param: 'prompt' } });
    outcomes.length = 0;
    const together = await send(Array.from({ length: 90 }, (_, i): FormPart => [`f${i}`, 'x'.repeat(12_000)]));
    expect(together).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(/fields .* larger than 1 MiB/) },
    });
    outcomes.length = 0;
    const fine = formOf(await send(Array.from({ length: 999 }, (_, i): FormPart => [`f${i}`, 'x'])));
    expect(fine.fields.size).toBe(999);
  });

  it('uses the first of several files, and fields after them', async () => {
    const large = Buffer.alloc(600_000, 1);
    const { file, fields, remove } = formOf(
      await send([
        ['other', large, 'o.wav'],
        ['file', 'first', 'a.wav'],
        ['file', large, 'b.wav'],
        ['file', 'third'],
        ['language', 'en'],
      ]),
    );
    expect(await readFile(file!.path, 'utf8')).toBe('first');
    expect(fields).toEqual(new Map([['language', ['en']]]));
    expect(await readdir(folder)).toHaveLength(1);
    await remove();
  });

  it('accepts field names like __proto__', async () => {
    const { fields } = formOf(await send([['__proto__', 'x']]));
    expect(fields.get('__proto__')).toEqual(['x']);
  });

  it('rejects and removes the file when the client disconnects', async () => {
    const { headers, payload } = multipart([['file', Buffer.alloc(3_000_000), 'a']]);
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    request.on('error', () => {});
    request.write(payload.subarray(0, 1_000_000));
    while ((await readdir(folder)).length === 0) await new Promise(setImmediate);
    request.destroy();
    expect(await outcomes[0]).toMatchObject({ error: { name: 'ClientGone' } });
  });

  describe('with files in Base64', () => {
    const list = { name: 'voices', maxCount: 2, maxBytes: 2_000_000 };

    it('decodes them onto disk as they come, in any order with the file', async () => {
      options = { embedded: list };
      const contents = [randomBytes(1_000_001), randomBytes(3), randomBytes(500_000)];
      const [first, , last] = contents.map((content) => content.toString('base64'));
      const form = formOf(
        await send([
          ['voices[]', `data:audio/wav;base64,${first}`],
          ['file', contents[1]!, 'speech.wav'],
          // In lines, as MIME has it; an empty one is absent.
          ['voices[1]', last!.replace(/.{76}/g, '$&\r\n')],
          ['language', 'en'],
        ]),
      );
      expect([...form.fields.keys()]).toEqual(['language']);
      const stored = [form.embedded.files[0]!, form.file!, form.embedded.files[1]!];
      for (const [index, { path, bytes }] of stored.entries()) {
        expect(bytes).toBe(contents[index]!.length);
        expect((await readFile(path)).equals(contents[index]!)).toBe(true);
      }
      await form.remove();
    });

    it.each<[string, FormPart[], RegExp]>([
      ['too many', Array(3).fill(['voices[]', 'YWJj']), /at most 2 items/],
      ['too large', [['voices[]', 'A'.repeat(2_000_001)]], /at most/],
      ['no Base64', [['voices[]', 'not Base64!']], /data URLs/],
      ['no Base64 at its end', [['voices', `${'A'.repeat(1_000_000)}!`]], /data URLs/],
    ])('reports the error of %s, and accepts the form', async (_, parts, message) => {
      options = { embedded: list };
      const form = formOf(await send([...parts, ['file', 'abc', 'a.wav'], ['language', 'en']]));
      expect(form.embedded.fault).toMatchObject({ code: 'invalid_request', param: 'voices[]', message });
      expect([...form.fields.keys(), form.file?.bytes]).toEqual(['language', 3]);
      await form.remove();
    });

    it('removes them when the client disconnects', async () => {
      options = { embedded: list };
      const { headers, payload } = multipart([
        ['file', 'abc', 'a'],
        ['voices[]', 'QUJD'.repeat(300_000)],
      ]);
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
      request.on('error', () => {});
      request.write(payload.subarray(0, 600_000));
      while ((await readdir(folder)).length < 2) await new Promise(setImmediate);
      request.destroy();
      expect(await outcomes[0]).toMatchObject({ error: { name: 'ClientGone' } });
    });
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    options = { signal: controller.signal };
    const { headers, payload } = multipart([['file', Buffer.alloc(1000), 'a']]);
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    request.on('error', () => {});
    request.write(payload.subarray(0, 500));
    while ((await readdir(folder)).length === 0) await new Promise(setImmediate);
    controller.abort(new Error('enough'));
    expect(await outcomes[0]).toMatchObject({ error: { message: 'enough' } });
    request.destroy();
  });

  it('rejects a stalled upload', async () => {
    options = { stallTimeoutMs: 50 };
    const { headers, payload } = multipart([['file', Buffer.alloc(1000), 'a']]);
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
    request.on('error', () => {});
    request.write(payload.subarray(0, 500));
    await once(request, 'response');
    expect(codeOf(await outcomes[0]!)).toBe('upload_timeout');
    request.destroy();
  });

  it('refuses a part whose name it cannot read, whatever its size', async () => {
    options = { stallTimeoutMs: 60_000 };
    for (const size of [20_000, 60_000, 96_000, 150_000, 1_000_000]) {
      outcomes.length = 0;
      const { headers, payload } = multipart([
        ['language', 'en'],
        ['file', Buffer.alloc(size, 'x'), 'a'],
      ]);
      // Its head has no disposition.
      payload.write('\r\n', payload.lastIndexOf('Content-Disposition') + 'Content-Disposi'.length);
      expect(codeOf(await post(payload, headers)), `${size} bytes`).toBe('invalid_request');
    }
  });

  it('loses no field in silence', async () => {
    const part = (head: string, body = 'text') => `--x\r\n${head}${body}\r\n`;
    const named = part('Content-Disposition: form-data; name="language"\r\n\r\n', 'en');
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const heads = [
      `X-Trace: ${'x'.repeat(17_000)}\r\nContent-Disposition: form-data; name="response_format"\r\n\r\n`,
      `Content-Disposition: form-data; filename="${'x'.repeat(17_000)}"; name="file"\r\n\r\n`,
      'Content-Type: text/plain\r\n\r\n',
      'Content-Disposition: attachment; name="response_format"\r\n\r\n',
      'Content-Disposition: form-data\r\n\r\n',
      'Content-Disposition: form-data; name="response\nformat"\r\n\r\n',
      // No empty line before the value.
      'Content-Disposition: form-data; name="response_format"\r\n',
    ];
    for (const head of heads) {
      for (const body of [part(head) + named, named + part(head)]) {
        outcomes.length = 0;
        expect(await post(`${body}--x--\r\n`, headers), head.slice(-90)).toMatchObject({
          error: { code: 'invalid_request', message: expect.stringMatching(/has no name/) },
        });
      }
    }
    outcomes.length = 0;
    const longName = `Content-Disposition: form-data; name="file"; filename="${'x'.repeat(17_000)}"\r\n\r\n`;
    const { file, fields, remove } = formOf(await post(`${part(longName)}${named}--x--\r\n`, headers));
    expect([file?.bytes, fields.get('language')]).toEqual([4, ['en']]);
    await remove();
  });

  it('rejects a trickling upload but not a slow one', async () => {
    const { headers, payload } = multipart([['file', Buffer.alloc(1000), 'a']]);
    // A byte every 10 ms never stalls.
    const drip = async (minBytesPerSecond: number) => {
      options = { stallTimeoutMs: 200, minBytesPerSecond };
      outcomes.length = 0;
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
      request.on('error', () => {});
      let sent = 900;
      request.write(payload.subarray(0, sent));
      const timer = setInterval(() => {
        if (sent < payload.length) request.write(payload.subarray(sent, ++sent));
        else request.end();
      }, 10);
      await once(request, 'response');
      clearInterval(timer);
      request.destroy();
      return outcomes[0]!;
    };
    expect(await drip(10_000)).toMatchObject({
      error: { code: 'upload_timeout', message: expect.stringMatching(/slower than 10000 bytes/) },
    });
    await formOf(await drip(1)).remove();
  });

  it('recreates a removed upload directory', async () => {
    options = { uploadDir: join(folder, 'missing') };
    const form = formOf(await send([['file', 'a', 'a']]));
    expect(form.file?.bytes).toBe(1);
    await rm(options.uploadDir!, { recursive: true });
  });

  it('rejects if it cannot write', async () => {
    options = { uploadDir: process.execPath };
    expect(await send([['file', 'a', 'a']])).toMatchObject({ error: { code: 'ENOTDIR' } });
  });

  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('rejects with storage_full if the disk is full: %s', async (code) => {
    const handle = await open(process.execPath);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const full = Object.assign(new Error('no space left on device'), { code });
    const writeFile = vi.spyOn(prototype, 'writeFile').mockRejectedValue(full);
    try {
      expect(codeOf(await send([['file', Buffer.alloc(5_000_000), 'a']]))).toBe('storage_full');
    } finally {
      writeFile.mockRestore();
    }
  });

  it('survives a client that sends garbage after its form', async () => {
    const { headers, payload } = multipart([['file', 'abc', 'a']]);
    const form = formOf(await post(Buffer.concat([payload, Buffer.alloc(100_000, 'x')]), headers));
    expect(form.file?.bytes).toBe(3);
    await form.remove();
  });

  it('survives a connection that is reset in the middle of the head', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 50\r\n\r\n--x',
    );
    while (outcomes.length === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
    expect(await outcomes[0]).toMatchObject({ error: { name: 'ClientGone' } });
  });
});
