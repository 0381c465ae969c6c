import { createReadStream } from 'node:fs';
import type OpenAI from 'openai';
import { APIError, BadRequestError, InternalServerError, NotFoundError, toFile } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startLocalHub } from './fixtures/local-hub.ts';
import { expectUnauthorized, failure, openaiClient } from './fixtures/openai.ts';
import { endAll, type Hear, startHear, until } from './fixtures/service.ts';
import { hasSpeech, speechFile, speechText, spokenWords } from './fixtures/speech.ts';

let hear: Hear;
let client: OpenAI;

const apiKey = 'correct horse battery';
const model = 'whisper-1';
const jfk = () => createReadStream(speechFile('jfk.flac'));

beforeAll(async () => {
  hear = await startHear({ API_KEY: apiKey, MAX_CONCURRENCY: '1', QUEUE_SIZE: '0', MAX_UPLOAD_BYTES: '1500000' });
  client = openaiClient(hear, apiKey);
  await hear.ready();
});
afterAll(async () => {
  try {
    await hear.stop();
  } finally {
    await endAll();
  }
});

describe.skipIf(!hasSpeech)('the openai client with hear', () => {
  const words = hasSpeech ? spokenWords(speechText('jfk.txt')) : [];

  it('gets a transcription as json by default', async () => {
    const { text } = await client.audio.transcriptions.create({ file: jfk(), model });
    expect(spokenWords(text)).toEqual(words);
    const json = await client.audio.transcriptions.create({ file: jfk(), model, response_format: 'json' });
    expect(json).toEqual({ text });
  });

  it('gets a transcription as text', async () => {
    const text = await client.audio.transcriptions.create({ file: jfk(), model, response_format: 'text' });
    expect(spokenWords(text)).toEqual(words);
  });

  it.each([[['word']], [['word', 'segment']]] as const)(
    'gets verbose_json with the times of %j',
    async (granularities) => {
      const verbose = await client.audio.transcriptions.create({
        file: jfk(),
        model,
        language: 'en',
        prompt: 'A speech.',
        temperature: 0.2,
        response_format: 'verbose_json',
        timestamp_granularities: [...granularities],
      });
      expect(spokenWords(verbose.text)).toEqual(words);
      expect(verbose.duration).toBeCloseTo(11, 1);
      expect(verbose.language).toBe('en');
      expect(verbose.segments!.length).toBeGreaterThan(0);
      expect(verbose.words!.flatMap(({ word }) => spokenWords(word))).toEqual(words);
      expect(verbose.words!.every(({ start, end }) => end > start)).toBe(true);
    },
  );

  it('gets verbose_json without words for segment granularity', async () => {
    const verbose = await client.audio.transcriptions.create({
      file: jfk(),
      model,
      response_format: 'verbose_json',
      timestamp_granularities: ['segment'],
    });
    expect(verbose.segments!.length).toBeGreaterThan(0);
    expect(verbose).not.toHaveProperty('words');
  });

  it('gets subtitles', async () => {
    const srt = await client.audio.transcriptions.create({ file: jfk(), model, response_format: 'srt' });
    expect(srt).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n\S/);
    const vtt = await client.audio.transcriptions.create({ file: jfk(), model, response_format: 'vtt' });
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n\S/);
  });

  it('reads a streamed transcription', async () => {
    const stream = await client.audio.transcriptions.create({ file: jfk(), model, stream: true });
    let deltas = '';
    let done: string | undefined;
    for await (const event of stream) {
      expect(done).toBeUndefined();
      if (event.type === 'transcript.text.delta') deltas += event.delta;
      else if (event.type === 'transcript.text.done') done = event.text;
      else expect.fail(`unexpected event ${event.type}`);
    }
    expect(done).toBe(deltas);
    expect(spokenWords(deltas)).toEqual(words);
  });

  it('gets tokens, languages and usage with the fields of late 2026', async () => {
    const request = {
      file: jfk(),
      model: 'gpt-transcribe',
      include: ['logprobs' as const],
      languages: ['en', 'de'],
      keywords: ['Americans'],
      chunking_strategy: { type: 'server_vad' as const, silence_duration_ms: 1000, threshold: 0.4 },
    };
    const answer = await client.audio.transcriptions.create(request);
    expect(spokenWords(answer.text)).toEqual(words);
    expect(answer.languages).toEqual([{ code: 'en' }]);
    expect(answer.usage).toEqual({ type: 'duration', seconds: expect.closeTo(11, 1) });
    expect(answer.logprobs!.map(({ token }) => token).join('')).toBe(answer.text);
    for (const { bytes, logprob, token } of answer.logprobs!) {
      expect(Buffer.from(bytes!).toString()).toBe(token);
      expect(logprob).toBeLessThanOrEqual(0);
      expect(logprob).toBeGreaterThan(-10);
    }
    const output_tokens = expect.closeTo(answer.logprobs!.length, -1);
    const tokens = {
      input_tokens: 550,
      output_tokens,
      total_tokens: expect.closeTo(550 + answer.logprobs!.length, -1),
    };
    const lastUsage = { type: 'tokens', ...tokens, seconds: expect.closeTo(11, 1) };
    const deltas: unknown[] = [];
    for await (const event of await client.audio.transcriptions.create({ ...request, file: jfk(), stream: true })) {
      if (event.type === 'transcript.text.delta') deltas.push(...event.logprobs!);
      else expect(event).toEqual({ type: 'transcript.text.done', ...answer, usage: lastUsage });
    }
    expect(deltas).toEqual(answer.logprobs);
  });

  it('gets a 400 for diarized_json', async () => {
    const call = client.audio.transcriptions.create({ file: jfk(), model, response_format: 'diarized_json' });
    expect(await failure(call)).toMatchObject({ status: 400, param: 'response_format' });
  });

  it('gets translations', async () => {
    const { text } = await client.audio.translations.create({ file: jfk(), model });
    expect(spokenWords(text)).toEqual(words);
    const verbose = await client.audio.translations.create({ file: jfk(), model, response_format: 'verbose_json' });
    expect(verbose).toMatchObject({ task: 'translate', text });
    expect(verbose).toHaveProperty('segments.0.text');
    expect(verbose).not.toHaveProperty('words');
    const plain = await client.audio.translations.create({ file: jfk(), model, response_format: 'text' });
    expect(spokenWords(String(plain))).toEqual(words);
  });

  it('gets a 400 for an unknown format or language', async () => {
    const response_format = 'yaml' as 'json';
    const format = await failure(client.audio.transcriptions.create({ file: jfk(), model, response_format }));
    expect(format).toBeInstanceOf(BadRequestError);
    expect(format).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 400,
      param: 'response_format',
      message: '400 Unsupported response_format',
    });

    const language = await failure(client.audio.transcriptions.create({ file: jfk(), model, language: 'xx' }));
    expect(language).toBeInstanceOf(BadRequestError);
    expect(language).toMatchObject({ status: 400, param: 'language', message: '400 Unsupported language: xx' });

    const german = await failure(client.audio.transcriptions.create({ file: jfk(), model, language: 'de' }));
    expect(german).toBeInstanceOf(BadRequestError);
    expect(german.message).toMatch(/^400 Unsupported language: de\. .*moonshine-tiny.*German.*small/);
  });
});

describe('an error of hear in the openai client', () => {
  it('names a text file invalid audio', async () => {
    const file = await toFile(Buffer.from('no audio at all, '.repeat(500)), 'speech.mp3');
    const error = await failure(client.audio.transcriptions.create({ file, model }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'file' });
    expect(error.message).toMatch(/audio/);
  });

  it('reports a wrong key', async () => {
    const stranger = openaiClient(hear, 'wrong');
    const file = await toFile(Buffer.alloc(100), 'speech.wav');
    await expectUnauthorized([
      () => stranger.audio.transcriptions.create({ file, model }),
      () => stranger.audio.translations.create({ file, model }),
      () => stranger.models.retrieve('asr-1'),
      async () => stranger.models.list(),
    ]);
  });

  it('reports an unknown model', async () => {
    const error = await failure(client.models.retrieve('gpt-17'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, type: 'invalid_request_error', param: 'model' });
  });

  it('reports an oversized upload', async () => {
    const file = await toFile(Buffer.alloc(4_000_000), 'speech.wav');
    const error = await failure(client.audio.transcriptions.create({ file, model }));
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 413, param: 'file', message: '413 Uploaded file is too large' });
  });

  it('reports a full queue', async () => {
    const [engine] = hear.engines();
    const file = () => toFile(Buffer.alloc(9), 'speech.wav');
    // A stopped engine keeps its request, which holds the only slot.
    process.kill(engine!, 'SIGSTOP');
    const held = failure(client.audio.transcriptions.create({ file: await file(), model }));
    try {
      await until(async () => (await hear.metric('hearsay_queue_active')) === 1, 'the slot is taken');
      const error = await failure(client.audio.transcriptions.create({ file: await file(), model }));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status: 503, type: 'server_error' });
      expect(error.message).toMatch(/queue is full/);
      expect(error.headers!.get('retry-after')).toBe('10');
    } finally {
      process.kill(engine!, 'SIGCONT');
    }
    expect(await held).toMatchObject({ status: 400 });
    await until(async () => (await hear.metric('hearsay_queue_active')) === 0, 'the slot is free again');
  });
});

describe('GET /v1/models of hear', () => {
  it('lists asr-1 and the loaded model, and retrieves each', async () => {
    const ids: string[] = [];
    for await (const { id, object } of client.models.list()) {
      expect(object).toBe('model');
      ids.push(id);
    }
    expect(ids).toEqual(['asr-1', 'moonshine-tiny']);
    for (const id of ids) {
      expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'hearsay' });
    }
  });
});

describe('while the model is warming', () => {
  afterEach(async () => {
    await hub?.close();
  });
  let hub: Awaited<ReturnType<typeof startLocalHub>> | undefined;

  it('the openai client gets model_warming', async () => {
    hub = await startLocalHub();
    hub.put('org/slow', { 'config.json': { content: '{"model_type": "whisper"}' } });
    // The download never proceeds: the model stays warming.
    hub.faults.push({ kind: 'stall', after: 0 });
    const warming = await startHear({ API_KEY: apiKey, MODEL_SIZE: 'org/slow', HF_ENDPOINT: hub.endpoint });
    const file = await toFile(Buffer.alloc(9), 'speech.wav');
    const error = await failure(openaiClient(warming, apiKey).audio.transcriptions.create({ file, model }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 503, type: 'server_error' });
    expect(error.message).toMatch(/warming up/);
    expect(error.headers!.get('retry-after')).toBe('10');
    const ids = (await openaiClient(warming, apiKey).models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['asr-1']);
    await warming.stop();
  });
});
