import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAV_HEADER_BYTES } from '../src/audio/wav.ts';
import { readTensor } from '../src/checkpoint/pytorch-buffer.ts';
import { writeTensor } from '../src/checkpoint/pytorch-writer.ts';
import { smallKokoro } from './fixtures/kokoro.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';
import { shareCompiledModels } from './fixtures/shared-models.ts';

/** Kokoro's input and voice: random weights tell equal ones from different ones just as well. */
let say: Say;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kokoro-text-'));
  shareCompiledModels(dataDir);
  say = await startSay({ TTS_MODEL: smallKokoro, DATA_DIR: dataDir, ALLOW_LOCAL_VOICE_SAVING: 'true' });
  await say.ready();
});
afterAll(async () => {
  try {
    await say.stop();
  } finally {
    await endAll();
    await rm(dataDir, { recursive: true, force: true });
  }
});

async function bytes(path: string, body: object): Promise<Buffer> {
  const response = await say.post(path, body);
  const content = Buffer.from(await response.arrayBuffer());
  expect(response.status, content.toString().slice(0, 300)).toBe(200);
  return content;
}
const speech = (input: string, fields: object = {}) =>
  bytes('/v1/audio/speech', { input, response_format: 'pcm', ...fields });
const phonemize = async (text: string, fields: object = {}) =>
  (JSON.parse((await bytes('/dev/phonemize', { text, ...fields })).toString()) as { phonemes: string }).phonemes;
const generate = async (phonemes: string, fields: object = {}) =>
  (await bytes('/dev/generate_from_phonemes', { phonemes, ...fields })).subarray(WAV_HEADER_BYTES);
const refused = async (path: string, body: object) => {
  const response = await say.post(path, body);
  return {
    status: response.status,
    ...((await response.json()) as { error: { param: string; message: string } }).error,
  };
};
const warnings = () =>
  say.log.filter((line) => JSON.parse(line).level >= 40).map((line) => JSON.parse(line).msg as string);

describe('phonemes', () => {
  it.each([
    ['af_heart', 'Hello there. It was 42 degrees, and nobody minded at all!'],
    [
      'bm_george',
      'The price is $3.50 and the train to Oxford leaves at 10:45 from the second platform, behind the old market hall',
    ],
    [
      'af_heart',
      '“Why?” he asked. Dr. Smith, etc. and so on — J.R.R. Tolkien (Yahoo! users) didn’t know…\n\nA heading\n\nThe end',
    ],
    ['bm_george', 'Wait [pause:0.3s] for [Kokoro](/kˈOkəɹO/) and [her dog](/hɜɹ dˈɔɡ/), [x](/ˈ/) [pause:.2s]'],
    ['af_heart', `A long sentence ${'that goes on and on for the sake of it '.repeat(3)}and then ends.`],
  ])(
    'speak as the text does that they come from: %s, %s',
    async (voice, text) => {
      const phonemes = await phonemize(text, { language: voice[0] });
      expect(await generate(phonemes, { voice })).toEqual(await speech(text, { voice }));
    },
    180_000,
  );
});

describe('the lexicon', () => {
  const path = () => join(dataDir, 'lexicon.json');
  const put = (content: string) => {
    writeFileSync(`${path()}.new`, content);
    renameSync(`${path()}.new`, path());
  };

  it('of a request applies to that request alone', async () => {
    const text = 'Hearsay says Hearsay.';
    const usual = await phonemize(text);
    const plain = await speech(text);
    const pronunciations = ['hɪɹsˈA', 'ˈɑbɑ', 'ˈɑbu'];
    const answers = await Promise.all(
      pronunciations.flatMap((ipa) => [phonemize(text, { lexicon: { hearsay: ipa } }), phonemize(text)]),
    );
    expect(answers).toEqual(pronunciations.flatMap((ipa) => [expect.stringContaining(`${ipa} s`), usual]));
    const spoken = await Promise.all(
      pronunciations.flatMap((ipa) => [speech(text, { lexicon: { hearsay: ipa } }), speech(text)]),
    );
    for (const [index, audio] of spoken.entries()) expect(audio.equals(plain)).toBe(index % 2 === 1);
    expect(await generate(answers[2]!)).toEqual(spoken[2]);
    const captioned = await say.post('/dev/captioned_speech', {
      input: text,
      stream: false,
      lexicon: { hearsay: 'ˈɑ' },
    });
    const { timestamps } = (await captioned.json()) as { timestamps: { word: string }[] };
    expect(timestamps.map(({ word }) => word)).toEqual(['Hearsay', 'says', 'Hearsay.']);
  });

  it('is refused with the field named', async () => {
    for (const route of ['/v1/audio/speech', '/dev/captioned_speech', '/dev/phonemize']) {
      const answer = await refused(route, { input: 'Hi', text: 'Hi', lexicon: { hi: 'h4' } });
      expect(answer).toMatchObject({ status: 400, param: 'lexicon', message: expect.stringContaining('4') });
    }
  });

  it('of the service is reloaded on change, and yields to that of a request', async () => {
    const usual = await phonemize('Hearsay');
    put('{"hearsay": "hˈɪɹsˌA", "say": "sˈI"}');
    expect(await phonemize('Hearsay. Say!')).toBe('hˈɪɹsˌA.\nsˈI!');
    expect(await phonemize('Hearsay. Say!', { lexicon: { Hearsay: 'ˈɑ' } })).toBe('ˈɑ.\nsˈI!');
    expect(await phonemize('Hearsay. Say!', { lexicon: { hearsay: 'ˈɑ' } })).toBe('ˈɑ.\nsˈI!');
    put('{"hearsay": "hɪɹsˈA"}');
    expect(await phonemize('Hearsay')).toBe('hɪɹsˈA');
    put('{"hearsay": "hɪɹs');
    expect([await phonemize('Hearsay'), await phonemize('Hearsay')]).toEqual(['hɪɹsˈA', 'hɪɹsˈA']);
    expect(await speech('Hearsay')).toEqual(await generate('hɪɹsˈA'));
    expect(warnings().filter((line) => line.includes('lexicon.json'))).toEqual([
      expect.stringContaining('not valid JSON'),
    ]);
    rmSync(path());
    expect(await phonemize('Hearsay')).toBe(usual);
  });
});

describe('saved voices', () => {
  const folder = () => join(dataDir, 'voices');
  const listed = async () => (await (await say.get('/v1/audio/voices?legacy=true')).json()) as string[];
  const combine = (blend: string, query = '') => say.post(`/v1/audio/voices/combine${query}`, blend);

  it('of blends sound like the blends', async () => {
    const before = await listed();
    const response = await combine('af_heart(2)+bm_george(1)');
    expect(response.status).toBe(200);
    const [, name] = /filename="(\w+)\.pt"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    expect(readTensor(new Uint8Array(await response.arrayBuffer())).dims).toEqual([510, 1, 256]);
    expect(name).toMatch(/^af_heart_bm_george_[0-9a-f]{8}$/);
    expect(await listed()).toEqual([...before, name]);
    const text = 'Good morning to you.';
    // A request's blend is summed in double precision; the saved one is rounded.
    const [saved, blended] = [
      await speech(text, { voice: name }),
      await speech(text, { voice: 'af_heart(2)+bm_george(1)' }),
    ];
    expect(saved.length).toBe(blended.length);
    const samplesOf = (pcm: Buffer) => new Int16Array(new Uint8Array(pcm).buffer);
    const expected = samplesOf(blended);
    const largest = samplesOf(saved).reduce(
      (most, sample, index) => Math.max(most, Math.abs(sample - expected[index]!)),
      0,
    );
    expect(largest).toBeLessThanOrEqual(8);
    expect((await combine('af_heart(2)+bm_george(1)', '?name=mine')).status).toBe(200);
    expect(await speech(text, { voice: 'mine' })).toEqual(saved);
    const system = (await (await say.get('/system')).json()) as { model: { voicepack_count: number } };
    expect(system.model.voicepack_count).toBe(before.length + 2);
    for (const [blend, query] of [
      ['af_heart', '?name=af_bella'],
      ['af_heart', '?name=..%2Fup'],
      ['nobody', ''],
    ] as const) {
      expect([query, (await combine(blend, query)).status]).toEqual([query, 400]);
    }
  });

  it('can be added, removed and blended while say runs', async () => {
    const voice = { voice: 'am_comes' };
    expect(await refused('/v1/audio/speech', { input: 'Hi.', ...voice })).toMatchObject({
      status: 400,
      param: 'voice',
    });
    mkdirSync(folder(), { recursive: true });
    const put = (value: number) =>
      writeFileSync(
        join(folder(), 'am_comes.pt'),
        writeTensor('am_comes', { dims: [510, 1, 256], data: new Float32Array(510 * 256).fill(value) }),
      );
    put(0.05);
    const first = await speech('Hi.', voice);
    expect(await listed()).toContain('am_comes');
    expect(await speech('Hi.', { voice: 'am_comes(2)+af_heart' })).not.toEqual(first);
    put(-0.05);
    expect(await speech('Hi.', voice)).not.toEqual(first);
    put(0.05);
    expect(await speech('Hi.', voice)).toEqual(first);
    rmSync(join(folder(), 'am_comes.pt'));
    expect(await listed()).not.toContain('am_comes');
    expect(await refused('/v1/audio/speech', { input: 'Hi.', ...voice })).toMatchObject({
      status: 400,
      param: 'voice',
    });
  });

  it('that are invalid or take a reserved name are ignored, with one warning', async () => {
    const official = await speech('Hi.', { voice: 'af_bella' });
    mkdirSync(folder(), { recursive: true });
    const executed = join(dataDir, 'executed');
    writeFileSync(join(folder(), 'hostile.pt'), `cposix\nsystem\n(Vtouch ${executed}\ntR.`);
    const data = new Float32Array(510 * 256).fill(0.05);
    writeFileSync(join(folder(), 'af_bella.pt'), writeTensor('af_bella', { dims: [510, 1, 256], data }));
    for (let times = 0; times < 2; times++) {
      const voices = await listed();
      expect([voices.includes('hostile'), voices.filter((id) => id === 'af_bella').length]).toEqual([false, 1]);
      expect(await refused('/v1/audio/speech', { input: 'Hi.', voice: 'hostile' })).toMatchObject({ status: 400 });
      expect(await speech('Hi.', { voice: 'af_bella' })).toEqual(official);
    }
    expect(existsSync(executed)).toBe(false);
    for (const name of ['hostile', 'af_bella']) {
      expect(warnings().filter((line) => line.includes(`${name}.pt`))).toHaveLength(1);
    }
  });
});
