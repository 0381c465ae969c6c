import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openaiClient } from '../../../test/fixtures/openai.ts';
import { perTest } from '../../../test/fixtures/per-test.ts';
import {
  type FormPart,
  multipart,
  recording,
  segment,
  type TestApp,
  transcriptionApp,
} from '../../../test/fixtures/transcription-app.ts';
import type { TranscriptionEvent } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { diarizedTranscript, verboseTranscript } from '../transcript/response.ts';

const RATE = 16_000;
const spoken: TranscriptionEvent[] = [
  { type: 'segment', segment: segment(' Who is it? Me.', 0, 2) },
  { type: 'segment', segment: segment(' Come in.', 2.5, 3.5) },
];
const turns: TranscriptionEvent = {
  type: 'turns',
  turns: [
    { start: 0, end: 1.5 * RATE, speaker: 0 },
    { start: 1.5 * RATE, end: 2.2 * RATE, speaker: 1 },
    { start: 2.4 * RATE, end: 4 * RATE, speaker: 0 },
  ],
};
const end: TranscriptionEvent = { type: 'end', language: 'en', languages: ['en'], duration: 4, missed: 0 };
const text = 'Who is it? Me. Come in.';
const usage = { type: 'duration', seconds: 4 };
const lastUsage = { type: 'tokens', input_tokens: 200, output_tokens: 6, total_tokens: 206, seconds: 4 };
const segments = [
  { type: 'transcript.text.segment', id: 'seg_0', start: 0, end: 1.5, speaker: 'A', text: ' Who is it?' },
  { type: 'transcript.text.segment', id: 'seg_1', start: 1.5, end: 2, speaker: 'B', text: ' Me.' },
  { type: 'transcript.text.segment', id: 'seg_2', start: 2.5, end: 3.5, speaker: 'A', text: ' Come in.' },
];
const diarized = { task: 'transcribe', duration: 4, text, segments, usage };

/** A service whose engine tells two speakers apart, if the job asks for it. */
const start = perTest(async (...config: Parameters<typeof transcriptionApp>) => {
  const t = await transcriptionApp(...config);
  t.models.run = async function* ({ speakers }) {
    yield* spoken;
    if (speakers) yield turns;
    yield end;
  };
  return t;
});

const post = ({ app }: TestApp, parts: FormPart[], url = '/v1/audio/transcriptions') =>
  app.inject({ method: 'POST', url, ...multipart([recording, ...parts]) });

const file = () => new File(['audio'], 'a.wav');
const dataUrl = (content: string) => `data:audio/wav;base64,${Buffer.from(content).toString('base64')}`;

describe('response_format=diarized_json', () => {
  it('has segments with speakers for the official library', async () => {
    const t = await start();
    const openai = openaiClient({ url: await t.listen() });
    const answer = await openai.audio.transcriptions.create({
      file: file(),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
    });
    expect(answer).toEqual(diarized);
    expect(diarizedTranscript.strict().parse(answer)).toEqual(answer);
    expect(t.models.jobs[0]!.speakers).toEqual({ model: t.speakerModel.files });
    expect(t.models.jobs[0]).not.toHaveProperty('recording');
  });

  it('streams deltas as they come, then the segments, then the text', async () => {
    const t = await start();
    const openai = openaiClient({ url: await t.listen() });
    const stream = await openai.audio.transcriptions.create({
      file: file(),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      stream: true,
    });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'Who is it? Me.' },
      { type: 'transcript.text.delta', delta: ' Come in.' },
      ...segments,
      { type: 'transcript.text.done', text, languages: [{ code: 'en' }], usage: lastUsage },
    ]);
  });

  it('has the speakers of a translation', async () => {
    const t = await start();
    const { statusCode, body } = await post(t, [['response_format', 'diarized_json']], '/v1/audio/translations');
    expect([statusCode, JSON.parse(body)]).toEqual([200, { ...diarized, task: 'translate' }]);
  });

  it('is the answer of a background job, whose worker finds the model', async () => {
    const t = await start();
    await t.startJobs();
    const known: FormPart[] = [
      ['known_speaker_names[]', 'Ann'],
      ['known_speaker_references[]', dataUrl('voice')],
    ];
    const url = '/v1/audio/transcriptions?background=true';
    const created = await post(t, [['response_format', 'diarized_json'], ...known], url);
    expect(created.statusCode).toBe(202);
    const { id } = created.json();
    await expect
      .poll(async () => (await t.app.inject(`/v1/jobs/${id}`)).json(), { timeout: 5000 })
      .toMatchObject({ status: 'succeeded' });
    const bytes = Buffer.byteLength('not really audio');
    expect(t.models.jobs[0]).toMatchObject({
      recording: { start: 0, end: bytes },
      speakers: { known: [{ name: 'Ann', recording: { start: bytes, end: bytes + 5 } }], model: t.speakerModel.files },
    });
    expect(t.models.uploads[0]!.toString()).toBe('not really audiovoice');
    expect((await t.app.inject(`/v1/jobs/${id}`)).json().response.body).toEqual(diarized);
  });

  it('is plain text for clients that ask the model for json', async () => {
    const t = await start();
    const answer = await post(t, [['model', 'gpt-4o-transcribe-diarize']]);
    expect(answer.json()).toEqual({ text });
    expect(t.models.jobs[0]).not.toHaveProperty('speakers');
  });
});

describe('speakers=true', () => {
  const asking: FormPart = ['speakers', 'true'];

  it('names them in the segments of verbose_json', async () => {
    const t = await start();
    const answer = (await post(t, [asking, ['response_format', 'verbose_json']])).json();
    expect(verboseTranscript.parse(answer)).toEqual(answer);
    expect(answer.segments.map(({ id, speaker, text }: Record<string, unknown>) => [id, speaker, text])).toEqual([
      [0, 'A', ' Who is it?'],
      [1, 'B', ' Me.'],
      [2, 'A', ' Come in.'],
    ]);
    const stream = await post(t, [asking, ['response_format', 'verbose_json'], ['stream', 'true']]);
    const events = stream.body
      .split('\n\n')
      .filter(Boolean)
      .map((event) => JSON.parse(event.slice(6)));
    expect(events.map(({ type }) => type.split('.').at(-1))).toEqual([
      ...['delta', 'delta', 'segment', 'segment', 'segment', 'done'],
    ]);
    expect(events.at(-1)).toMatchObject({ text, segments: answer.segments });
  });

  it('names them in text and subtitles', async () => {
    const t = await start();
    const body = async (format: string) => (await post(t, [asking, ['response_format', format]])).body;
    expect(await body('text')).toBe('A: Who is it?\n\nB: Me.\n\nA: Come in.\n');
    expect(await body('srt')).toContain('\nA: Who is it?\n\n2\n');
    expect(await body('vtt')).toContain('\n<v B>Me.\n');
  });

  it('needs a format that can have them', async () => {
    const t = await start();
    const refused = await post(t, [asking]);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatchObject({ param: 'speakers', message: expect.stringMatching(/diarized_json/) });
    const stream = await post(t, [asking, ['stream', 'true']]);
    expect(stream.body.match(/transcript\.text\.segment/g)).toHaveLength(3);
    expect((await post(t, [['speakers', 'false']])).json()).toEqual({ text });
  });

  it('takes their number', async () => {
    const t = await start();
    await post(t, [asking, ['response_format', 'vtt'], ['speaker_count', '3']]);
    expect(t.models.jobs[0]!.speakers).toMatchObject({ count: 3 });
    for (const wrong of ['0', '1.5', 'many', '101']) {
      const refused = await post(t, [asking, ['response_format', 'vtt'], ['speaker_count', wrong]]);
      expect([wrong, refused.statusCode, refused.json().error.param]).toEqual([wrong, 400, 'speaker_count']);
    }
  });
});

describe('known speakers', () => {
  const format: FormPart = ['response_format', 'diarized_json'];
  const name = (text: string): FormPart => ['known_speaker_names[]', text];
  const voice = (text: string): FormPart => ['known_speaker_references[]', text];

  it('reach the engine after the recording, from the official library', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield* spoken;
      const named = (turns as Extract<TranscriptionEvent, { type: 'turns' }>).turns;
      yield { type: 'turns', turns: named.map((turn) => ({ ...turn, speaker: turn.speaker === 1 ? -2 : 0 })) };
      yield end;
    };
    const openai = openaiClient({ url: await t.listen() });
    const answer = await openai.audio.transcriptions.create({
      file: file(),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      known_speaker_names: ['Smith, John', 'Zoë'],
      known_speaker_references: [dataUrl('john'), dataUrl('zoe')],
    });
    expect(t.models.uploads[0]!.toString()).toBe('audiojohnzoe');
    expect(t.models.jobs[0]).toMatchObject({
      recording: { start: 0, end: 5 },
      speakers: {
        known: [
          { name: 'Smith, John', recording: { start: 5, end: 9 } },
          { name: 'Zoë', recording: { start: 9, end: 12 } },
        ],
      },
    });
    const { segments } = diarizedTranscript.parse(answer);
    expect(segments.map(({ speaker }) => speaker)).toEqual(['A', 'Zoë', 'A']);
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it('have their names in one line', async () => {
    const t = await start();
    const parts = [format, name(' Ann\r\n\u0007 Smith\n\n00:00 --> 00:01 '), voice(dataUrl('ann'))];
    expect((await post(t, parts)).statusCode).toBe(200);
    expect(t.models.jobs[0]!.speakers!.known).toMatchObject([{ name: 'Ann Smith 00:00 --> 00:01' }]);
  });

  it('come in every spelling of a list, and in JSON', async () => {
    const t = await start();
    const spellings: FormPart[][] = [
      [name('Ann'), voice(dataUrl('ann')), name('Bob'), voice(dataUrl('bob'))],
      [
        ['known_speaker_references[0]', dataUrl('ann')],
        ['known_speaker_references[1]', dataUrl('bob')],
        ['known_speaker_names', '["Ann","Bob"]'],
      ],
      // Without the head of a data URL, and in lines.
      [
        name('Ann'),
        name('Bob'),
        ['known_speaker_references', Buffer.from('ann').toString('base64')],
        voice('Ym\r\n9i\n'),
        voice(''),
      ],
    ];
    for (const spelling of spellings) expect((await post(t, [format, ...spelling])).statusCode).toBe(200);
    const json = {
      input_audio: { data: Buffer.from('not really audio').toString('base64') },
      response_format: 'diarized_json',
      known_speaker_names: ['Ann', 'Bob'],
      known_speaker_references: [dataUrl('ann'), dataUrl('bob')],
    };
    const answer = await t.app.inject({ method: 'POST', url: '/v1/audio/transcriptions', payload: json });
    expect(answer.statusCode).toBe(200);
    expect(t.models.uploads.map(String)).toEqual(Array(4).fill('not really audioannbob'));
    for (const { speakers } of t.models.jobs) expect(speakers!.known!.map((each) => each.name)).toEqual(['Ann', 'Bob']);
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it.each<[string, FormPart[], string, RegExp]>([
    ['a name without a voice', [name('Ann')], 'known_speaker_references[]', /1 and 0/],
    ['a voice without a name', [voice(dataUrl('ann'))], 'known_speaker_names[]', /0 and 1/],
    ['five names', Array(5).fill(name('Ann')), 'known_speaker_names[]', /at most 4/],
    ['five voices', Array(5).fill(voice(dataUrl('ann'))), 'known_speaker_references[]', /at most 4/],
    ['a long name', [name('a'.repeat(101)), voice(dataUrl('ann'))], 'known_speaker_names[]', /100 characters/],
    ['a URL', [name('Ann'), voice('https://example.com/ann.wav')], 'known_speaker_references[]', /data URL/],
    [
      'a file',
      [name('Ann'), ['known_speaker_references[]', Buffer.alloc(1000, 7), 'a.wav']],
      'known_speaker_references[]',
      /data URL/,
    ],
    [
      'padding in the middle',
      [name('Ann'), voice(`data:;base64,YQ==${'A'.repeat(1000)}`)],
      'known_speaker_references[]',
      /data URL/,
    ],
    ['a voice of 9 MB', [name('Ann'), voice('A'.repeat(9_000_000))], 'known_speaker_references[]', /8 MiB/],
  ])('refuses %s with 400, and leaves nothing', async (_, parts, param, message) => {
    const t = await start();
    const refused = await post(t, [format, ...parts]);
    expect([refused.statusCode, refused.json().error.param]).toEqual([400, param]);
    expect(refused.json().error.message).toMatch(message);
    expect(t.models.jobs).toEqual([]);
    expect(await readdir(t.uploadDir)).toEqual([]);
    expect(t.uploads.bytes).toBe(0);
    // The next request is served.
    expect((await post(t, [format])).statusCode).toBe(200);
  });

  it.each<unknown>(['no Base64!', 7, { url: 'a' }])('refuses %j in JSON with 400, and leaves nothing', async (item) => {
    const t = await start();
    const payload = {
      input_audio: { data: Buffer.from('audio').toString('base64') },
      response_format: 'diarized_json',
      known_speaker_names: ['Ann', 'Bob'],
      known_speaker_references: [dataUrl('ann'), item],
    };
    const refused = await t.app.inject({ method: 'POST', url: '/v1/audio/transcriptions', payload });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.param).toBe('known_speaker_references[]');
    expect(await readdir(t.uploadDir)).toEqual([]);
  });

  it('are ignored if speakers are not requested', async () => {
    const t = await start();
    expect((await post(t, [name('Ann')])).json()).toEqual({ text });
    expect(t.models.uploads.map(String)).toEqual(['not really audio']);
  });
});

describe('without a speaker model', () => {
  it('refuses with advice', async () => {
    const t = await start();
    t.speakerModel.files = undefined;
    const format = await post(t, [['response_format', 'diarized_json']]);
    expect([format.statusCode, format.json().error.param]).toEqual([400, 'response_format']);
    expect(format.json().error.message).toBe(
      'There is no speaker model: run hearsay fetch campplus (npm run fetch -- campplus), or set SPEAKER_MODEL.',
    );
    const field = await post(t, [
      ['speakers', 'true'],
      ['response_format', 'srt'],
    ]);
    expect([field.statusCode, field.json().error.param]).toEqual([400, 'speakers']);
    expect(t.models.jobs).toEqual([]);
    expect((await post(t, [])).statusCode).toBe(200);
    expect((await t.app.inject('/metrics')).body).toContain('\nhearsay_speaker_model 0\n');
  });

  it('answers 503 while the model is unavailable, and tries again', async () => {
    const t = await start();
    t.speakerModel.fail = new HearsayError('model_load_failed', 'The hub cannot be reached.');
    const format: FormPart[] = [['response_format', 'diarized_json']];
    const failed = await post(t, format);
    expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '10']);
    expect(failed.json().detail).toMatchObject({ error: 'model_unavailable', message: 'The hub cannot be reached.' });
    delete t.speakerModel.fail;
    expect((await post(t, format)).statusCode).toBe(200);
    expect((await t.app.inject('/metrics')).body).toContain('\nhearsay_speaker_model 1\n');
  });
});
