import { afterEach, describe, expect, it } from 'vitest';
import { audio, builtIn, synthesisApp, type TestApp } from '../../../test/fixtures/synthesis-app.ts';
import { OUTPUT_RATE } from '../../audio/formats.ts';
import { wavHeader } from '../../audio/wav.ts';

let running: TestApp | undefined;
async function start(): Promise<TestApp> {
  running = await synthesisApp();
  return running;
}
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('POST /dev/phonemize', () => {
  const path = '/dev/phonemize';

  it('gives the phonemes of a text', async () => {
    const { models, post } = await start();
    models.run = async function* () {
      yield { type: 'phonemes', phonemes: 'həlˈO ' };
      yield { type: 'phonemes', phonemes: 'wˈɜɹld' };
    };
    const response = await post(path, { text: 'Hello world', language: null });
    expect([response.statusCode, response.json()]).toEqual([200, { phonemes: 'həlˈO wˈɜɹld', tokens: [] }]);
    await post(path, { text: 'Hello', language: 'en-GB' });
    expect(models.jobs).toEqual([
      { kind: 'phonemize', text: 'Hello world', language: 'a' },
      { kind: 'phonemize', text: 'Hello', language: 'b' },
    ]);
  });

  it('takes a lexicon', async () => {
    const { models, post } = await start();
    await post(path, { text: 'Hello', lexicon: { Hello: 'hˈI' } });
    expect(models.jobs).toEqual([{ kind: 'phonemize', text: 'Hello', language: 'a', lexicon: { Hello: 'hˈI' } }]);
    const { error } = (await post(path, { text: 'Hello', lexicon: { Hello: 'g' } })).json();
    expect(error).toMatchObject({
      param: 'lexicon',
      message: expect.stringContaining('Hello has unknown phonemes: g'),
    });
  });

  it('refuses what is no text, and languages that it does not know', async () => {
    const { models, post } = await start();
    const wrong = [{}, { text: '' }, { text: ' ' }, { text: 1 }, { text: 'x'.repeat(1001) }];
    const others = [{ language: 'x' }, { language: 'fr' }, { text: '[pause:61s]' }].map((each) => ({
      text: 'a',
      ...each,
    }));
    for (const body of [...wrong, ...others]) {
      expect([body, (await post(path, body)).statusCode]).toEqual([body, 400]);
    }
    expect(models.jobs).toEqual([]);
    models.state = 'failed';
    expect((await post(path, { text: 'Hello' })).json().detail.error).toBe('model_failed');
  });
});

it('a language that the model does not speak is refused by the name that it has in the request', async () => {
  const { models, post } = await start();
  const spoken = { input: 'a', lang_code: 'fr' };
  expect((await post('/v1/audio/speech', spoken)).json().error.param).toBe('lang_code');
  const phonemized = { text: 'a', language: 'fr' };
  expect((await post('/dev/phonemize', phonemized)).json().error.param).toBe('language');
  // The engine that was loaded meanwhile may speak less than the one before.
  models.use = async (work) => work({ info: { ...builtIn, languages: [] }, run: models.run });
  expect((await post('/dev/phonemize', { text: 'a' })).json().error.param).toBe('language');
});

describe('POST /dev/generate_from_phonemes', () => {
  const path = '/dev/generate_from_phonemes';

  it('speaks them, always as a whole wav', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'audio', bytes: wavHeader(OUTPUT_RATE) };
      yield audio('samples!');
    };
    const response = await t.post(path, { phonemes: 'həlˈO wˈɜɹld.', voice: 'bf_emma', response_format: 'mp3' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('audio/wav');
    expect(response.rawPayload.equals(Buffer.concat([wavHeader(OUTPUT_RATE, 8), Buffer.from('samples!')]))).toBe(true);
    expect(t.models.jobs).toEqual([
      {
        kind: 'speech',
        input: { phonemes: 'həlˈO wˈɜɹld.' },
        voice: [{ name: 'bf_emma', weight: 1 }],
        language: 'b',
        speed: 1,
        volume: 1,
        format: 'wav',
        captions: false,
      },
    ]);
    expect(await t.files()).toEqual([]);
  });

  it('names what are no phonemes', async () => {
    const { models, post } = await start();
    const response = await post(path, { phonemes: 'hə7lˈO 7 😀', voice: 'af_heart' });
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      expect.objectContaining({ param: 'phonemes', message: 'These are no phonemes: 7 😀' }),
    ]);
    const others = ['', '\n', '\ud800', 'a[pause:61s]', 'a[pause:1]'].map((phonemes) => ({ phonemes }));
    for (const body of [{}, ...others, { phonemes: 'həlˈO', voice: 'x' }]) {
      expect((await post(path, body)).statusCode).toBe(400);
    }
    expect(models.jobs).toEqual([]);
  });
});
