import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { builtIn, synthesisApp } from '../../../test/fixtures/synthesis-app.ts';

const start = perTest(synthesisApp);

describe('POST /dev/phonemize', () => {
  const path = '/dev/phonemize';

  it('returns the phonemes of a text', async () => {
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

  it('uses the lexicon of the request', async () => {
    const { models, post } = await start();
    await post(path, { text: 'Hello', lexicon: { Hello: 'hˈI' } });
    expect(models.jobs).toEqual([{ kind: 'phonemize', text: 'Hello', language: 'a', lexicon: { Hello: 'hˈI' } }]);
    const { error } = (await post(path, { text: 'Hello', lexicon: { Hello: 'hə4' } })).json();
    expect(error).toMatchObject({
      param: 'lexicon',
      message: expect.stringContaining('Hello has unknown phonemes: 4'),
    });
  });

  it('rejects invalid texts and unknown languages', async () => {
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

it('an unknown sound in a pronunciation of the text is a 400 that names it', async () => {
  const { models, post } = await start();
  const { error } = (await post('/dev/phonemize', { text: 'So [good](/gʊʘd1/)' })).json();
  expect(error).toMatchObject({ code: 400, param: 'text', message: expect.stringContaining('unknown phonemes: ʘ 1') });
  const speech = (await post('/v1/audio/speech', { input: 'So [good](/gʊʘd/)' })).json();
  expect(speech.error).toMatchObject({ code: 400, param: 'input', message: expect.stringContaining('ʘ') });
  expect(models.jobs).toEqual([]);
  expect((await post('/dev/phonemize', { text: 'So [good](/gʊd/)' })).statusCode).toBe(200);
});

it('an unsupported language is rejected by the field name of the request', async () => {
  const { models, post } = await start();
  const spoken = { input: 'a', lang_code: 'fr' };
  expect((await post('/v1/audio/speech', spoken)).json().error.param).toBe('lang_code');
  const phonemized = { text: 'a', language: 'fr' };
  expect((await post('/dev/phonemize', phonemized)).json().error.param).toBe('language');
  // Another engine may have been loaded meanwhile.
  models.use = async (work) => work({ info: { ...builtIn, languages: [] }, run: models.run } as never);
  expect((await post('/dev/phonemize', { text: 'a' })).json().error.param).toBe('language');
});
