import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { synthesisApp, type TestApp, type TestConfig } from '../../../test/fixtures/synthesis-app.ts';
import { officialVoices } from '../routes/voices.ts';
import { languageNames } from './language-codes.ts';

let running: TestApp | undefined;
async function start(config: TestConfig = {}): Promise<TestApp> {
  running = await synthesisApp(config);
  return running;
}
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const english = [
  { id: 'af_heart', name: 'Heart' },
  { id: 'af_bella', name: 'Bella' },
  { id: 'am_adam', name: 'Adam' },
  { id: 'bf_emma', name: 'Emma' },
];

describe('GET /v1/audio/voices', () => {
  it('lists what the model speaks, loaded or not', async () => {
    const { app, models } = await start();
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: english });
    models.info = undefined;
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: english });
    models.info = { model: 'kokoro', backend: '', device: '', compute_type: '', sampleRate: 24_000, languages: ['j'] };
    expect((await app.inject('/v1/audio/voices')).json()).toEqual({ voices: [{ id: 'jf_alpha', name: 'Alpha' }] });
  });

  it('is a flat list with legacy=true', async () => {
    const { app } = await start();
    const ids = english.map(({ id }) => id);
    for (const value of ['true', 'True', '1']) {
      expect((await app.inject(`/v1/audio/voices?legacy=${value}`)).json()).toEqual(ids);
    }
    expect((await app.inject('/v1/audio/voices?legacy=false')).json()).toEqual({ voices: english });
    expect((await app.inject('/v1/audio/voices?legacy=perhaps')).statusCode).toBe(400);
  });
});

describe('POST /v1/audio/voices/combine', () => {
  const path = '/v1/audio/voices/combine';

  it('is forbidden by default, whatever it is asked', async () => {
    const { combined, post } = await start();
    for (const body of ['af_heart', 5, undefined]) {
      const response = await post(path, body);
      expect([response.statusCode, response.json().error.type]).toEqual([403, 'permission_error']);
    }
    expect(combined).toEqual([]);
  });

  it('makes a voice pack of a blend', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    const response = await post(path, 'af_heart(3) + jf_alpha(1)');
    expect([response.statusCode, response.body]).toEqual([200, 'a voice pack']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a_blend.pt"',
      'content-length': '12',
    });
    expect(combined).toEqual([
      {
        name: 'a_blend',
        weights: [
          { name: 'af_heart', weight: 0.75 },
          { name: 'jf_alpha', weight: 0.25 },
        ],
      },
    ]);
  });

  it('gives the voice the name that is asked for', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    const response = await post(`${path}?name=my_voice`, 'af_heart');
    expect(response.headers['content-disposition']).toBe('attachment; filename="my_voice.pt"');
    expect(combined).toEqual([{ name: 'my_voice', weights: [{ name: 'af_heart', weight: 1 }] }]);
  });

  it('refuses what is no blend', async () => {
    const { combined, post } = await start({ allowLocalVoiceSaving: true });
    for (const body of ['', 'nobody', 'af_heart(', 'af_heart-af_bella(2)', '../af_heart', 5, null, [], {}]) {
      expect([body, (await post(path, body)).statusCode]).toEqual([body, 400]);
    }
    expect(combined).toEqual([]);
  });
});

it('docs/voices.md lists every voice, by its language', async () => {
  const page = await readFile(new URL('../../../docs/voices.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w)` ([\w ]+) \| (.*)$/gm)].map(([, letter, name, cells]) => ({
    language: [letter, name],
    voices: cells!.match(/\w+/g)!,
  }));
  expect(documented.map(({ language }) => language)).toEqual(Object.entries(languageNames));
  expect(documented.flatMap(({ voices }) => voices).sort()).toEqual(officialVoices.map(({ id }) => id));
  for (const { language, voices } of documented) for (const voice of voices) expect(voice[0]).toBe(language[0]);
});
