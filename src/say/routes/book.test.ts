import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import {
  audio,
  builtIn,
  spoken,
  spokenBytes,
  synthesisApp,
  type TestApp,
} from '../../../test/fixtures/synthesis-app.ts';
import { MAX_CHAPTERS, MAX_COVER_BYTES } from './book-request.ts';

const startApp = perTest(synthesisApp);
async function start(): Promise<TestApp> {
  const app = await startApp();
  app.models.info = { ...builtIn, model: 'kokoro', languages: ['a', 'b', 'f'] };
  return app;
}

const path = '/v1/audio/book';
const captioned = '/dev/captioned_book';
const chapters = [
  { title: 'One', input: 'Hello.' },
  { title: 'Two', input: 'Hi.' },
];
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)]);
const weight = 1;

describe('POST /v1/audio/book', () => {
  it('speaks each chapter with its own settings, else those of the book', async () => {
    const t = await start();
    const response = await t.post(path, {
      title: 'A  book\n',
      author: 'Some One',
      voice: 'am_adam',
      speed: 1.25,
      volume_multiplier: 2,
      chapters: [
        { title: ' One\u0000\u0007 of\ttwo ', input: 'Hello. [pause:1s]', pause_after: '2.5' },
        {
          title: 'Two \ud800',
          input: 'Bonjour.',
          voice: { id: 'bf_emma' },
          lang_code: 'fr',
          speed: 0.5,
          pause_after: '',
        },
      ],
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['content-type']).toBe('audio/mp4');
    expect(response.headers['content-disposition']).toBe('attachment; filename=speech.m4b');
    expect(response.body).toBe(spokenBytes);
    const passages = [
      {
        ...{ text: 'Hello. [pause:1s]', voice: [{ name: 'am_adam', weight }], language: 'a' },
        ...{ speed: 1.25, volume: 2, pauseAfter: 2.5, chapter: 0 },
      },
      {
        ...{ text: 'Bonjour.', voice: [{ name: 'bf_emma', weight }], language: 'f' },
        ...{ speed: 0.5, volume: 2, pauseAfter: 0, chapter: 1 },
      },
    ];
    expect(t.models.jobs).toMatchObject([
      {
        ...{ kind: 'speech', input: { passages, param: 'chapters' }, format: 'm4b', captions: false },
        book: { title: 'A book', author: 'Some One', chapters: ['One of two', 'Two \ufffd'] },
      },
    ]);
  });

  it('names the input of its only chapter in errors of the engine, and the list of several', async () => {
    const t = await start();
    const chapter = { title: 'One', input: 'Hello.' };
    await t.post(path, { chapters: [chapter] });
    await t.post(path, { chapters: [chapter, chapter] });
    expect(t.models.jobs).toMatchObject([{ input: { param: 'chapters[0].input' } }, { input: { param: 'chapters' } }]);
  });

  it('reads every chapter as a document if the input is SSML', async () => {
    const t = await start();
    const documents = [
      { title: 'One', input: '<speak>Hello. <voice name="am_adam">Hi.</voice></speak>', pause_after: 1 },
      { title: 'Two', input: '<speak xml:lang="fr">Bonjour.</speak>' },
    ];
    expect((await t.post(path, { chapters: documents, input_type: 'ssml' })).statusCode).toBe(200);
    const [job] = t.models.jobs as { input: { passages: object[] } }[];
    expect(job!.input.passages).toMatchObject([
      { chapter: 0 },
      { chapter: 0, pauseAfter: 1, voice: [{ name: 'am_adam', weight }] },
      { chapter: 1, language: 'f' },
    ]);
  });

  it.each([
    ['a PNG', png, png.toString('base64')],
    ['a JPEG', jpeg, jpeg.toString('base64url')],
    ['a data URL', jpeg, `data:image/jpeg;base64,${jpeg.toString('base64')}`],
    [
      'a cover of full size',
      undefined,
      Buffer.concat([png, Buffer.alloc(MAX_COVER_BYTES - png.length)]).toString('base64'),
    ],
  ])('takes %s as its cover', async (_, bytes, cover) => {
    const t = await start();
    expect((await t.post(path, { chapters, cover })).statusCode).toBe(200);
    if (bytes) expect(t.models.jobs).toMatchObject([{ book: { cover: bytes } }]);
  });

  it('sends any format, a complete body, and a download link in another format', async () => {
    const t = await start();
    for (const response_format of ['mp3', 'opus', 'flac', 'wav', 'pcm', 'aac']) {
      expect((await t.post(path, { chapters, response_format })).headers['content-type']).toBe(
        `audio/${{ mp3: 'mpeg' }[response_format] ?? response_format}`,
      );
    }
    const whole = await t.post(path, { chapters, stream: false, return_download_link: true });
    expect(whole.headers['content-length']).toBe(String(spokenBytes.length));
    expect(whole.headers['x-download-path']).toMatch(/\.m4b$/);
    const file = await t.app.inject(String(whole.headers['x-download-path']));
    expect([file.body, file.headers['content-type']]).toEqual([spokenBytes, 'audio/mp4']);
    const asMp3 = { chapters, response_format: 'mp3', download_format: 'm4b', return_download_link: true };
    expect((await t.post(path, asMp3)).headers['x-download-path']).toMatch(/\.m4b$/);
    expect(t.models.jobs.at(-1)).toMatchObject({ format: 'mp3', downloadFormat: 'm4b' });
  });

  it('sends an event when a chapter starts', async () => {
    const t = await start();
    t.models.run = async function* () {
      yield { type: 'chapter', index: 0, start: 0 };
      yield audio('one');
      yield { type: 'chapter', index: 1, start: 2.5 };
      yield audio('two');
      yield { type: 'end', seconds: 4 };
    };
    const { body } = await t.post(path, { chapters, stream_format: 'sse', model: 'kokoro' });
    const events = body.split('\n\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    expect(events).toMatchObject([
      { type: 'speech.chapter', chapter: 0, start: 0 },
      { type: 'speech.audio.delta', audio: Buffer.from('one').toString('base64') },
      { type: 'speech.chapter', chapter: 1, start: 2.5 },
      { type: 'speech.audio.delta' },
      { type: 'speech.audio.done', usage: { output_tokens: 200 } },
    ]);
  });

  const two = (chapter: unknown) => ({ chapters: [chapters[0], chapter] });
  it.each([
    [{}, 'chapters'],
    [{ chapters: [] }, 'chapters'],
    [{ chapters: 'Hello' }, 'chapters'],
    [two('Hello'), 'chapters[1]'],
    [two(null), 'chapters[1]'],
    [two({ title: 'a' }), 'chapters[1].input'],
    [two({ input: 'a' }), 'chapters[1].title'],
    [two({ title: ' \0', input: 'a' }), 'chapters[1].title'],
    [two({ title: 7, input: 'a' }), 'chapters[1].title'],
    [two({ title: 'x'.repeat(501), input: 'a' }), 'chapters[1].title'],
    [two({ title: 'x'.repeat(100_000), input: 'a' }), 'chapters[1].title'],
    [two({ title: 'a', input: ' ' }), 'chapters[1].input'],
    [two({ title: 'a', input: '' }), 'chapters[1].input'],
    [two({ title: 'a', input: '[pause:61s]' }), 'chapters[1].input'],
    [two({ title: 'a', input: '[a](/♥/)' }), 'chapters[1].input'],
    [two({ title: 'a', input: 'a', voice: 'nobody' }), 'chapters[1].voice'],
    [two({ title: 'a', input: 'a', voice: 'jf_alpha' }), 'chapters[1].voice'],
    [two({ title: 'a', input: 'a', lang_code: 'j' }), 'chapters[1].lang_code'],
    [two({ title: 'a', input: 'a', lang_code: 'de' }), 'chapters[1].lang_code'],
    [two({ title: 'a', input: 'a', speed: 5 }), 'chapters[1].speed'],
    [two({ title: 'a', input: 'a', pause_after: 61 }), 'chapters[1].pause_after'],
    [{ ...two({ title: 'a', input: '<speak>' }), input_type: 'ssml' }, 'chapters[0].input'],
    [{ chapters: [{ title: 'a', input: '<speak><b/></speak>' }], input_type: 'ssml' }, 'chapters[0].input'],
    [{ chapters, voice: 'nobody' }, 'voice'],
    [{ chapters, lang_code: 'j' }, 'lang_code'],
    [{ chapters, speed: 0 }, 'speed'],
    [{ chapters, title: 'x'.repeat(501) }, 'title'],
    [{ chapters, author: {} }, 'author'],
    [{ chapters, response_format: 'midi' }, 'response_format'],
    [{ chapters, cover: 'not base64!' }, 'cover'],
    [{ chapters, cover: Buffer.from('GIF89a').toString('base64') }, 'cover'],
    [{ chapters, cover: 'https://example.com/cover.jpg' }, 'cover'],
    [{ chapters, cover: 7 }, 'cover'],
    [{ chapters, cover: Buffer.concat([png, Buffer.alloc(MAX_COVER_BYTES)]).toString('base64') }, 'cover'],
    [{ chapters: Array(121).fill({ title: 'a', input: '[pause:30s]', pause_after: 30 }) }, 'chapters'],
    [{ chapters: Array(MAX_CHAPTERS + 1).fill({}) }, 'chapters'],
    [{ chapters: Array(3).fill({ title: 'a', input: 'x'.repeat(800) }) }, 'chapters'],
    [{ chapters: Array(5).fill({ title: 'x'.repeat(450), input: 'a' }) }, 'chapters'],
  ])('refuses %.90j, naming the field', async (body, param) => {
    const t = await start();
    for (const url of [path, captioned]) {
      const response = await t.post(url, body);
      expect([response.statusCode, response.json().error.param]).toEqual([400, param]);
      expect(response.body.length).toBeLessThan(1000);
    }
    expect(t.models.jobs).toEqual([]);
    expect(t.gate.active).toBe(0);
  });

  it.each(['', undefined, ' '])('explains the error of the title %j', async (title) => {
    const t = await start();
    const { error } = (await t.post(path, { chapters: [{ title, input: 'a' }] })).json();
    expect(error.message).toMatch(/^chapters\[0\]\.title: must .*not be empty$/);
  });

  it('takes m4b for books only', async () => {
    const t = await start();
    const response = await t.post('/v1/audio/speech', { input: 'Hello.', response_format: 'm4b' });
    expect([response.statusCode, response.json().error.param]).toEqual([400, 'response_format']);
  });
});

describe('POST /dev/captioned_book', () => {
  it.each([true, false])('reports the chapter of each word, stream=%s', async (stream) => {
    const t = await start();
    t.models.run = async function* () {
      for (const [index, event] of spoken.entries())
        yield event.type === 'chunk' ? { ...event, chapter: index } : event;
    };
    const response = await t.post(captioned, { chapters, stream });
    const answers = response.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.flatMap(({ timestamps }) => timestamps)).toEqual([
      { word: 'Hello,', start_time: 0, end_time: 0.3, chapter: 2 },
      { word: 'world.', start_time: 0.3, end_time: 0.75, chapter: 2 },
      { word: '$5', start_time: 1, end_time: 1.5, chapter: 4 },
    ]);
    expect(answers[0]).toMatchObject({ audio_format: 'audio/mp4' });
    expect(t.models.jobs).toMatchObject([{ captions: true, format: 'm4b' }]);
  });
});
