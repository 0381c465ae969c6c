import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { audio, download, spoken, spokenBytes, synthesisApp } from '../../../test/fixtures/synthesis-app.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { wavHeader } from '../../audio/wav.ts';
import type { SynthesisEvent, SynthesisJob } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';

const path = '/v1/audio/speech';

const start = perTest(synthesisApp);

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + 20_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 5))) {
    if (Date.now() > end) throw new Error('The condition did not come true.');
  }
};

/** An engine that pauses within its speech until released. */
function gated() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open,
    async *run(_job: SynthesisJob, signal?: AbortSignal): AsyncGenerator<SynthesisEvent> {
      yield audio('one ');
      await Promise.race([gate, new Promise((resolve) => signal?.addEventListener('abort', resolve))]);
      signal?.throwIfAborted();
      yield audio('two');
    },
  };
}

function post(url: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request(url + path, { method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

describe('POST /v1/audio/speech', () => {
  it('creates a job with all defaults', async () => {
    const { models, post } = await start();
    expect((await post(path, { input: 'Hello' })).statusCode).toBe(200);
    expect(models.jobs).toEqual([
      {
        kind: 'speech',
        input: {
          text: 'Hello',
          normalization: {
            normalize: true,
            markdown_normalization: true,
            unit_normalization: false,
            url_normalization: true,
            email_normalization: true,
            optional_pluralization_normalization: true,
            phone_normalization: true,
            replace_remaining_symbols: true,
          },
        },
        voice: [{ name: 'af_heart', weight: 1 }],
        language: 'a',
        speed: 1,
        volume: 1,
        format: 'mp3',
        captions: false,
      },
    ]);
  });

  it('puts every field into the job, ignores unknown fields and treats null as absent', async () => {
    const { models, post } = await start();
    const body = {
      model: 'gpt-4o-mini-tts',
      input: 'Hello',
      voice: 'bf_emma(3) + af_bella',
      response_format: 'opus',
      download_format: null,
      speed: 0.25,
      stream: null,
      lang_code: 'en_US',
      volume_multiplier: 2.5,
      normalization_options: { normalize: false, url_normalization: null, unheard_of: 1 },
      instructions: 'Be kind.',
      stream_format: 'audio',
    };
    expect((await post(path, body)).statusCode).toBe(200);
    expect(models.jobs[0]).toMatchObject({
      input: { normalization: { normalize: false, url_normalization: true } },
      voice: [
        { name: 'bf_emma', weight: 0.75 },
        { name: 'af_bella', weight: 0.25 },
      ],
      language: 'a',
      speed: 0.25,
      volume: 2.5,
      format: 'opus',
    });
    await post(path, { input: 'Hello', voice: 'bf_emma' });
    expect(models.jobs[1]).toMatchObject({ language: 'b' });
  });

  it('uses the lexicon for this request only', async () => {
    const { models, post } = await start({ maxInputCharacters: 10 });
    const lexicon = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`Hearsay${index}`, 'hˈɪɹsˌA']));
    expect((await post(path, { input: 'Hello', lexicon })).statusCode).toBe(200);
    await post(path, { input: 'Hello', lexicon: null });
    expect(models.jobs).toMatchObject([{ lexicon }, expect.not.objectContaining({ lexicon: expect.anything() })]);
  });

  it('replaces lone surrogates and keeps control characters', async () => {
    const { models, app } = await start();
    const payload = '{"input": "a\\ud800b\\u0000\\u001b\\ud83d\\ude00"}';
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'POST', url: path, payload, headers })).statusCode).toBe(200);
    expect(models.jobs[0]).toMatchObject({ input: { text: 'a\uFFFDb\0\x1b\u{1F600}' } });
  });

  it('rejects a text that is not UTF-8: its letters were lost without an error', async () => {
    const { models, app } = await start();
    const headers = { 'content-type': 'application/json' };
    const post = (encoding: 'latin1' | 'utf8') =>
      app.inject({ method: 'POST', url: path, payload: Buffer.from('{"input": "Grüße"}', encoding), headers });
    const refused = await post('latin1');
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      400,
      'The body is not UTF-8, the encoding of JSON.',
    ]);
    expect((await post('utf8')).statusCode).toBe(200);
    expect(models.jobs).toMatchObject([{ input: { text: 'Grüße' } }]);
  });

  it('counts characters, not code units', async () => {
    const { post } = await start({ maxInputCharacters: 3 });
    expect((await post(path, { input: '\u{1F600}\u{1F600}\u{1F600}' })).statusCode).toBe(200);
    const refused = await post(path, { input: '\u{1F600}\u{1F600}\u{1F600}!' });
    expect([refused.statusCode, refused.json().error.param]).toEqual([400, 'input']);
  });

  const wrong: [string, object, string][] = [
    ['no input', {}, 'input'],
    ['a null input', { input: null }, 'input'],
    ['an empty input', { input: '' }, 'input'],
    ['a blank input', { input: ' \n\t ' }, 'input'],
    ['a number as input', { input: 5 }, 'input'],
    ['an unknown model', { model: 'whisper-1' }, 'model'],
    ['an unknown voice', { voice: 'af_nobody' }, 'voice'],
    ['a malformed voice', { voice: 'af_heart(' }, 'voice'],
    ['too long a voice', { voice: `af_heart${'+af_heart'.repeat(555)}` }, 'voice'],
    ['an unknown format', { response_format: 'ogg' }, 'response_format'],
    ['an unknown download format', { download_format: 'zip' }, 'download_format'],
    ['a speed too low', { speed: 0.2 }, 'speed'],
    ['a speed too high', { speed: 4.1 }, 'speed'],
    ['speed as a word', { speed: 'one' }, 'speed'],
    ['a zero volume', { volume_multiplier: 0 }, 'volume_multiplier'],
    ['a volume too high', { volume_multiplier: 11 }, 'volume_multiplier'],
    ['an unknown language', { lang_code: 'tlh' }, 'lang_code'],
    ['an unknown letter', { lang_code: 'x' }, 'lang_code'],
    ['stream as a word', { stream: 'maybe' }, 'stream'],
    ['options of another type', { normalization_options: true }, 'normalization_options'],
    ['a lexicon of another type', { lexicon: ['kokoro'] }, 'lexicon'],
    ['a pronunciation of another type', { lexicon: { kokoro: 5 } }, 'lexicon'],
    ['unknown phonemes', { lexicon: { kokoro: 'k4' } }, 'lexicon'],
    ['two words in one', { lexicon: { 'new york': 'nˈu' } }, 'lexicon'],
    [
      'too many words',
      { lexicon: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`w${i}`, 'ɑ'])) },
      'lexicon',
    ],
    ['a wrong option', { normalization_options: { normalize: 'maybe' } }, 'normalization_options.normalize'],
  ];
  it.each(wrong)('rejects %s', async (_name, fields, param) => {
    const { models, post } = await start();
    const response = await post(path, { ...(param !== 'input' && { input: 'Hello' }), ...fields });
    expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
    expect(response.json().detail).toBe(response.json().error.message);
    expect(models.jobs).toEqual([]);
  });

  it.each([
    [{ voice: 'jf_alpha' }, 'voice'],
    [{ voice: 'af_heart+jf_alpha' }, 'voice'],
    [{ lang_code: 'fr' }, 'lang_code'],
    [{ lang_code: 'ja-JP' }, 'lang_code'],
  ])('names a model that speaks %j', async (fields, param) => {
    const { models, post } = await start();
    for (const state of ['ready', 'uninitialized'] as const) {
      models.state = state;
      if (state === 'uninitialized') models.info = undefined;
      const response = await post(path, { input: 'Hello', ...fields });
      expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
      expect(response.json().error.message).toContain('kokoro');
    }
    expect(models.jobs).toEqual([]);
  });

  it('rejects a pause of more than a minute', async () => {
    const { post } = await start();
    const response = await post(path, { input: 'Wait [pause:61s] for it' });
    expect([response.statusCode, response.json().error.param]).toEqual([400, 'input']);
    expect((await post(path, { input: '[pause:60s]' })).statusCode).toBe(200);
  });

  it('answers 503 while the model is unavailable, and loads an uninitialized one', async () => {
    const { models, post } = await start();
    models.state = 'warming';
    const warming = await post(path, { input: 'Hello' });
    expect([warming.statusCode, warming.json().detail.error]).toEqual([503, 'model_warming']);
    expect(warming.headers['retry-after']).toBe('10');
    models.state = 'failed';
    const failed = await post(path, { input: 'Hello' });
    expect([failed.statusCode, failed.json().detail.error]).toEqual([503, 'model_failed']);
    expect(failed.headers['retry-after']).toBeUndefined();
    models.state = 'uninitialized';
    expect((await post(path, { input: 'Hello' })).statusCode).toBe(200);
    expect(models.state).toBe('ready');
  });

  it('answers 503 while draining', async () => {
    const { drain, post } = await start();
    drain.start();
    expect((await post(path, { input: 'Hello' })).json().detail.error).toBe('draining');
  });
});

describe('streamed speech', () => {
  it('has the headers of an attachment', async () => {
    const { post } = await start();
    const response = await post(path, { input: 'Hello' });
    expect(response.body).toBe(spokenBytes);
    expect(response.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-disposition': 'attachment; filename=speech.mp3',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    expect(response.headers['content-length']).toBeUndefined();
    expect(response.headers['x-request-id']).toBeTruthy();
  });

  it.each([
    ['mp3', 'audio/mpeg'],
    ['opus', 'audio/opus'],
    ['flac', 'audio/flac'],
    ['wav', 'audio/wav'],
    ['pcm', 'audio/pcm'],
    ['aac', 'audio/aac'],
  ])('as %s has content type %s', async (format, type) => {
    const { models, post } = await start();
    for (const stream of [true, false]) {
      const response = await post(path, { input: 'Hello', response_format: format, stream });
      expect(response.headers['content-type']).toBe(type);
      expect(response.headers['content-disposition']).toBe(`attachment; filename=speech.${format}`);
    }
    expect(models.jobs).toMatchObject([{ format }, { format }]);
  });

  it('is sent in chunks as it comes', async () => {
    const { models, listen } = await start();
    const engine = gated();
    models.run = engine.run;
    const response = await post(await listen(), { input: 'Hello' });
    expect(response.headers['transfer-encoding']).toBe('chunked');
    const chunks = response[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('one ');
    engine.open();
    expect(String((await chunks.next()).value)).toBe('two');
    expect((await chunks.next()).done).toBe(true);
  });

  it('answers a failure before the first byte with its status', async () => {
    const { models, post, log } = await start();
    // biome-ignore lint/correctness/useYield: fails before its first event
    models.run = async function* () {
      throw new Error('secret trouble');
    };
    const failed = await post(path, { input: 'Hello', return_download_link: true });
    expect(failed.statusCode).toBe(500);
    expect(failed.headers['x-download-path']).toBeUndefined();
    expect(failed.headers['content-type']).toContain('application/json');
    expect(failed.body).not.toContain('secret');
    expect(log.join('')).toContain('secret trouble');
    // biome-ignore lint/correctness/useYield: fails before its first event
    models.run = async function* () {
      throw new HearsayError('engine_failed', 'The engine died twice.');
    };
    expect((await post(path, { input: 'Hello' })).json().detail.error).toBe('engine_failed');
  });

  it('cuts the connection on a failure after the first byte', async () => {
    const t = await start();
    t.models.diesOnce = true;
    t.models.run = async function* () {
      yield audio('one ');
      throw new Error('in the middle');
    };
    const response = await post(await t.listen(), { input: 'Hello', return_download_link: true });
    expect(response.statusCode).toBe(200);
    await expect(textOf(response)).rejects.toThrow('aborted');
    await until(() => t.log.join('').includes('in the middle'));
    await until(() => t.log.some((line) => line.includes('"status":500')));
    expect(t.models.jobs).toHaveLength(1);
    expect(await t.files()).toEqual([]);
  });

  it('starts again if the engine died before the first byte', async () => {
    const t = await start();
    t.models.diesOnce = true;
    t.models.run = async function* () {
      if (t.models.jobs.length === 1) {
        yield download('lost');
        throw new Error('died');
      }
      yield* [audio('one'), download('saved')];
    };
    const request = { input: 'Hello', return_download_link: true, download_format: 'wav' };
    const response = await t.post(path, request);
    expect([response.statusCode, response.body]).toEqual([200, 'one']);
    expect((await t.app.inject(String(response.headers['x-download-path']))).body).toBe('saved');
  });

  it('aborts the engine job when the client disconnects', async () => {
    const t = await start();
    t.models.run = gated().run;
    const response = await post(await t.listen(), { input: 'Hello', return_download_link: true });
    await once(response, 'data');
    expect((await t.app.inject('/system')).json().activity).toEqual({ active: 1, waiting: 0 });
    response.destroy();
    await until(() => t.models.aborted === 1);
    await t.drain.idle();
    expect((await t.app.inject('/system')).json().activity).toEqual({ active: 0, waiting: 0 });
    await until(() => t.log.some((line) => line.includes('"status":499')));
    await until(async () => (await t.files()).length === 0);
    expect(t.log.join('')).not.toContain('"level":50');
  });

  it('waits for a slow client', async () => {
    const { models, listen } = await start();
    let made = 0;
    models.run = async function* () {
      for (; made < 2000; made++) yield { type: 'audio', bytes: Buffer.alloc(64 * 1024) };
    };
    const response = await post(await listen(), { input: 'Hello' });
    response.pause();
    let before = -1;
    // The sockets' own buffers fill first.
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(made).toBeLessThan(1000);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect(bytes).toBe(2000 * 64 * 1024);
  });

  it('can be empty', async () => {
    const { models, post } = await start();
    models.run = async function* () {};
    const response = await post(path, { input: '\u{1F600}', response_format: 'pcm' });
    expect([response.statusCode, response.body, response.headers['content-type']]).toEqual([200, '', 'audio/pcm']);
  });
});

describe('buffered speech', () => {
  it('has a content length and leaves no file', async () => {
    const t = await start();
    const response = await t.post(path, { input: 'Hello', stream: false });
    expect(response.body).toBe(spokenBytes);
    expect(response.headers['content-length']).toBe(String(spokenBytes.length));
    expect(response.headers['x-accel-buffering']).toBeUndefined();
    expect(response.headers['cache-control']).toBe('no-cache');
    expect(await t.files()).toEqual([]);
  });

  it('has exact sizes in a wav of many chunks', async () => {
    const t = await start();
    const samples = Buffer.alloc(200_001, 7);
    t.models.run = async function* () {
      yield { type: 'audio', bytes: wavHeader(OUTPUT_RATE) };
      for (let i = 0; i < samples.length; i += 1000) yield { type: 'audio', bytes: samples.subarray(i, i + 1000) };
    };
    const exact = Buffer.concat([wavHeader(OUTPUT_RATE, samples.length), samples]);
    const request = { input: 'Hello', response_format: 'wav', return_download_link: true };
    const whole = await t.post(path, { ...request, stream: false });
    expect(whole.rawPayload.equals(exact)).toBe(true);
    const link = await t.app.inject(String(whole.headers['x-download-path']));
    expect(link.rawPayload.equals(exact)).toBe(true);
    const streamed = await t.post(path, request);
    expect(streamed.rawPayload.equals(Buffer.concat([wavHeader(OUTPUT_RATE), samples]))).toBe(true);
    const later = await t.app.inject(String(streamed.headers['x-download-path']));
    expect(later.rawPayload.equals(exact)).toBe(true);
  });

  it('answers any failure with its status', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield* spoken;
      throw new Error('at the very end');
    };
    const response = await t.post(path, { input: 'Hello', stream: false, return_download_link: true });
    expect(response.statusCode).toBe(500);
    expect(response.headers['x-download-path']).toBeUndefined();
    expect(await t.files()).toEqual([]);
  });

  it('starts again if the engine died', async () => {
    const t = await start();
    t.models.diesOnce = true;
    t.models.run = async function* () {
      yield audio('one ');
      if (t.models.jobs.length === 1) throw new Error('died');
      yield audio('two');
    };
    expect((await t.post(path, { input: 'Hello', stream: false })).body).toBe('one two');
  });
});

it('a request counts as running until its response has been sent', async () => {
  const t = await start();
  const url = await t.listen();
  t.models.run = async function* () {
    for (let i = 0; i < 500; i++) yield { type: 'audio', bytes: Buffer.alloc(64 * 1024) };
  };
  const response = await post(url, { input: 'Hello', stream: false });
  t.drain.start();
  let empty = false;
  const left = t.drain.idle().then(() => {
    empty = true;
  });
  await new Promise((resolve) => get(`${url}/system`, resolve));
  expect(empty).toBe(false);
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  expect(bytes).toBe(500 * 64 * 1024);
  await left;
});

describe('an answer kept on disk', () => {
  it.each([
    ['/v1/audio/speech', { input: 'Hello', stream: false }, 'input'],
    ['/dev/captioned_speech', { input: 'Hello', stream: false }, 'input'],
    ['/dev/generate_from_phonemes', { phonemes: 'həlˈO' }, 'phonemes'],
  ])('could fill the disk: %s refuses more than MAX_ANSWER_BYTES with 400', async (url, body, param) => {
    const t = await start({ maxAnswerBytes: 100_000 });
    let made = 0;
    t.models.run = async function* () {
      for (; made < 1000; made++) yield { type: 'audio', bytes: Buffer.alloc(1000) };
    };
    const response = await t.post(url, body);
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      expect.objectContaining({ param, message: expect.stringContaining('100000 bytes (MAX_ANSWER_BYTES)') }),
    ]);
    expect(made).toBe(100);
    expect(await t.files()).toEqual([]);
  });

  it('is not limited while it streams', async () => {
    const t = await start({ maxAnswerBytes: 10 });
    expect((await t.post('/v1/audio/speech', { input: 'Hello' })).body).toBe(spokenBytes);
  });
});

describe('text that is not spoken', () => {
  it.each([
    ['streamed', path, true],
    ['whole', path, false],
    ['streamed with captions', '/dev/captioned_speech', true],
    ['whole with captions', '/dev/captioned_speech', false],
  ])('is counted in a header of the %s response', async (_, url, stream) => {
    const { models, post } = await start();
    models.run = async function* () {
      yield { type: 'skipped', characters: 7 };
      yield* spoken;
    };
    const response = await post(url, { input: 'Hello 日本語日本語日', stream, return_download_link: true });
    expect([response.statusCode, response.headers['x-skipped-text']]).toEqual([200, '7']);
    models.run = async function* () {
      yield* spoken;
    };
    expect((await post(url, { input: 'Hello', stream })).headers).not.toHaveProperty('x-skipped-text');
  });

  it.each([path, '/dev/captioned_speech'])('is a 400 of %s if there is nothing else', async (url) => {
    const { models, post, files } = await start();
    models.run = async function* () {
      yield { type: 'skipped', characters: 3 };
      throw new HearsayError('unspeakable_text', 'Nothing to speak.', { param: 'input' });
    };
    for (const stream of [true, false]) {
      const response = await post(url, { input: '日本語', stream, return_download_link: true });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ error: { param: 'input' }, detail: { error: 'unspeakable_text' } });
      expect(response.headers).not.toHaveProperty('x-skipped-text');
      expect(response.headers).not.toHaveProperty('x-download-path');
    }
    expect(await files()).toEqual([]);
  });
});
