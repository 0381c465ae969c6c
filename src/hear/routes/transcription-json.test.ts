import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';

const start = perTest(transcriptionApp);

const post = ({ app }: TestApp, payload: string | object, task = 'transcriptions') =>
  app.inject({ method: 'POST', url: `/v1/audio/${task}`, headers: { 'content-type': 'application/json' }, payload });

const base64 = (text: string) => Buffer.from(text).toString('base64');
const data = base64('not really audio');
const text = 'And so, my fellow Americans. Ask not.';

describe('a transcription request in JSON', () => {
  it('may be as Open WebUI sends it', async () => {
    const t = await start();
    const body = { model: 'whisper-1', input_audio: { data, format: 'wav' }, language: 'de', prompt: null };
    expect((await post(t, body)).json()).toEqual({ text });
    expect(t.models.uploads[0]?.toString()).toBe('not really audio');
    expect(t.models.jobs[0]).toMatchObject({ language: 'de', task: 'transcribe' });
    expect(await readdir(t.uploadDir)).toEqual([]);
    expect([t.uploads.count, t.uploads.bytes, t.gate.inside]).toEqual([0, 0, 0]);
    expect((await post(t, body, 'translations')).statusCode).toBe(200);
  });

  it.each([
    ['Base64 in lines', `${data.slice(0, 8)}\r\n${data.slice(8)}\n`],
    ['Base64 for URLs, without its padding', Buffer.from('not really audio').toString('base64url')],
    ['a data URL', `data:audio/wav;codecs=1;base64,${data}`],
  ])('may have its file as %s', async (_name, file) => {
    const t = await start();
    expect((await post(t, { file })).json()).toEqual({ text });
    expect(t.models.uploads[0]?.toString()).toBe('not really audio');
  });

  it.each([{ file: null }, { file: '' }])('may have another empty field for it', async (empty) => {
    const t = await start();
    expect((await post(t, { ...empty, input_audio: { data } })).json()).toEqual({ text });
    expect((await post(t, { file: data, input_audio: null })).json()).toEqual({ text });
  });

  it('gets a 503 if it does not fit among the other uploads', async () => {
    const t = await start();
    const others = t.uploads.open();
    others.receive(100_000_000);
    others.complete();
    const response = await post(t, { file: data });
    expect(response.json()).toMatchObject({ detail: { error: 'queue_full' } });
    expect(t.models.jobs).toEqual([]);
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it('has every field of a form, with lists and objects', async () => {
    const t = await start();
    const response = await post(t, {
      file: data,
      response_format: 'verbose_json',
      temperature: 0.5,
      stream: false,
      timestamp_granularities: ['word'],
      keywords: ['Smith, John', 'null'],
      'languages[]': ['de', null, 'en'],
      chunking_strategy: { type: 'server_vad', threshold: 0.4, silence_duration_ms: null },
      unknown: { x: [] },
    });
    expect(response.json().words).toHaveLength(7);
    expect(t.models.jobs[0]).toMatchObject({
      keywords: ['Smith, John', 'null'],
      languages: ['de', 'en'],
      voiceActivity: { threshold: 0.4 },
    });
  });

  it.each([
    ['no JSON', '{"file":', 'The body is not valid JSON.', null],
    ['nothing', '', 'The body is not valid JSON.', null],
    ['Latin-1', Buffer.from('{"prompt":"Müller"}', 'latin1'), 'The body is not UTF-8, the encoding of JSON.', null],
    ['a list', '[]', 'The body must be a JSON object.', null],
    ['too deep nesting', `{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'The body is nested too deeply.', null],
    ['no recording', { model: 'x' }, 'The request has no file: the field file must hold the recording.', 'file'],
    ['an empty recording', { input_audio: { data: '' } }, 'The file is empty.', 'file'],
    [
      'two recordings',
      { file: data, input_audio: { data } },
      'The request has a recording in file and in input_audio: send one of them.',
      'input_audio',
    ],
    ['a number', { file: 5 }, 'file must hold the recording in Base64.', 'file'],
    [
      'no Base64',
      { input_audio: { data: 'so, this?' } },
      'input_audio must hold the recording in Base64.',
      'input_audio',
    ],
    [
      'half a group',
      { input_audio: { data: `${data.slice(0, 4)}A` } },
      /must hold the recording in Base64/,
      'input_audio',
    ],
    ['a wrong language', { file: data, language: 'klingon' }, 'Unsupported language: klingon', 'language'],
    ['a wrong list', { file: data, include: ['words'] }, /must be logprobs/, 'include[]'],
    ['text in place of a recording', { input_audio: 'so, this?' }, /must hold the recording in Base64/, 'input_audio'],
    ['an object in place of text', { file: data, prompt: { a: 1 } }, 'prompt must be a single value.', 'prompt'],
    ['a list in place of text', { file: data, model: [1] }, 'model must be a single value.', 'model'],
    ['an object in place of a list', { file: data, keywords: { a: 1 } }, /keywords\[\] must be a list/, 'keywords[]'],
  ])('with %s is rejected', async (_name, body, message, param) => {
    const t = await start();
    const response = await post(t, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ param, message: expect.stringMatching(message) });
    expect(await readdir(t.uploadDir)).toEqual([]);
    expect([t.uploads.count, t.uploads.bytes, t.gate.inside]).toEqual([0, 0, 0]);
  });

  it('beyond MAX_UPLOAD_BYTES is too large, and beyond 32 MiB in any case', async () => {
    const small = await start({ maxUploadBytes: 100 });
    const refused = await post(small, { file: 'A'.repeat(200) });
    expect([refused.statusCode, refused.json().detail]).toEqual([413, 'Uploaded file is too large']);
    await small.close();
    const large = await start({ maxUploadBytes: 1e9 });
    const larger = await post(large, `"${'A'.repeat(33 * 1024 * 1024)}"`);
    expect([larger.statusCode, larger.json().detail]).toEqual([413, expect.stringContaining('as a form')]);
    expect((await post(large, { file: 'A'.repeat(24 * 1024 * 1024) })).statusCode).toBe(200);
  });

  it.each([
    ['keywords', 'A form may have at most 1000 fields.'],
    ['unknown', 'A form may have at most 1000 fields.'],
    ['known_speaker_references', 'known_speaker_references[] may have at most 4 items'],
  ])('does not fail for 190,000 items of %s', async (name, message) => {
    const t = await start();
    const body = {
      file: data,
      response_format: 'diarized_json',
      [name]: Array.from({ length: 190_000 }, () => 'YQ=='),
    };
    const response = await post(t, body);
    expect([response.statusCode, response.json().error.message]).toEqual([400, message]);
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it('does not read more text in its fields than a form may have', async () => {
    const t = await start();
    const lists = Array.from({ length: 3 }, () => JSON.stringify(Array(200_000).fill(1)));
    const response = await post(t, { file: data, keywords: lists });
    expect(response.json().error).toMatchObject({
      message: 'The fields of the form are larger than 1 MiB.',
      param: 'keywords[]',
    });
  });
});
