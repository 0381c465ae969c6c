import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { builtIn, spoken, synthesisApp } from '../../../test/fixtures/synthesis-app.ts';
import type { Passage, SpeechJob } from '../../contracts/synthesis.ts';

const start = perTest(synthesisApp);

const path = '/v1/audio/speech';
const ssml = (content: string, more = {}) => ({ input: `<speak>${content}</speak>`, input_type: 'ssml', ...more });

/** The passages of the only job. */
async function passages(content: string, more = {}): Promise<Passage[]> {
  const t = await start();
  t.models.info = { ...builtIn, model: 'kokoro', languages: ['a', 'b', 'e', 'f'] };
  const response = await t.post(path, ssml(content, more));
  expect(response.statusCode, response.body).toBe(200);
  const [job] = t.models.jobs as SpeechJob[];
  if (!job || !('passages' in job.input)) throw new Error('The job has no passages.');
  await t.close();
  return job.input.passages;
}

describe('input_type=ssml', () => {
  it('makes a passage of each voice, speed and volume, relative to those of the request', async () => {
    const content =
      'One <voice name="am_adam">two</voice> <prosody rate="50%" volume="soft">three</prosody> <voice name="af_heart(3)+bf_emma(1)">four</voice>';
    const more = { voice: 'bf_emma', speed: 2, volume_multiplier: 4 };
    const text = (text: string) => [{ type: 'text', text }];
    expect(await passages(content, more)).toEqual([
      { text: text('One '), voice: [{ name: 'bf_emma', weight: 1 }], language: 'b', speed: 2, volume: 4 },
      { text: text('two '), voice: [{ name: 'am_adam', weight: 1 }], language: 'a', speed: 2, volume: 4 },
      { text: text('three '), voice: [{ name: 'bf_emma', weight: 1 }], language: 'b', speed: 1, volume: 2 },
      {
        text: text('four'),
        voice: [
          { name: 'af_heart', weight: 0.75 },
          { name: 'bf_emma', weight: 0.25 },
        ],
        language: 'a',
        speed: 2,
        volume: 4,
      },
    ]);
  });

  it.each([
    [
      'the accent of a voice stays unless lang names one',
      '<p xml:lang="en-US">a</p><lang xml:lang="en-US">b</lang>',
      {},
      'ba',
    ],
    ['a language is that of the innermost element', '<p xml:lang="fr">a<lang xml:lang="es-MX">b</lang></p>', {}, 'fe'],
    ['a voice speaks its own language', '<p xml:lang="fr">a<voice name="am_adam">b</voice></p>', {}, 'fa'],
    ['a voice speaks another language on request', '<voice name="am_adam" xml:lang="fr">b</voice>', {}, 'f'],
    ['lang_code is the language of the document', 'a<voice name="am_adam">b</voice>', { lang_code: 'f' }, 'fa'],
  ])('%s', async (_, content, more, languages) => {
    const spokenIn = (await passages(content, { voice: 'bf_emma', ...more })).map(({ language }) => language);
    expect(spokenIn.join('')).toBe(languages);
  });

  it.each([
    ['<voice name="nobody">a</voice>', 'The voice "nobody" is unknown'],
    ['<voice name="jf_alpha">a</voice>', 'does not speak the voice jf_alpha'],
    ['\n<lang xml:lang="de-DE">a</lang>', 'line 2, column 6: the language "de-DE" is unknown'],
    ['<lang xml:lang="ja">a</lang>', 'does not speak Japanese'],
    ['<prosody rate="5">a</prosody>', 'the rate makes a speed below 0.25 or above 4'],
    ['<prosody volume="+40dB">a</prosody>', 'the volume is above 10 times'],
    ['<p>a', 'unexpected close tag'],
  ])('refuses %s with 400', async (content, reason) => {
    const t = await start();
    const response = await t.post(path, ssml(content));
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ type: 'invalid_request_error', param: 'input' });
    expect(response.json().error.message).toContain(reason);
    expect(response.json().error.message).toMatch(/line \d+, column \d+/);
    expect(t.models.jobs).toEqual([]);
    expect(t.gate.active).toBe(0);
  });

  it('leaves text as it was without it', async () => {
    const t = await start();
    expect((await t.post(path, { input: '<speak>Hello' })).statusCode).toBe(200);
    expect(t.models.jobs).toMatchObject([{ input: { text: '<speak>Hello' } }]);
    expect((await t.post(path, { input: 'Hello', input_type: 'html' })).json().error.param).toBe('input_type');
  });

  it.each([true, false])('reports the times of marks with the captions, stream=%s', async (stream) => {
    const t = await start();
    t.models.run = async function* () {
      yield spoken[0]!;
      yield { type: 'chunk', words: [], marks: [{ name: 'a', time: 0.1 + 0.2 }], passage: 0 };
      yield { type: 'chunk', words: [], marks: [{ name: 'b', time: 1 }], passage: 1 };
    };
    const response = await t.post('/dev/captioned_speech', ssml('<mark name="a"/>Hi', { stream }));
    const lines = response.body.trim().split('\n');
    expect(lines).toHaveLength(stream ? 2 : 1);
    expect(lines.flatMap((line) => JSON.parse(line).marks)).toEqual([
      { name: 'a', time: 0.3 },
      { name: 'b', time: 1 },
    ]);
  });
});
