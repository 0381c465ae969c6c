import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import {
  type FormPart,
  multipart,
  segment,
  type TestApp,
  transcriptionApp,
} from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';

const start = perTest(transcriptionApp);

const audio: FormPart = ['audio_file', 'sound', 'audio_file'];
const post = ({ app }: TestApp, url: string, parts: FormPart[] = [audio], headers: Record<string, string> = {}) => {
  const { headers: type, payload } = multipart(parts);
  return app.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } });
};

describe('POST /asr', () => {
  it('takes what Bazarr sends: raw audio, and subtitles back', async () => {
    const t = await start();
    const url = '/asr?task=transcribe&language=de&output=srt&encode=false&video_file=%2Ffilm.mkv';
    const response = await post(t, url);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toMatch(/^1\n00:00:00,000 --> /);
    expect(t.models.jobs[0]).toMatchObject({ task: 'transcribe', language: 'de' });
    const [wav] = t.models.uploads;
    expect(wav!.subarray(0, 4).toString()).toBe('RIFF');
    expect([wav!.readUInt16LE(22), wav!.readUInt32LE(24), wav!.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
    expect(wav!.subarray(44).toString()).toBe('sound');
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it.each([
    ['', /^And so, my fellow Americans\. Ask not\.\n$/],
    ['?output=txt&encode=true', /^And so, my fellow Americans\. Ask not\.\n$/],
    ['?output=vtt', /^WEBVTT\n/],
    ['?output=tsv', /^start\tend\ttext\n0\t2000\tAnd so, my fellow Americans\.\n2500\t3500\tAsk not\.\n$/],
    ['?output=json', /^\{"task":"transcribe","language":"en",.*"segments":\[\{/],
    ['?output=json&word_timestamps=true', /"words":\[\{"word":"And"/],
    ['?output=&language=&task=&encode=&initial_prompt=', /^And so/],
  ])('answers %s', async (query, body) => {
    const t = await start();
    const response = await post(t, `/asr${query}`);
    expect([response.statusCode, response.body]).toEqual([200, expect.stringMatching(body)]);
    expect(t.models.uploads[0]!.toString()).toBe('sound');
  });

  it('translates with a prompt, and uses DEFAULT_LANGUAGE only to transcribe', async () => {
    const t = await start({ defaultLanguage: 'fr' });
    await post(t, '/asr?task=translate&initial_prompt=Kennedy');
    await post(t, '/asr');
    expect(t.models.jobs).toMatchObject([
      { task: 'translate', prompt: 'Kennedy' },
      { task: 'transcribe', language: 'fr' },
    ]);
    expect(t.models.jobs[0]).not.toHaveProperty('language');
    await post(t, '/asr?language=auto');
    expect(t.models.jobs[2]).not.toHaveProperty('language');
  });

  it('takes hotwords as keywords, and leaves out those that are too long or too many', async () => {
    const t = await start();
    await post(t, `/asr?hotwords=${encodeURIComponent(` Speakr, PyAnnote,,\nCTranslate2 ,${'x'.repeat(101)}`)}`);
    await post(t, `/asr?hotwords=${Array.from({ length: 501 }, (_, index) => `w${index}`).join(',')}`);
    await post(t, '/asr?hotwords=');
    const [some, many, none] = t.models.jobs;
    expect(some?.keywords).toEqual(['Speakr', 'PyAnnote', 'CTranslate2']);
    expect([many?.keywords?.length, many?.keywords?.at(-1)]).toEqual([500, 'w499']);
    expect(none).not.toHaveProperty('keywords');
  });

  it('takes JSON, too', async () => {
    const t = await start();
    const json = { audio_file: Buffer.from('sound').toString('base64') };
    const ask = (url: string, payload: object) => t.app.inject({ method: 'POST', url, payload });
    expect((await ask('/asr', json)).statusCode).toBe(200);
    expect((await ask('/asr?encode=false', json)).statusCode).toBe(200);
    expect(t.models.uploads.map((upload) => upload.length)).toEqual([5, 44 + 5]);
    expect((await ask('/asr', { audio_file: '?' })).json().error).toMatchObject({ param: 'audio_file' });
  });

  it('named `file` instead of its own field if a file was not audio', async () => {
    const t = await start();
    // biome-ignore lint/correctness/useYield: fails before its first event
    t.models.run = async function* () {
      throw new HearsayError('invalid_audio', 'This is no audio.', { param: 'file' });
    };
    const response = await post(t, '/asr');
    expect([response.statusCode, response.json().error.param]).toEqual([400, 'audio_file']);
  });

  it.each([
    ['?output=docx', [audio], 'output'],
    ['?task=sing', [audio], 'task'],
    ['?language=klingon', [audio], 'language'],
    ['?encode=perhaps', [audio], 'encode'],
    ['', [['file', 'sound', 'a.wav']], 'audio_file'],
    ['?encode=false', [['audio_file', '', 'a']], 'audio_file'],
  ] as [string, FormPart[], string][])('rejects %s with %j', async (query, parts, param) => {
    const t = await start();
    const response = await post(t, `/asr${query}`, parts);
    expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it('needs the key, and no page of another origin may use it', async () => {
    const t = await start({ apiKey: 'secret' });
    for (const url of ['/asr', '/detect-language']) {
      expect((await post(t, url)).statusCode).toBe(401);
      const authorization = 'Bearer secret';
      expect((await post(t, url, [audio], { authorization })).statusCode).toBe(200);
      const foreign = { authorization, origin: 'https://elsewhere.example' };
      expect((await post(t, url, [audio], foreign)).statusCode).toBe(403);
    }
  });
});

describe('POST /detect-language', () => {
  it('answers with the language and its probability', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'end', language: 'de', languages: ['de'], probability: 0.98765, duration: 4, missed: 0 };
    };
    const response = await post(t, '/detect-language?encode=false');
    expect(response.json()).toEqual({ detected_language: 'german', language_code: 'de', confidence: 0.9877 });
    expect(t.models.jobs[0]).toMatchObject({ detectOnly: true, task: 'transcribe' });
    expect(t.models.uploads[0]!.subarray(0, 4).toString()).toBe('RIFF');
  });

  it('has a confidence of 0 for silence', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'segment', segment: segment(' Hi.', 0, 1) };
      yield { type: 'end', language: 'en', languages: [], duration: 4, missed: 0 };
    };
    expect((await post(t, '/detect-language')).json().confidence).toBe(0);
  });
});
