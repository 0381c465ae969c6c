import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import { describe, expect, it, vi } from 'vitest';
import { openaiClient } from '../../../test/fixtures/openai.ts';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { audio, spoken, spokenBytes, synthesisApp, type TestApp } from '../../../test/fixtures/synthesis-app.ts';
import { HearsayError } from '../../errors.ts';

const path = '/v1/audio/speech';

const start = perTest(synthesisApp);

/** Events of a body; fails if a line is not an event. */
const eventsOf = (body: string) =>
  body
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(/^(?:event: error\n)?data: (.*)$/.exec(event)![1]!));

const post = ({ app }: TestApp, body: object) => app.inject({ method: 'POST', url: path, payload: body });

describe('a speech request of late 2026', () => {
  it('is taken from the official library', async () => {
    const t = await start();
    const names = ['bm_george', 'am_puck', 'af_aoede', 'am_fenrir', 'af_heart'];
    t.voices.push(...names.map((id) => ({ id, name: id })));
    const client = openaiClient({ url: await t.listen() });
    const requests: Partial<SpeechCreateParams>[] = [
      { voice: 'ballad' },
      { voice: 'Verse' },
      { voice: 'marin', instructions: 'Speak like a pirate.' },
      { voice: { id: 'cedar' }, model: 'gpt-4o-mini-tts-2025-12-15' },
      { voice: 'AF_Heart', stream_format: 'audio' },
    ];
    for (const request of requests) {
      const answer = await client.audio.speech.create({
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        input: 'Hi',
        ...request,
      });
      expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(spokenBytes);
    }
    expect(t.models.jobs.map((job) => job.kind === 'speech' && job.voice[0]!.name)).toEqual(names);
  });

  it('with a number of many digits is refused at once', async () => {
    const t = await start();
    const before = process.cpuUsage().user;
    const response = await post(t, { input: 'Hello', speed: `${'1'.repeat(50_000)}x` });
    expect(response.statusCode).toBe(400);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });

  it('may have numbers and booleans as strings, and empty optional fields', async () => {
    const t = await start();
    const loose = {
      input: 'Hello',
      speed: '1.5',
      volume_multiplier: ' 2e-1 ',
      stream: 'False',
      return_download_link: 0,
      normalization_options: {
        normalize: 'false',
        unit_normalization: '',
        url_normalization: null,
        email_normalization: 'off',
        phone_normalization: 'no',
        markdown_normalization: 1,
      },
    };
    const empty = [
      'model',
      'voice',
      'response_format',
      'stream_format',
      'instructions',
      'lang_code',
      'download_format',
    ];
    const response = await post(t, { ...loose, ...Object.fromEntries(empty.map((name) => [name, ''])) });
    expect([response.statusCode, response.headers['content-length']]).toEqual([200, String(spokenBytes.length)]);
    expect(t.models.jobs[0]).toMatchObject({
      speed: 1.5,
      volume: 0.2,
      format: 'mp3',
      voice: [{ name: 'af_heart' }],
      input: {
        normalization: {
          ...{ normalize: false, unit_normalization: false, url_normalization: true },
          ...{ email_normalization: false, phone_normalization: false, markdown_normalization: true },
        },
      },
    });
  });

  it.each([0, '0', 'no', 'OFF', ' false ', 1, '1', 'yes', 'on', 'True'])('may have %j as a boolean', async (stream) => {
    const t = await start();
    const response = await post(t, { input: 'Hello', stream });
    const isWhole = response.headers['content-length'] !== undefined;
    expect([response.statusCode, isWhole]).toEqual([200, /^(0|no|off|false)$/i.test(String(stream).trim())]);
  });

  it.each([2, -1, 0.5, '2', 'maybe', 'null', [], {}])('may not have %j as a boolean', async (stream) => {
    const t = await start();
    const response = await post(t, { input: 'Hello', stream });
    expect([response.statusCode, response.json().error.param]).toEqual([400, 'stream']);
  });

  it.each([
    ['speed', { speed: 'fast' }],
    ['speed', { speed: '9' }],
    ['stream', { stream: 'maybe' }],
    ['voice', { voice: {} }],
    ['voice', { voice: { id: 7 } }],
    ['voice', { voice: ['alloy'] }],
    ['voice', { voice: { id: 'voice_1234' } }],
    ['model', { model: 'gpt-5' }],
    ['stream_format', { stream_format: 'ndjson' }],
    ['instructions', { instructions: ['shout'] }],
    ['input', { input: '' }],
  ])('names an invalid %s: %j', async (param, wrong) => {
    const response = await post(await start(), { input: 'Hello', ...wrong });
    expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
  });
});

describe('stream_format=sse', () => {
  const request = { input: 'Grüße 👋', stream_format: 'sse', model: 'gpt-4o-mini-tts' };

  it('sends the audio as events, then the usage', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield* spoken;
      yield { type: 'end', seconds: 1.5 };
    };
    for (const more of [{}, { stream: false }, { model: 'tts-native' }]) {
      const response = await post(t, { ...request, ...more });
      expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
      expect(response.headers['x-accel-buffering']).toBe('no');
      const events = eventsOf(response.body);
      expect(events.pop()).toEqual({
        type: 'speech.audio.done',
        usage: { input_tokens: 7, output_tokens: 75, total_tokens: 82 },
      });
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
      expect(Buffer.concat(events.map((event) => Buffer.from(event.audio, 'base64'))).toString()).toBe(spokenBytes);
    }
  });

  it.each(['tts-1', 'tts-1-hd', 'tts-1-1106'])('sends audio if the model is %s', async (model) => {
    const response = await post(await start(), { ...request, model });
    expect([response.headers['content-type'], response.body]).toEqual(['audio/mpeg', spokenBytes]);
  });

  it('answers a failure before the first event with its status', async () => {
    const t = await start();
    // biome-ignore lint/correctness/useYield: fails before its first event
    t.models.run = async function* () {
      throw new HearsayError('unspeakable_text', 'Nothing to say.', { param: 'input' });
    };
    const response = await post(t, request);
    expect([response.statusCode, response.json().error.message]).toEqual([400, 'Nothing to say.']);
  });

  it('starts again if the engine died while nothing but heartbeats was sent', async () => {
    const t = await start();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      t.models.diesOnce = true;
      t.models.run = async function* () {
        if (t.models.jobs.length === 1) {
          vi.advanceTimersByTime(15_000);
          throw new Error('died');
        }
        yield audio('one');
      };
      const { body } = await post(t, request);
      expect(body.startsWith(': still at work')).toBe(true);
      expect(eventsOf(body.slice(body.indexOf('data'))).map(({ type }) => type)).toEqual([
        'speech.audio.delta',
        'speech.audio.done',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports a later failure and cuts the connection', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield audio('one');
      throw new HearsayError('engine_failed', 'It died.');
    };
    const response = await fetch((await t.listen()) + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    let received = '';
    const reading = (async () => {
      for await (const chunk of response.body!) received += Buffer.from(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(eventsOf(received)).toEqual([
      { type: 'speech.audio.delta', audio: Buffer.from('one').toString('base64') },
      { type: 'error', error: expect.objectContaining({ message: 'It died.', code: 500 }), detail: expect.anything() },
    ]);
  });
});
