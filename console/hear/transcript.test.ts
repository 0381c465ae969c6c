import { describe, expect, it } from 'vitest';
import type { Segment } from '../../src/contracts/transcription.ts';
import { renderTranscript, responseFormats, type VerboseTranscript } from '../../src/hear/transcript/response.ts';
import { wordAt } from '../shared/word-at.ts';
import { exported, fileOf, findAll, paragraphs, type Transcript } from './transcript.ts';

const segment = (text: string, start: number, words: string[]): Segment => ({
  seek: 0,
  start,
  end: start + words.length,
  text,
  tokens: [],
  temperature: 0,
  avg_logprob: -0.1,
  compression_ratio: 1,
  no_speech_prob: 0,
  words: words.map((word, i) => ({ word, start: start + i, end: start + i + 0.9, probability: 0.9 })),
});

const segments = [
  segment(' Ask not what — “your” country.', 0, ['Ask', 'not', 'what', '“your”', 'country.']),
  segment(' country. 你好吗', 5, ['country.', '你好', '吗']),
  segment(' <b>bold</b> & more', 8, ['<b>bold</b>', '&', 'more']),
];
const transcript = { task: 'transcribe' as const, language: 'en', duration: 12, segments };
const answer = await renderTranscript(transcript, 'verbose_json', { words: true });
const verbose: VerboseTranscript & Transcript = JSON.parse(answer.body);

describe('paragraphs', () => {
  it('hold every letter, and every word in its own', () => {
    const found = paragraphs(verbose);
    expect(found.map(({ pieces }) => pieces.map(({ text }) => text).join(''))).toEqual(
      segments.map(({ text }) => text.trim()),
    );
    expect(found.map(({ pieces }) => pieces.flatMap(({ word }) => word ?? []).length)).toEqual([5, 3, 3]);
    expect(found[1]!.pieces[0]).toMatchObject({ text: 'country.', word: { start: 5 } });
  });

  it('do without words', () => {
    const { words: _, ...translated } = verbose;
    expect(paragraphs(translated).map(({ pieces }) => pieces.length)).toEqual([1, 1, 1]);
    expect(paragraphs({ segments: [] })).toEqual([]);
  });
});

it('a word lasts until the next one begins', () => {
  expect([-1, 0, 0.95, 1, 100].map((seconds) => wordAt(verbose.words!, seconds))).toEqual([-1, 0, 0, 1, 10]);
});

describe('findAll', () => {
  it('finds text whatever its case, across blanks, and signs as they are', () => {
    const texts = ['One two\nTHREE.', 'three (two) two'];
    expect(findAll(texts, 'two')).toEqual([
      { text: 0, from: 4, to: 7 },
      { text: 1, from: 7, to: 10 },
      { text: 1, from: 12, to: 15 },
    ]);
    expect(findAll(texts, ' TWO  three ')).toEqual([{ text: 0, from: 4, to: 13 }]);
    expect(findAll(texts, '(two)')).toHaveLength(1);
    expect(findAll(texts, '.*')).toEqual([]);
    expect(findAll(texts, '  ')).toEqual([]);
    for (const query of ['\\', '[', 'a-b', '{1', '/', '\u202e']) expect(findAll(texts, query)).toEqual([]);
  });

  it('stops somewhere', () => {
    expect(findAll(['a'.repeat(1_000_000)], 'a')).toHaveLength(5000);
  });
});

describe('exported', () => {
  it('is what the service answers in each format', async () => {
    for (const format of responseFormats) {
      const { body } = await renderTranscript(transcript, format, { words: true });
      const mine = exported(verbose, format);
      if (format.endsWith('json')) expect(JSON.parse(mine)).toEqual(JSON.parse(body));
      else expect(mine).toBe(body);
    }
  });

  it('goes into a file that is called like the recording', () => {
    expect(fileOf('srt', 'a.talk.mp3')).toEqual({ name: 'a.talk.srt', type: 'application/x-subrip' });
    expect(fileOf('verbose_json', '.mp3').name).toBe('transcript.json');
  });
});
