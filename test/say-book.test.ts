import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUT_RATE, speechFormats } from '../src/audio/formats.ts';
import { runBothServices } from './fixtures/both-services.ts';
import { inspectM4b } from './fixtures/m4b.ts';
import { until } from './fixtures/service.ts';
import { readSpeech, wordErrorRate } from './fixtures/speech.ts';

// A book has its own limit.
const services = runBothServices({ MAX_INPUT_CHARACTERS: '100', MAX_BOOK_CHARACTERS: '1000000' });

const texts = [
  'The kettle was still warm when we came back from the garden. Nobody had touched it.',
  'The museum is closed on Mondays and on public holidays.',
  'Please keep the receipt in case you want to return the lamp.',
];
const PAUSE = 1.5;
const chapters = [
  { title: 'The kettle', input: texts[0], pause_after: PAUSE },
  { title: 'Ornament', input: '* * *' },
  { title: 'Das Museum – ♥', input: texts[1], voice: 'am_michael', pause_after: PAUSE },
  { title: 'A lamp', input: texts[2], speed: 1.6, pause_after: PAUSE },
];
const spoken = [0, 2, 3];
// 1 by 1 pixels.
const cover = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const book = { title: 'Three rooms', author: 'Nobody', cover, chapters };

async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(services.folder, name);
  await writeFile(path, bytes);
  return path;
}

interface Captions {
  audio: string;
  timestamps: { word: string; start_time: number; end_time: number; chapter: number }[];
}

async function captioned(body: object): Promise<{ bytes: Buffer; words: Captions['timestamps'] }> {
  const lines = String(await services.spoken('/dev/captioned_book', body))
    .trim()
    .split('\n');
  const answers = lines.map((line): Captions => JSON.parse(line));
  return {
    bytes: Buffer.concat(answers.map(({ audio }) => Buffer.from(audio, 'base64'))),
    words: answers.flatMap(({ timestamps }) => timestamps),
  };
}

describe('a book', () => {
  it('is an audiobook with its chapters, tags and cover, and is understood', async () => {
    const file = await fileOf('book.m4b', await services.spoken('/v1/audio/book', book));
    const { chapters: listed, tags } = await inspectM4b(file);
    expect(listed.map(({ title }) => title)).toEqual(spoken.map((index) => chapters[index]!.title));
    expect(tags).toMatchObject({ title: 'Three rooms', artist: 'Nobody', major_brand: 'M4B ' });
    const response = await services.hear.post({ file, fields: { response_format: 'text' } });
    expect(wordErrorRate(await response.text(), texts.join(' '))).toBeLessThan(0.1);
  });

  it('has the first sound of each chapter and each word where it says', async () => {
    const { bytes, words } = await captioned(book);
    const file = await fileOf('captioned.m4b', bytes);
    const { chapters: listed, rate } = await inspectM4b(file);
    expect(rate).toBe(OUTPUT_RATE);
    const samples = await readSpeech(file, OUTPUT_RATE);
    const isLoud = (sample: number) => Math.abs(sample) > 0.02;
    for (const [index, { start }] of listed.entries()) {
      const [first, ...rest] = words.filter(({ chapter }) => chapter === spoken[index]);
      expect(rest.length).toBeGreaterThan(5);
      // The voice begins with some silence, which the first word's time leaves out.
      expect(first!.start_time).toBeGreaterThanOrEqual(start / rate - 0.001);
      expect(first!.start_time - start / rate).toBeLessThan(0.1);
      const onset = start + samples.subarray(start).findIndex(isLoud);
      expect(Math.abs(onset / OUTPUT_RATE - first!.start_time)).toBeLessThan(0.1);
      if (index === 0) continue;
      // The pause is just before the chapter.
      const pause = samples.subarray(start - PAUSE * OUTPUT_RATE, start);
      expect(pause.findIndex(isLoud)).toBe(-1);
    }
    for (const [at, index] of spoken.entries()) {
      const own = words.filter(({ chapter }) => chapter === index);
      expect(own.map(({ word }) => word).join(' ')).toBe(texts[at]);
    }
    const { start, duration } = listed.at(-1)!;
    expect(samples.length - start - duration).toBeGreaterThanOrEqual(0);
    expect(samples.length - start - duration).toBeLessThan(1024);
  });

  it('is the same streamed, whole, as events and with captions', async () => {
    const streamed = await services.spoken('/v1/audio/book', book);
    expect((await services.spoken('/v1/audio/book', { ...book, stream: false })).equals(streamed)).toBe(true);
    expect((await captioned(book)).bytes.equals(streamed)).toBe(true);
    const body = String(await services.spoken('/v1/audio/book', { ...book, stream_format: 'sse', model: 'kokoro' }));
    const events = body.split('\n\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    const audio = events
      .filter(({ type }) => type === 'speech.audio.delta')
      .map(({ audio }) => Buffer.from(audio, 'base64'));
    expect(Buffer.concat(audio).equals(streamed)).toBe(true);
    const started = events.filter(({ type }) => type === 'speech.chapter');
    expect(started.map(({ chapter }) => chapter)).toEqual(spoken);
    const { chapters: listed, rate } = await inspectM4b(await fileOf('events.m4b', streamed));
    for (const [index, { start }] of started.entries()) expect(start).toBeCloseTo(listed[index]!.start / rate, 4);
  });

  it('has its chapters one after the other in every other format', async () => {
    const pcm = await services.spoken('/v1/audio/book', { ...book, response_format: 'pcm' });
    const seconds = pcm.length / 2 / OUTPUT_RATE;
    const m4b = await fileOf('length.m4b', await services.spoken('/v1/audio/book', book));
    expect(Math.abs((await readSpeech(m4b)).length / 16_000 - seconds)).toBeLessThan(0.1);
    for (const format of speechFormats.filter((each) => each !== 'pcm')) {
      const file = await fileOf(
        `book.${format}`,
        await services.spoken('/v1/audio/book', { ...book, response_format: format }),
      );
      expect(Math.abs((await readSpeech(file)).length / 16_000 - seconds), format).toBeLessThan(0.1);
    }
  });

  it('is kept for download, also as m4b beside mp3', async () => {
    const asMp3 = { ...book, response_format: 'mp3', download_format: 'm4b', return_download_link: true };
    const response = await services.say.post('/v1/audio/book', asMp3);
    await response.arrayBuffer();
    const download = await services.say.get(response.headers.get('x-download-path')!);
    expect(download.headers.get('content-type')).toBe('audio/mp4');
    const kept = Buffer.from(await download.arrayBuffer());
    expect(kept.equals(await services.spoken('/v1/audio/book', book))).toBe(true);
  });
});

describe('a hostile book', () => {
  const many = (count: number, chapter: object) => ({ chapters: Array.from({ length: count }, () => chapter) });
  const png = (bytes: number) =>
    Buffer.concat([Buffer.from(cover, 'base64'), Buffer.alloc(bytes, 'x')]).toString('base64');
  /** A header that claims 100,000 by 100,000 pixels. */
  const bomb = () => {
    const picture = Buffer.from(cover, 'base64');
    picture.writeUInt32BE(100_000, 16);
    picture.writeUInt32BE(100_000, 20);
    return picture.toString('base64');
  };

  it.each<[string, object, number, string?]>([
    ['50,000 chapters', many(50_000, { title: 'a', input: 'b' }), 400, 'chapters'],
    ['100,000 chapters', many(100_000, { title: 'a', input: 'b' }), 400],
    ['chapters that are none', many(10_000, []), 400, 'chapters[0]'],
    ['a title of 1 MB', { chapters: [{ title: 'x'.repeat(1 << 20), input: 'a' }] }, 400, 'chapters[0].title'],
    ['a title of control characters', { chapters: [{ title: '\0\x07\x1b', input: 'a' }] }, 400, 'chapters[0].title'],
    [
      'more characters than a book may have',
      { chapters: [{ title: 'a', input: 'b'.repeat(1_000_000) }] },
      400,
      'chapters',
    ],
    ['a cover of 10 MB', { cover: png(10_000_000), chapters }, 400, 'cover'],
    ['a body over the limit', { title: 'x'.repeat(40_000_000), chapters }, 413],
    ['chapters without a word', many(1000, { title: 'a', input: '* * *' }), 400, 'chapters'],
    ['pauses alone', { chapters: [{ title: 'a', input: '[pause:1s]' }] }, 200],
    ['10,000 chapters', many(10_000, { title: 'a', input: '.' }), 400, 'chapters'],
    [
      'lone surrogates and NULs',
      { title: 'a\0b\ud800', chapters: [{ title: '\udc00\0', input: 'a \ud800 \0 b' }] },
      200,
    ],
    ['a cover that claims to be huge', { cover: bomb(), chapters }, 200],
    ['a cover of 8 MB', { cover: png(8_000_000), chapters }, 200],
  ])('with %s is answered', async (_, body, status, param) => {
    const response = await services.say.post('/v1/audio/book', body);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, bytes.toString('utf8', 0, 200)]).toEqual([status, expect.any(String)]);
    if (param !== undefined) expect(JSON.parse(String(bytes)).error.param).toBe(param);
    if (status === 200) await inspectM4b(await fileOf('hostile.m4b', bytes));
  });

  it('ends with its client and leaves no file', async () => {
    const before = await services.say.tempFiles();
    const long = { ...book, ...many(3000, chapters[0]!) };
    for (const path of ['/v1/audio/book', '/dev/captioned_book']) await services.leave(path, long);
    // Downloads of earlier tests may be there.
    await until(async () => (await services.say.tempFiles()).length === before.length, 'no file is left');
    expect(await services.say.tempFiles()).toEqual(before);
  });
});
