import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type OpenAI from 'openai';
import { BadRequestError, InternalServerError, NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentTypes, OUTPUT_RATE, type SpeechFormat, speechFormats } from '../src/audio/formats.ts';
import { wavHeader } from '../src/audio/wav.ts';
import { expectUnauthorized, failure, openaiClient } from './fixtures/openai.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';
import { readSpeech } from './fixtures/speech.ts';

const apiKey = 'correct horse battery';
const model = 'tts-1';
const voice = 'alloy';
const input = 'The xylophone was tuned. It sounds much better than it did before.';

let say: Say;
let client: OpenAI;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'say-openai-client-'));
  say = await startSay({ API_KEY: apiKey });
  client = openaiClient(say, apiKey);
  await say.ready();
});
afterAll(async () => {
  try {
    expect(await say.tempFiles()).toEqual([]);
    // Neither the text nor the key.
    expect(say.log.join('\n')).not.toMatch(/xylophone|horse/);
    await say.stop();
  } finally {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
});

async function seconds(format: SpeechFormat, bytes: Uint8Array): Promise<number> {
  const path = join(folder, `speech.${format}`);
  await writeFile(path, format === 'pcm' ? Buffer.concat([wavHeader(OUTPUT_RATE, bytes.length), bytes]) : bytes);
  return (await readSpeech(path, OUTPUT_RATE)).length / OUTPUT_RATE;
}

describe('the openai client with say', () => {
  let spoken: number;
  beforeAll(async () => {
    const response = await client.audio.speech.create({ model, voice, input, response_format: 'pcm' });
    spoken = (await response.arrayBuffer()).byteLength / 2 / OUTPUT_RATE;
    expect(spoken).toBeGreaterThan(3);
  });

  it.each(speechFormats)('gets %s speech as a whole, into a file, and in chunks', async (response_format) => {
    const body = { model, voice, input, response_format };
    const whole = await client.audio.speech.create(body);
    expect(whole.headers.get('content-type')).toBe(contentTypes[response_format]);
    const length = await seconds(response_format, Buffer.from(await whole.arrayBuffer()));
    expect(Math.abs(length - spoken)).toBeLessThan(0.1);

    const path = join(folder, `streamed.${response_format}`);
    const streamed = await client.audio.speech.create(body);
    await pipeline(Readable.fromWeb(streamed.body! as never), createWriteStream(path));
    // The noise in a voice is random, but the length is not.
    expect(await seconds(response_format, await readFile(path))).toBe(length);

    const chunked = await client.audio.speech.create(body);
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunked.body! as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    expect(await seconds(response_format, Buffer.concat(chunks))).toBe(length);
  });

  it('gets mp3 by default, at the requested speed', async () => {
    const usual = await client.audio.speech.create({ model: 'gpt-4o-mini-tts', voice: 'coral', input });
    expect(usual.headers.get('content-type')).toBe('audio/mpeg');
    const slow = await client.audio.speech.create({ model: 'tts-1-hd', voice: 'onyx', input, speed: 0.5 });
    const [usualSeconds, slowSeconds] = [
      await seconds('mp3', Buffer.from(await usual.arrayBuffer())),
      await seconds('mp3', Buffer.from(await slow.arrayBuffer())),
    ];
    expect(slowSeconds).toBeGreaterThan(1.5 * usualSeconds);
  });

  it('lists the models and retrieves each', async () => {
    const ids: string[] = [];
    for await (const { id, object } of client.models.list()) {
      expect(object).toBe('model');
      ids.push(id);
    }
    expect(ids).toEqual(['tts-1', 'tts-1-hd', 'tts-native', 'chat-4o-mini-tts']);
    for (const id of ids) {
      expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'hearsay' });
    }
  });
});

describe('an error of say in the openai client', () => {
  it.each([
    ['voice', { voice: 'nobody' }, /"nobody" is unknown/],
    ['voice', { voice: 'af_heart(' }, /malformed/],
    ['voice', { voice: 'jf_alpha' }, /flite does not speak.*kokoro/],
    ['model', { model: 'tts-17' }, /Unknown model/],
    ['speed', { speed: 5 }, /speed/],
    ['input', { input: ' ' }, /empty/],
    ['response_format', { response_format: 'ogg' as 'opus' }, /response_format/],
  ])('names an invalid %s: %j', async (param, wrong, message) => {
    const error = await failure(client.audio.speech.create({ model, voice, input, ...wrong }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 400, param });
    expect(error.message).toMatch(message);
  });

  it('reports a wrong key', async () => {
    const stranger = openaiClient(say, 'wrong');
    await expectUnauthorized([
      () => stranger.audio.speech.create({ model, voice, input }),
      () => stranger.models.retrieve('tts-1'),
      async () => stranger.models.list(),
    ]);
  });

  it('reports an unknown model', async () => {
    const error = await failure(client.models.retrieve('tts-17'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, type: 'invalid_request_error', param: 'model' });
  });
});

describe('API key', () => {
  it.each([
    ['GET', '/v1/models'],
    ['GET', '/v1/audio/voices'],
    ['GET', '/v1/download/0123456789abcdef0123456789abcdef.mp3'],
    ['POST', '/v1/audio/voices/combine'],
    ['POST', '/v1/audio/dialogue'],
    ['POST', '/v1/audio/book'],
    ['POST', '/dev/captioned_speech'],
    ['POST', '/dev/captioned_dialogue'],
    ['POST', '/dev/captioned_book'],
    ['POST', '/dev/phonemize'],
    ['POST', '/dev/generate_from_phonemes'],
    ['POST', '/dev/unload'],
    ['GET', '/debug/threads'],
    ['GET', '/debug/storage'],
    ['GET', '/debug/system'],
  ])('is required for %s %s', async (method, path) => {
    const response = await fetch(say.url + path, { method });
    expect(response.status, await response.text()).toBe(401);
  });

  it.each(['/health', '/ready', '/system', '/metrics', '/web', '/docs', '/docs/json'])(
    'is not needed for %s',
    async (path) => {
      const response = await say.get(path);
      expect(response.status, await response.text()).toBe(200);
    },
  );
});

describe('the start-up summary', () => {
  it('has every item', () => {
    const { msg } = say.log.map((line) => JSON.parse(line)).find(({ msg }) => String(msg).includes('┌'));
    for (const part of [
      /Hearsay \d+\.\d+\.\d+/,
      new RegExp(`Endpoint +${say.url} `),
      /API key +required/,
      /Device +cpu/,
      /GPU +\S/,
      /Model +flite \(flite_wasm\)/,
      /Voice packs +28 /,
      new RegExp(`Web console +${say.url}/web `),
    ]) {
      expect(msg).toMatch(part);
    }
  });
});

describe('a model that cannot be loaded', () => {
  it('fails the request with its reason', async () => {
    const failed = await startSay({ WARMUP_ON_START: 'false', TTS_MODEL: 'nonsense' });
    const error = await failure(openaiClient(failed, apiKey).audio.speech.create({ model, voice, input }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 503, type: 'server_error' });
    expect(error.message).toMatch(/nonsense/);
    await failed.stop();
  });
});
