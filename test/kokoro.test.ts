import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasInt8DotProduct } from '../src/ort/device.ts';
import { hasEspeak } from '../src/text/espeak/espeak.ts';
import { smallKokoro } from './fixtures/kokoro.ts';
import { hasLexicons, lexiconFolder, lexiconNames } from './fixtures/lexicons.ts';
import { type LocalHub, startLocalHub } from './fixtures/local-hub.ts';
import { endAll, type Say, startSay, until } from './fixtures/service.ts';
import { shareCompiledModels } from './fixtures/shared-models.ts';

/** True architecture, random weights: no language, but plausible lengths and the right order. */
const checkpoint = smallKokoro;

let hub: LocalHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startLocalHub();
  dataDir = await mkdtemp(join(tmpdir(), 'kokoro-'));
  shareCompiledModels(dataDir);
});
afterEach(async () => {
  await endAll();
  await hub.close();
  await rm(dataDir, { recursive: true, force: true });
});

const speech = (say: Say, input: string, fields: object = {}) =>
  say.post('/v1/audio/speech', { input, response_format: 'pcm', ...fields });

async function samplesOf(response: Response): Promise<Int16Array> {
  expect(response.status).toBe(200);
  return new Int16Array(await response.arrayBuffer());
}

async function digest(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

describe('Kokoro', () => {
  it('gives the same bytes for the same request, with times for every word', async () => {
    const say = await startSay({ TTS_MODEL: checkpoint, COMPUTE_TYPE: 'auto' });
    await say.ready();
    const automatic = process.arch === 'x64' && hasInt8DotProduct() ? 'int8' : 'float32';
    expect(await (await say.get('/health')).json()).toMatchObject({ model: 'kokoro', compute_type: automatic });
    const input = 'Hello there. It was 42 degrees, and nobody minded at all!';
    const first = await samplesOf(await speech(say, input));
    expect(first.length / 24_000).toBeGreaterThan(2);
    expect(first.some((sample) => Math.abs(sample) > 1000)).toBe(true);
    expect(await samplesOf(await speech(say, input))).toEqual(first);
    const other = speech(say, 'Somebody else says something else.', { voice: 'bm_george' });
    const beside = speech(say, input, { stream: false, voice: 'af_heart(3)' });
    await samplesOf(await other);
    expect(await samplesOf(await beside)).toEqual(first);
    expect(await samplesOf(await speech(say, input, { voice: 'bf_emma(2)+af_heart(1)' }))).not.toEqual(first);

    const captioned = await say.post('/dev/captioned_speech', { input, response_format: 'pcm' });
    const lines = (await captioned.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const words = lines.flatMap(({ timestamps }) => timestamps ?? []);
    expect(words.map(({ word }) => word).join(' ')).toBe(input);
    let earliest = 0;
    for (const { start_time, end_time } of words) {
      expect(start_time).toBeGreaterThanOrEqual(earliest);
      expect(end_time).toBeGreaterThan(start_time);
      earliest = end_time;
    }
    expect(earliest).toBeLessThanOrEqual(first.length / 24_000);

    const slow = await samplesOf(await speech(say, input, { speed: 0.5 }));
    expect(slow.length / first.length).toBeGreaterThan(1.4);

    expect((await say.post('/dev/unload', {})).status).toBe(200);
    await until(() => say.engines().length === 0, 'the engine has ended');
    expect(await samplesOf(await speech(say, input))).toEqual(first);
    await say.stop();
  });

  it.skipIf(!hasEspeak())('speaks the language of the voice, or the requested one', async () => {
    const say = await startSay({ TTS_MODEL: checkpoint });
    await say.ready();
    const voices = (await (await say.get('/v1/audio/voices?legacy=true')).json()) as string[];
    expect(voices).toEqual(expect.arrayContaining(['ef_dora', 'ff_siwis', 'hf_alpha', 'if_sara', 'pm_alex']));

    const input = '«¿Ya?», dijo. Son 2 euros, Sr. López.';
    const captioned = await say.post('/dev/captioned_speech', { input, voice: 'ef_dora', response_format: 'pcm' });
    expect(captioned.status).toBe(200);
    const words = (await captioned.text())
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).timestamps ?? []);
    expect(words.map(({ word }) => word).join(' ')).toBe(input);

    const spanish = await samplesOf(await speech(say, 'Gente.', { voice: 'ef_dora' }));
    const french = await samplesOf(await speech(say, 'Gente.', { voice: 'ef_dora', lang_code: 'fr-FR' }));
    expect(french).not.toEqual(spanish);

    for (const [language, text, phonemes] of [
      ['es-419', 'Gente.', 'xˈɛnte.'],
      ['f', 'Quoi ?', 'kwˈa?'],
      ['hi', 'नमस्ते।', 'nəmˈʌsteː.'],
      ['it', 'Ciao!', 'ʧˈao!'],
      ['pt-BR', 'Não.', 'nˈɐ̃ʊ̃.'],
    ]) {
      const answer = await say.post('/dev/phonemize', { text, language });
      expect(await answer.json()).toEqual({ phonemes, tokens: [] });
    }
    await say.stop();
  });

  it('speaks in floats on a CPU without dot products', async () => {
    const say = await startSay({ TTS_MODEL: checkpoint, INT8_DOT_PRODUCT: 'false' });
    await say.ready();
    expect(await (await say.get('/health')).json()).toMatchObject({ compute_type: 'float32' });
    const samples = await samplesOf(await speech(say, 'Hello there.'));
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true);
    await say.stop();
  });

  it('speaks in int8 on request, and reports it', async () => {
    const say = await startSay({ TTS_MODEL: checkpoint, COMPUTE_TYPE: 'int8' });
    await say.ready();
    expect(await (await say.get('/health')).json()).toMatchObject({ model: 'kokoro', compute_type: 'int8' });
    const samples = await samplesOf(await speech(say, 'Hello there.'));
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true);
    await say.stop();
  });

  it('answers a sentence while it speaks a book', async () => {
    const say = await startSay({ TTS_MODEL: checkpoint, THREADS: '1' });
    await say.ready();
    const book = await speech(say, 'Nobody on the platform minded that the train was late again. '.repeat(1000));
    const reader = book.body!.getReader();
    let read = (await reader.read()).value!.length;
    let finished = false;
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value.length;
      finished = true;
    })();
    const before = read;
    await samplesOf(await speech(say, 'Hi there.'));
    expect(finished).toBe(false);
    await until(() => read > before, 'the book goes on');
    await reader.cancel();
    await reading;
    await say.stop();
  });

  it('gives the same bytes with several workers', async () => {
    const input = `Nobody minded, and the train was late again. Why? ${'Well, it was snowing all night. '.repeat(8)}`;
    const answers: string[][] = [];
    for (const count of ['1', '3']) {
      // The same threads for each chunk: results differ slightly with another number.
      const say = await startSay({ TTS_MODEL: checkpoint, THREADS: count, WORKERS: count });
      await say.ready();
      const captioned = await say.post('/dev/captioned_speech', { input, response_format: 'pcm' });
      const together = [input, 'Somebody else.', input].map(async (text) => digest(await speech(say, text)));
      answers.push([await digest(captioned), ...(await Promise.all(together))]);
      await say.stop();
    }
    const [one, three] = answers;
    expect(three).toEqual(one);
    expect(three![3]).toBe(three![1]);
  });

  it('is downloaded when named, and the default from then on', async () => {
    const content = (name: string) => ({ content: readFileSync(join(checkpoint, name)) });
    hub.put('hexgrad/Kokoro-82M', {
      'config.json': content('config.json'),
      'kokoro-v1_0.pth': { ...content('kokoro-v1_0.pth'), lfs: true },
      'samples/HEARME.wav': { content: 'not needed' },
    });
    const env = { HF_ENDPOINT: hub.endpoint, MISAKI_ENDPOINT: hub.endpoint, DATA_DIR: dataDir };
    const named = await startSay({ ...env, TTS_MODEL: 'kokoro' });
    await named.ready();
    await samplesOf(await speech(named, 'Hi.'));
    await named.stop();
    const fetched = hub.requests.filter(({ url }) => url.includes('/resolve/')).map(({ url }) => url.split('/').at(-1));
    expect(fetched).toEqual(['config.json', 'kokoro-v1_0.pth']);
    expect(named.log.join('\n')).toMatch(/"level":40.*The lexicons of misaki are missing: .*no file us_gold\.json/);

    for (const name of hasLexicons ? lexiconNames : []) {
      symlinkSync(join(lexiconFolder, name), join(dataDir, 'models', 'misaki', name));
    }
    const again = await startSay(env);
    await again.ready();
    expect(await (await again.get('/health')).json()).toMatchObject({ model: 'kokoro' });
    expect(again.log.join('\n')).toContain('Model: kokoro (the best one on this machine)');
    expect(again.log.join('\n')).not.toContain('misaki');
    const phonemes = await (await again.post('/dev/phonemize', { text: 'Gnocchi.' })).json();
    expect(phonemes).toMatchObject({ phonemes: hasLexicons ? 'njˈɑki.' : 'nˈOki.' });
    await again.stop();
  });

  it('fails to load foreign weights, and says why', async () => {
    const damaged = join(dataDir, 'damaged');
    await cp(checkpoint, damaged, { recursive: true });
    await writeFile(join(damaged, 'kokoro-v1_0.pth'), 'no zip');
    const say = await startSay({ TTS_MODEL: damaged });
    await until(async () => (await say.get('/health')).status === 503, 'the model has failed');
    expect(((await (await say.get('/health')).json()) as { error: string }).error).toMatch(
      /kokoro-v1_0\.pth|checkpoint/i,
    );
    expect((await say.exited).code).toBe(1);
  });
});
