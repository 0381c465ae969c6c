import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openaiClient } from '../../../test/fixtures/openai.ts';
import { perTest } from '../../../test/fixtures/per-test.ts';
import {
  type FormPart,
  multilingual,
  multipart,
  recording,
  segment,
  spoken,
  type TestApp,
  transcriptionApp,
} from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

const start = perTest(transcriptionApp);

const paths = { transcribe: '/v1/audio/transcriptions', translate: '/v1/audio/translations' };

const post = ({ app }: TestApp, parts: FormPart[], url = paths.transcribe) =>
  app.inject({ method: 'POST', url, ...multipart(parts) });

/** No file, no upload and no queue slot is left. */
async function expectNothingLeft({ uploadDir, gate, uploads }: TestApp): Promise<void> {
  expect(await readdir(uploadDir)).toEqual([]);
  expect([uploads.count, uploads.bytes]).toEqual([0, 0]);
  expect(gate.inside).toBe(0);
}

const text = 'And so, my fellow Americans. Ask not.';
const lastUsage = { type: 'tokens', input_tokens: 200, output_tokens: 6, total_tokens: 206, seconds: 4 };

describe('transcription response', () => {
  it('is JSON by default', async () => {
    const t = await start();
    const response = await post(t, [recording]);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.json()).toEqual({ text });
    expect(t.models.jobs).toEqual([
      { path: expect.stringContaining(t.uploadDir), task: 'transcribe', maxAudioSeconds: 100 },
    ]);
    expect(t.models.uploads[0]?.toString()).toBe('not really audio');
    await expectNothingLeft(t);
  });

  it.each([
    ['text', 'text/plain; charset=utf-8', /^And so, my fellow Americans\. Ask not\.\n$/],
    ['srt', 'text/plain; charset=utf-8', /00:00:00,000 --> /],
    ['vtt', 'text/plain; charset=utf-8', /^WEBVTT\n\n[\s\S]*00:00:00\.000 --> /],
  ])('as %s has its content type', async (format, type, body) => {
    for (const path of Object.values(paths)) {
      const response = await post(await start(), [recording, ['response_format', format]], path);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe(type);
      expect(response.body).toMatch(body);
    }
  });

  it('as verbose_json has words only if requested, and never in a translation', async () => {
    const t = await start();
    const verbose: FormPart[] = [recording, ['response_format', 'verbose_json']];
    const plain = (await post(t, verbose)).json();
    expect(plain).toMatchObject({ task: 'transcribe', language: 'en', duration: 4, text });
    expect(Object.keys(plain).sort()).toEqual(['duration', 'language', 'segments', 'task', 'text', 'usage']);
    expect(plain.segments.map((s: object) => Object.keys(s).sort())).toEqual(
      Array(2).fill([
        ...['avg_logprob', 'compression_ratio', 'end', 'id', 'no_speech_prob'],
        ...['seek', 'start', 'temperature', 'text', 'tokens'],
      ]),
    );

    const spellings: FormPart[][] = [
      [['timestamp_granularities[]', 'word']],
      [
        ['timestamp_granularities[]', 'segment'],
        ['timestamp_granularities[]', 'word'],
      ],
      [['timestamp_granularities', 'word']],
      [['timestamp_granularities', 'segment, word']],
      [['timestamp_granularities', '["word"]']],
      [['timestamp_granularities[0]', 'word']],
    ];
    for (const granularities of spellings) {
      const { words, segments } = (await post(t, [...granularities, ...verbose])).json();
      expect(words).toHaveLength(7);
      expect(Object.keys(words[0]).sort()).toEqual(['end', 'probability', 'start', 'word']);
      expect(segments[0].words).toBeUndefined();
    }
    expect((await post(t, [...verbose, ['timestamp_granularities[]', 'segment']])).json().words).toBeUndefined();
    expect((await post(t, [recording, ['timestamp_granularities[]', 'word']])).json()).toEqual({ text });

    const translated = await post(t, [...verbose, ['timestamp_granularities[]', 'word']], paths.translate);
    expect(translated.json().task).toBe('translate');
    expect(translated.json().words).toBeUndefined();
  });

  it('is empty for silence', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'end', language: 'en', languages: [], duration: 3, missed: 0 };
    };
    expect((await post(t, [recording])).json()).toEqual({ text: '' });
    const verbose = await post(t, [recording, ['response_format', 'verbose_json']]);
    expect(verbose.json()).toMatchObject({ text: '', segments: [], duration: 3 });
  });
});

describe('form fields', () => {
  it('may come before or after the file, be empty or unknown', async () => {
    const t = await start();
    const fields: FormPart[] = [
      ['model', 'whisper-1'],
      ['language', 'en-US'],
      ['prompt', 'Kennedy'],
      ['temperature', '0.2'],
      ['unknown', 'x'],
      ['response_format', ''],
    ];
    for (const parts of [
      [...fields, recording],
      [recording, ...fields],
    ]) {
      const response = await post(t, parts);
      expect(response.statusCode).toBe(200);
      expect(t.models.jobs.at(-1)).toMatchObject({ language: 'en', prompt: 'Kennedy' });
    }
    const empty: FormPart[] = ['model', 'language', 'prompt', 'temperature', 'stream', 'timestamp_granularities[]'].map(
      (name) => [name, ''],
    );
    expect((await post(t, [...empty, recording])).json()).toEqual({ text });
    expect(Object.keys(t.models.jobs.at(-1)!).sort()).toEqual(['maxAudioSeconds', 'path', 'task']);
  });

  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['English', 'en'],
    ['de-AT', 'de'],
    ['german', 'de'],
  ])('accept %s as language', async (language, code) => {
    const t = await start();
    expect((await post(t, [recording, ['language', language]])).statusCode).toBe(200);
    expect(t.models.jobs[0]?.language).toBe(code);
  });

  it('use the last non-empty value if repeated', async () => {
    const t = await start();
    const fields: FormPart[] = [
      ['response_format', 'docx'],
      ['response_format', 'text'],
      ['language', 'klingon'],
      ['language', 'de'],
      ['language', ''],
    ];
    const response = await post(t, [...fields, recording]);
    expect([response.statusCode, response.body]).toEqual([200, `${text}\n`]);
    expect(t.models.jobs[0]?.language).toBe('de');
  });

  it('default to DEFAULT_LANGUAGE, except in a translation', async () => {
    const t = await start({ defaultLanguage: 'fr' });
    await post(t, [recording]);
    await post(t, [recording, ['language', 'de']]);
    await post(t, [recording, ['language', 'de']], paths.translate);
    expect(t.models.jobs.map(({ task, language }) => [task, language])).toEqual([
      ['transcribe', 'fr'],
      ['transcribe', 'de'],
      ['translate', undefined],
    ]);
  });

  it.each([
    [['response_format', 'docx'], 'Unsupported response_format', 'response_format'],
    [['response_format', 'JSON'], 'Unsupported response_format', 'response_format'],
    [['language', 'klingon'], 'Unsupported language: klingon', 'language'],
    [['temperature', 'warm'], 'temperature must be a number', 'temperature'],
    [['temperature', 'NaN'], 'temperature must be a number', 'temperature'],
    [['stream', 'maybe'], 'stream must be true or false', 'stream'],
    [
      ['timestamp_granularities[]', 'character'],
      'timestamp_granularities[] must be word or segment',
      'timestamp_granularities[]',
    ],
  ] as [FormPart, string, string][])('reject %j', async (field, message, param) => {
    const t = await start();
    const response = await post(t, [field, recording]);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      error: { message, type: 'invalid_request_error', code: 400, param },
      detail: message,
    });
    expect(t.models.jobs).toEqual([]);
    await expectNothingLeft(t);
  });

  it('need a non-empty file', async () => {
    const t = await start();
    for (const parts of [[['language', 'en']], [['file', '', '']], [['file', '', 'a.wav']]] as FormPart[][]) {
      const response = await post(t, parts);
      expect([response.statusCode, response.json().error.param]).toEqual([400, 'file']);
    }
    await expectNothingLeft(t);
  });

  it('in a body of another type give a 415', async () => {
    const t = await start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await t.app.inject({ method: 'POST', url: paths.transcribe, headers, payload: 'file=x' });
    expect([response.statusCode, response.json().error.type]).toEqual([415, 'invalid_request_error']);
    expect((await t.app.inject({ method: 'POST', url: paths.transcribe })).statusCode).toBe(415);
    await expectNothingLeft(t);
  });
});

describe('a model without the capability', () => {
  const english = { ...multilingual, model: 'moonshine-tiny', languages: ['en'] };

  it('rejects an unknown language and names models that know it', async () => {
    const t = await start();
    t.models.info = english;
    const response = await post(t, [recording, ['language', 'de']]);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ param: 'language' });
    expect(response.json().detail).toMatch(/^Unsupported language: de\. .*moonshine-tiny.*German.*small/);
    expect((await post(t, [recording, ['language', 'en']])).statusCode).toBe(200);
    t.models.info = multilingual;
    expect((await post(t, [recording, ['language', 'yue']])).json().detail).toContain('large-v3');
  });

  it('rejects a translation and names models that can', async () => {
    const t = await start();
    t.models.info = { ...multilingual, model: 'large-v3-turbo', translates: false };
    const response = await post(t, [recording], paths.translate);
    expect(response.statusCode).toBe(400);
    expect(response.json().detail).toMatch(/large-v3-turbo cannot translate.*large-v3/);
    expect((await post(t, [recording])).statusCode).toBe(200);
  });

  it('rejects a request that loads it', async () => {
    const t = await start();
    t.models.state = 'uninitialized';
    t.models.info = undefined;
    const use = t.models.use.bind(t.models);
    t.models.use = (work, options) => {
      t.models.info = english;
      return use(work, options);
    };
    expect((await post(t, [recording, ['language', 'de']])).statusCode).toBe(400);
    await expectNothingLeft(t);
  });
});

describe('transcription errors', () => {
  it.each([
    ['warming', 'model_warming', '10'],
    ['failed', 'model_failed', undefined],
  ] as const)('have their code while the model is %s', async (state, code, retryAfter) => {
    const t = await start();
    t.models.state = state;
    for (const path of Object.values(paths)) {
      const response = await post(t, [recording], path);
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe(retryAfter);
      expect(response.json().detail.error).toBe(code);
      expect(response.json().error).toMatchObject({ code: 503, type: 'server_error' });
    }
    expect(t.gate.entered).toBe(0);
  });

  it('do not occur while the model is uninitialized', async () => {
    const t = await start();
    t.models.state = 'uninitialized';
    t.models.info = undefined;
    expect((await post(t, [recording])).json()).toEqual({ text });
  });

  it('have their code if the queue is full or too slow, and while draining', async () => {
    const t = await start();
    t.gate.onEnter = () => {
      throw new HearsayError('queue_full', 'Full.');
    };
    expect((await post(t, [recording])).json().detail.error).toBe('queue_full');
    t.gate.onEnter = () => {};
    t.gate.onTurn = async () => {
      throw new HearsayError('queue_timeout', 'Too slow.');
    };
    const late = await post(t, [recording]);
    expect([late.statusCode, late.headers['retry-after'], late.json().detail.error]).toEqual([
      ...[503, '10', 'queue_timeout'],
    ]);
    await expectNothingLeft(t);
    t.drain.start();
    const draining = await post(t, [recording]);
    expect([draining.statusCode, draining.headers['retry-after'], draining.json().detail.error]).toEqual([
      ...[503, '10', 'draining'],
    ]);
    const ready = await t.app.inject('/ready');
    expect([ready.statusCode, ready.json().status]).toEqual([503, 'draining']);
    await t.drain.idle();
  });

  it('have status 413 above the size limit', async () => {
    const t = await start({ maxUploadBytes: 100 });
    for (const path of Object.values(paths)) {
      const response = await post(t, [recording], path);
      expect(response.statusCode).toBe(413);
      expect(response.json().detail).toBe('Uploaded file is too large');
    }
  });

  it('of the engine keep their code; unexpected ones are hidden', async () => {
    const t = await start();
    const failures: [Error, number, unknown][] = [
      [new HearsayError('invalid_audio', 'This is no audio.', { param: 'file' }), 400, 'This is no audio.'],
      [new HearsayError('engine_failed', 'Twice.'), 500, expect.objectContaining({ error: 'engine_failed' })],
      [new Error('a secret detail'), 500, expect.not.stringContaining('secret')],
    ];
    for (const [error, status, detail] of failures) {
      // biome-ignore lint/correctness/useYield: fails before its first event
      t.models.run = async function* () {
        throw error;
      };
      const response = await post(t, [recording]);
      expect([response.statusCode, response.json().detail]).toEqual([status, detail]);
      await expectNothingLeft(t);
    }
    t.models.run = async function* () {
      yield spoken[0]!;
    };
    expect((await post(t, [recording])).statusCode).toBe(500);
  });
});

describe('stream=true', () => {
  it('sends segments as they come and the whole text last', async () => {
    const t = await start();
    const client = openaiClient({ url: await t.listen() });
    let release = () => {};
    const seen = new Promise<void>((resolve) => {
      release = resolve;
    });
    t.models.run = async function* () {
      yield spoken[0]!;
      await seen;
      yield* spoken.slice(1);
    };
    const events: unknown[] = [];
    const file = new File(['audio'], 'a.wav');
    for await (const event of await client.audio.transcriptions.create({ model: 'asr-1', file, stream: true })) {
      events.push(event);
      release();
    }
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'And so, my fellow Americans.' },
      { type: 'transcript.text.delta', delta: ' Ask not.' },
      {
        type: 'transcript.text.done',
        text,
        languages: [{ code: 'en' }],
        usage: lastUsage,
      },
    ]);
    await expectNothingLeft(t);
  });

  it('sends times and ends with the whole object for verbose_json', async () => {
    const t = await start();
    const fields: FormPart[] = [
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
    ];
    const whole = (await post(t, [recording, ...fields])).json();
    const streamed = await post(t, [recording, ...fields, ['stream', 'true']]);
    const events = streamed.body.split('\n\n').flatMap((event) => (event === '' ? [] : JSON.parse(event.slice(6))));
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'And so, my fellow Americans.', start: 0, end: 2 },
      { type: 'transcript.text.delta', delta: ' Ask not.', start: 2.5, end: 3.5 },
      { type: 'transcript.text.done', ...whole, languages: [{ code: 'en' }], usage: lastUsage },
    ]);
    expect(whole.words).toHaveLength(7);
  });

  it('rounds times as the whole object does', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'segment', segment: segment(' So.', 1.1 + 2.2, 5.5600000000000005) };
      yield { type: 'end', language: 'en', languages: ['en'], duration: 6, missed: 0 };
    };
    const { body } = await post(t, [recording, ['response_format', 'verbose_json'], ['stream', 'true']]);
    expect(body.split('\n\n')[0]).toBe('data: {"type":"transcript.text.delta","delta":"So.","start":3.3,"end":5.56}');
  });

  it('has the headers of an event stream and of every response', async () => {
    const t = await start();
    const { headers, payload } = multipart([recording, ['stream', 'True']]);
    const url = (await t.listen()) + paths.transcribe;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, origin: 'http://a.example' },
      body: payload,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.text()).toMatch(/^data: \{"type":"transcript\.text\.delta"[\s\S]*\n\n$/);
  });

  it('answers a failure before the first event with its status', async () => {
    const t = await start();
    // biome-ignore lint/correctness/useYield: fails before its first event
    t.models.run = async function* () {
      throw new HearsayError('audio_too_long', 'Longer than 100 s.');
    };
    const response = await post(t, [recording, ['stream', 'true']]);
    expect([response.statusCode, response.json().detail]).toEqual([400, 'Longer than 100 s.']);
    await expectNothingLeft(t);
  });

  it('reports a later failure and cuts the connection', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield spoken[0]!;
      throw new HearsayError('engine_failed', 'It died.');
    };
    const { headers, payload } = multipart([recording, ['stream', 'true']]);
    const url = (await t.listen()) + paths.transcribe;
    const response = await fetch(url, { method: 'POST', headers, body: payload });
    let received = '';
    const reading = (async () => {
      for await (const chunk of response.body!) received += Buffer.from(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toContain('event: error\ndata: {"type":"error","error":{"message":"It died."');
    await expectNothingLeft(t);
  });

  it('reports a later failure to the openai client', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield spoken[0]!;
      throw new HearsayError('engine_failed', 'It died.');
    };
    const client = openaiClient({ url: await t.listen() });
    const events: unknown[] = [];
    const reading = (async () => {
      const file = new File(['audio'], 'a.wav');
      for await (const event of await client.audio.transcriptions.create({ model: 'asr-1', file, stream: true })) {
        events.push(event);
      }
    })();
    await expect(reading).rejects.toMatchObject({ error: { message: 'It died.', type: 'server_error', code: 500 } });
    expect(events).toEqual([{ type: 'transcript.text.delta', delta: 'And so, my fellow Americans.' }]);
  });

  it('does not allow a retry after the first event', async () => {
    const t = await start();
    const use = t.models.use.bind(t.models);
    const allowed: (boolean | undefined)[] = [];
    t.models.use = (work, options) =>
      use(async (engine) => {
        allowed.push(options?.mayRetry?.());
        const result = await work(engine);
        allowed.push(options?.mayRetry?.());
        return result;
      }, options);
    await post(t, [recording, ['stream', 'true']]);
    await post(t, [recording]);
    expect(allowed).toEqual([true, false, true, true]);
  });
});

describe('a client that disconnects', () => {
  const untilAborted = (signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  async function disconnect(t: TestApp, when: () => boolean, parts: FormPart[] = [recording], cut = 0): Promise<void> {
    const { headers, payload } = multipart(parts);
    const request = httpRequest((await t.listen()) + paths.transcribe, {
      method: 'POST',
      headers: { ...headers, 'content-length': payload.length },
    });
    request.on('error', () => {});
    request.write(payload.subarray(0, payload.length - cut));
    while (!when()) await new Promise(setImmediate);
    request.destroy();
    while (t.gate.inside > 0 || t.uploads.count > 0 || (await readdir(t.uploadDir)).length > 0) {
      await new Promise(setImmediate);
    }
    await t.drain.idle();
    while (!t.log.some((line) => line.includes('"status":499'))) await new Promise(setImmediate);
    expect(t.log.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  }

  it('during its upload frees everything', async () => {
    const t = await start();
    await disconnect(t, () => t.uploads.bytes > 0, [['file', Buffer.alloc(1_000_000), 'a']], 1000);
    expect(t.models.jobs).toEqual([]);
  });

  it('in the queue frees everything', async () => {
    const t = await start();
    let waiting = false;
    t.gate.onTurn = (signal) => {
      waiting = true;
      return untilAborted(signal);
    };
    await disconnect(t, () => waiting);
    expect(t.models.jobs).toEqual([]);
  });

  it.each([[recording], [recording, ['stream', 'true'] as FormPart]])(
    'in the engine frees everything',
    async (...parts) => {
      const t = await start();
      t.models.run = async function* (_job, signal) {
        yield { type: 'segment', segment: segment(' Hello.', 0, 1) };
        await untilAborted(signal);
      };
      await disconnect(t, () => t.models.jobs.length === 1, parts);
      expect(t.models.aborted).toBe(1);
    },
  );
});
