import { describe, expect, it } from 'vitest';
import { openaiClient } from '../../../test/fixtures/openai.ts';
import { perTest } from '../../../test/fixtures/per-test.ts';
import {
  type FormPart,
  multilingual,
  multipart,
  recording,
  segment,
  type TestApp,
  transcriptionApp,
} from '../../../test/fixtures/transcription-app.ts';
import type { TokenLogprob, TranscriptionEvent } from '../../contracts/transcription.ts';

const start = perTest(transcriptionApp);

const post = ({ app }: TestApp, ...parts: FormPart[]) =>
  app.inject({ method: 'POST', url: '/v1/audio/transcriptions', ...multipart([recording, ...parts]) });

const file = () => new File(['audio'], 'a.wav');
const text = 'And so, my fellow Americans. Ask not.';
const usage = { type: 'duration', seconds: 4 };
const lastUsage = { type: 'tokens', input_tokens: 200, output_tokens: 6, total_tokens: 206, seconds: 4 };
const token = (word: string, logprob: number): TokenLogprob => ({
  token: word,
  bytes: [...Buffer.from(word)],
  logprob,
});

const tokens: TranscriptionEvent[] = [
  { type: 'segment', segment: { ...segment(' Grüß', 0, 1), logprobs: [token(' Gr', -0.5), token('üß', -0.25)] } },
  { type: 'segment', segment: { ...segment(' Gott.', 1, 2), logprobs: [token(' Gott', -0.125), token('.', 0)] } },
  { type: 'end', language: 'de', languages: ['de', 'en'], duration: 4, missed: 0 },
];

describe('a transcription with the fields of late 2026', () => {
  it('takes them from the official library, and answers with languages and usage', async () => {
    const t = await start({ defaultLanguage: 'fr' });
    const openai = openaiClient({ url: await t.listen() });
    const answer = await openai.audio.transcriptions.create({
      file: file(),
      model: 'gpt-transcribe',
      languages: ['de', 'en-GB'],
      keywords: ['Hearsay', 'Smith, John'],
      chunking_strategy: { type: 'server_vad', threshold: 0.4, prefix_padding_ms: 200, silence_duration_ms: 700 },
    });
    expect(answer).toEqual({ text, languages: [{ code: 'en' }], usage });
    expect(t.models.jobs[0]).toMatchObject({
      languages: ['de', 'en'],
      keywords: ['Hearsay', 'Smith, John'],
      voiceActivity: { threshold: 0.4, prefixPadding: 0.2, silence: 0.7 },
    });
    expect(t.models.jobs[0]).not.toHaveProperty('language');
    expect(t.models.jobs[0]).not.toHaveProperty('logprobs');
  });

  it('has only its text as json without them, as in the contract', async () => {
    const t = await start();
    const openai = openaiClient({ url: await t.listen() });
    expect(await openai.audio.transcriptions.create({ file: file(), model: 'gpt-4o-transcribe' })).toEqual({ text });
  });

  it('has tokens if they are included', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield* tokens;
    };
    const openai = openaiClient({ url: await t.listen() });
    const request = { file: file(), model: 'gpt-4o-transcribe', include: ['logprobs'] } as const;
    const answer = await openai.audio.transcriptions.create({ ...request, include: ['logprobs'] });
    const logprobs = [token('Gr', -0.5), token('üß', -0.25), token(' Gott', -0.125), token('.', 0)];
    expect(answer).toEqual({ text: 'Grüß Gott.', languages: [{ code: 'de' }, { code: 'en' }], logprobs, usage });
    expect(t.models.jobs[0]).toMatchObject({ logprobs: true });

    const events: unknown[] = [];
    const stream = await openai.audio.transcriptions.create({ ...request, include: ['logprobs'], stream: true });
    for await (const event of stream) events.push(event);
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'Grüß', logprobs: logprobs.slice(0, 2) },
      { type: 'transcript.text.delta', delta: ' Gott.', logprobs: logprobs.slice(2) },
      { type: 'transcript.text.done', ...answer, usage: lastUsage },
    ]);
  });

  it('detects the language if it is auto, whatever the default is', async () => {
    const t = await start({ defaultLanguage: 'fr' });
    for (const language of ['auto', 'Auto', 'null', '']) await post(t, ['language', language]);
    expect(t.models.jobs.map(({ language }) => language)).toEqual([undefined, undefined, 'fr', 'fr']);
  });

  it('prefers the language to the languages', async () => {
    const t = await start();
    await post(t, ['language', 'de'], ['languages[]', 'en'], ['languages[]', 'fr']);
    expect(t.models.jobs[0]).toMatchObject({ language: 'de' });
    expect(t.models.jobs[0]).not.toHaveProperty('languages');
  });

  it('needs a language that the model knows', async () => {
    const t = await start();
    expect((await post(t, ['languages', 'ja,en'])).statusCode).toBe(200);
    t.models.info = { ...multilingual, model: 'moonshine-tiny', languages: ['en'] };
    const refused = await post(t, ['languages[]', 'ja'], ['languages[]', 'de']);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatchObject({ param: 'languages[]' });
    expect(refused.json().detail).toMatch(/moonshine-tiny knows none of ja, de/);
  });

  it('takes a chunking strategy in every spelling', async () => {
    const t = await start();
    const spellings: FormPart[][] = [
      [['chunking_strategy', 'auto']],
      [['chunking_strategy[type]', 'auto']],
      [['chunking_strategy', '{"type":"server_vad","threshold":0.7}']],
      [
        ['chunking_strategy[threshold]', '0.7'],
        ['chunking_strategy[type]', 'server_vad'],
      ],
      [['chunking_strategy[type]', 'server_vad']],
    ];
    for (const parts of spellings)
      expect((await post(t, ...parts)).json()).toEqual({ text, languages: [{ code: 'en' }], usage });
    expect(t.models.jobs.map(({ voiceActivity }) => voiceActivity)).toEqual([
      undefined,
      undefined,
      { threshold: 0.7 },
      { threshold: 0.7 },
      {},
    ]);
  });

  it('reads fields that come with a file name, as from requests.post(files={…})', async () => {
    const t = await start();
    const named: FormPart[] = [
      ['response_format', 'text', 'response_format'],
      ['language', 'de', 'blob'],
      ['keywords[0]', 'Hearsay', 'blob'],
      ['chunking_strategy[type]', 'server_vad', ''],
    ];
    expect((await post(t, ...named)).body).toBe(`${text}\n`);
    expect(t.models.jobs[0]).toMatchObject({ language: 'de', keywords: ['Hearsay'], voiceActivity: {} });
    const refused = await post(t, ['response_format', 'mp3', 'response_format']);
    expect(refused.json().error).toMatchObject({ code: 400, param: 'response_format' });
  });

  it('ignores further files, and the voices of speakers that it does not look for', async () => {
    const t = await start();
    const further: FormPart[] = [
      ['file', Buffer.alloc(300_000), 'b.wav'],
      ['known_speaker_names[]', 'Ada'],
      ['known_speaker_references[]', 'x', 'ada.wav'],
    ];
    expect((await post(t, ...further)).json()).toEqual({ text });
    expect(t.models.uploads[0]?.toString()).toBe('not really audio');
  });

  it.each([
    [['include[]', 'segments'], 'include[] must be logprobs', 'include[]'],
    [['include', `${'['.repeat(1e5)}${']'.repeat(1e5)}`], 'include[] must be logprobs', 'include[]'],
    [
      ['chunking_strategy', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
      'chunking_strategy must be auto, or an object with the type server_vad',
      'chunking_strategy',
    ],
    [['languages[]', 'klingon'], 'Unsupported language: klingon', 'languages[]'],
    [['languages[]', 'auto'], 'Unsupported language: auto', 'languages[]'],
    [['keywords[]', 'k'.repeat(101)], 'keywords[] may have at most 100 characters each', 'keywords[]'],
    [['keywords', JSON.stringify(Array(501).fill('k'))], 'keywords[] may have at most 500 items', 'keywords[]'],
    [
      ['chunking_strategy', 'semantic_vad'],
      'chunking_strategy must be auto, or an object with the type server_vad',
      'chunking_strategy',
    ],
    [
      ['chunking_strategy[threshold]', '0.5'],
      'chunking_strategy must be auto, or an object with the type server_vad',
      'chunking_strategy',
    ],
    [
      ['chunking_strategy', '{"type":"server_vad","threshold":1.5}'],
      'chunking_strategy[threshold] must be a number from 0 to 1',
      'chunking_strategy[threshold]',
    ],
    [
      ['chunking_strategy', '{"type":"server_vad","silence_duration_ms":"long"}'],
      'chunking_strategy[silence_duration_ms] must be a number from 100 to 10000',
      'chunking_strategy[silence_duration_ms]',
    ],
    [['response_format', 'spoken_json'], 'Unsupported response_format', 'response_format'],
  ] as [FormPart, string, string][])('rejects %j', async (field, message, param) => {
    const response = await post(await start(), field);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toEqual({ message, type: 'invalid_request_error', code: 400, param });
  });
});
