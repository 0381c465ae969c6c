import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { builtIn, spoken, spokenBytes, synthesisApp, type TestApp } from '../../../test/fixtures/synthesis-app.ts';
import { MAX_LINES } from './dialogue-request.ts';

const startApp = perTest(synthesisApp);
async function start(): Promise<TestApp> {
  const app = await startApp();
  app.models.info = { ...builtIn, model: 'kokoro', languages: ['a', 'b', 'f'] };
  return app;
}

const path = '/v1/audio/dialogue';
const captioned = '/dev/captioned_dialogue';
const lines = [{ voice: 'am_adam', input: 'Hello.' }, { input: 'Hi.' }];

describe('POST /v1/audio/dialogue', () => {
  it('speaks each line with its own settings, in one recording', async () => {
    const t = await start();
    const response = await t.post(path, {
      lines: [
        { voice: 'am_adam', input: 'Hello. [pause:1s]', speed: '1.5', volume_multiplier: 2, pause_after: 0.5 },
        { voice: { id: 'bf_emma' }, input: 'Bonjour.', lang_code: 'fr', speed: null, pause_after: '' },
      ],
      response_format: 'opus',
      lexicon: { Hello: 'həlˈO' },
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['content-type']).toBe('audio/opus');
    expect(response.body).toBe(spokenBytes);
    const weight = 1;
    const passages = [
      {
        text: 'Hello. [pause:1s]',
        voice: [{ name: 'am_adam', weight }],
        language: 'a',
        speed: 1.5,
        volume: 2,
        pauseAfter: 0.5,
      },
      { text: 'Bonjour.', voice: [{ name: 'bf_emma', weight }], language: 'f', speed: 1, volume: 1, pauseAfter: 0 },
    ];
    expect(t.models.jobs).toMatchObject([
      { kind: 'speech', input: { passages, param: 'lines' }, format: 'opus', captions: false },
    ]);
    expect(t.models.jobs).toMatchObject([{ lexicon: { Hello: 'həlˈO' } }]);
  });

  it('names the input of its only line in errors of the engine', async () => {
    const t = await start();
    await t.post(path, { lines: [{ input: 'Hello.' }] });
    expect(t.models.jobs).toMatchObject([{ input: { param: 'lines[0].input' } }]);
  });

  it('sends a complete body, events and a download link like speech', async () => {
    const t = await start();
    const whole = await t.post(path, { lines, stream: false, response_format: 'pcm', return_download_link: true });
    expect(whole.headers['content-length']).toBe(String(spokenBytes.length));
    expect((await t.app.inject(String(whole.headers['x-download-path']))).body).toBe(spokenBytes);
    const events = await t.post(path, { lines, stream_format: 'sse', model: 'kokoro' });
    expect(events.body).toContain('"type":"speech.audio.done"');
    expect(events.body).toContain('"input_tokens":9');
  });

  it('bounds the different blends of all lines together, not only each of them', async () => {
    const t = await start();
    const blend = (index: number) => `af_heart(${index})${'+af_heart'.repeat(500)}`;
    const ofBlends = (count: number) => ({
      lines: Array.from({ length: count }, (_, index) => ({ input: 'Hello.', voice: blend(index + 1) })),
    });
    expect((await t.post(path, ofBlends(40))).statusCode).toBe(200);
    expect((await t.post(path, ofBlends(60))).json().error).toMatchObject({
      message: 'The different voices of a request may have 200000 characters together.',
      param: 'lines[44].voice',
    });
  });

  it.each([
    [{}, 'lines'],
    [{ lines: [] }, 'lines'],
    [{ lines: 'Hello' }, 'lines'],
    [{ lines: [...lines, 'Hello'] }, 'lines[2]'],
    [{ lines: [...lines, { voice: 'am_adam' }] }, 'lines[2].input'],
    [{ lines: [...lines, { input: ' ' }] }, 'lines[2].input'],
    [{ lines: [...lines, { input: '' }] }, 'lines[2].input'],
    [{ lines: [...lines, { input: '[pause:61s]' }] }, 'lines[2].input'],
    [{ lines: [...lines, { input: '[a](/♥/)' }] }, 'lines[2].input'],
    [{ lines: [...lines, { input: 'a', voice: 'nobody' }] }, 'lines[2].voice'],
    [{ lines: [...lines, { input: 'a', voice: 7 }] }, 'lines[2].voice'],
    [{ lines: [...lines, { input: 'a', voice: 'jf_alpha' }] }, 'lines[2].voice'],
    [{ lines: [...lines, { input: 'a', lang_code: 'j' }] }, 'lines[2].lang_code'],
    [{ lines: [...lines, { input: 'a', lang_code: 'de' }] }, 'lines[2].lang_code'],
    [{ lines: [...lines, { input: 'a', speed: 5 }] }, 'lines[2].speed'],
    [{ lines: [...lines, { input: 'a', pause_after: 61 }] }, 'lines[2].pause_after'],
    [{ lines: [...lines, { input: 'a', pause_after: -1 }] }, 'lines[2].pause_after'],
    [{ lines: Array(121).fill({ input: '[pause:30s]', pause_after: 30 }) }, 'lines'],
    [{ lines: Array(MAX_LINES + 1).fill({}) }, 'lines'],
    [{ lines: Array(3).fill({ input: 'x'.repeat(400) }) }, 'lines'],
    [{ lines, response_format: 'midi' }, 'response_format'],
  ])('refuses %.90j, naming the field', async (body, param) => {
    const t = await start();
    for (const url of [path, captioned]) {
      const response = await t.post(url, body);
      expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
    }
    expect(t.models.jobs).toEqual([]);
    expect(t.gate.active).toBe(0);
  });

  it('accepts the maximum total length of all lines', async () => {
    const t = await start();
    const longest = [{ input: 'x'.repeat(400) }, { input: 'x'.repeat(600) }];
    expect((await t.post(path, { lines: longest })).statusCode).toBe(200);
    expect((await t.post(path, { lines: Array(1000).fill({ input: 'a' }) })).statusCode).toBe(200);
  });
});

describe('POST /dev/captioned_dialogue', () => {
  it.each([true, false])('reports the line of each word, stream=%s', async (stream) => {
    const t = await start();
    t.models.run = async function* () {
      for (const [index, event] of spoken.entries())
        yield event.type === 'chunk' ? { ...event, passage: index } : event;
    };
    const response = await t.post(captioned, { lines, stream, response_format: 'mp3' });
    const answers = response.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.flatMap(({ timestamps }) => timestamps)).toEqual([
      { word: 'Hello,', start_time: 0, end_time: 0.3, line: 2 },
      { word: 'world.', start_time: 0.3, end_time: 0.75, line: 2 },
      { word: '$5', start_time: 1, end_time: 1.5, line: 4 },
    ]);
    expect(answers[0]).not.toHaveProperty('marks');
    expect(t.models.jobs).toMatchObject([{ captions: true }]);
  });
});
