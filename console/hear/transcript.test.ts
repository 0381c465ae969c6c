import { describe, expect, it } from 'vitest';
import type { Segment } from '../../src/contracts/transcription.ts';
import { renderTranscript, responseFormats, type VerboseTranscript } from '../../src/hear/transcript/response.ts';
import { wordAt } from '../shared/word-at.ts';
import { exported, fileOf, findAll, paragraphs, partialTranscript, type Transcript } from './transcript.ts';

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
const response = await renderTranscript(transcript, 'verbose_json', { words: true });
const verbose: VerboseTranscript & Transcript = JSON.parse(response.body);

describe('paragraphs', () => {
  it('hold all text, and each word in its segment', () => {
    const split = paragraphs(verbose);
    expect(split.map(({ parts }) => parts.map(({ text }) => text).join(''))).toEqual(
      segments.map(({ text }) => text.trim()),
    );
    expect(split.map(({ parts }) => parts.flatMap(({ word }) => word ?? []).length)).toEqual([5, 3, 3]);
    expect(split[1]!.parts[0]).toMatchObject({ text: 'country.', word: { start: 5 } });
  });

  it('work without words', () => {
    const { words: _, ...translated } = verbose;
    expect(paragraphs(translated).map(({ parts }) => parts.length)).toEqual([1, 1, 1]);
    expect(paragraphs({ segments: [] })).toEqual([]);
  });
});

it('wordAt returns the word until the next one begins', () => {
  expect([-1, 0, 0.95, 1, 100].map((seconds) => wordAt(verbose.words!, seconds))).toEqual([-1, 0, 0, 1, 10]);
});

describe('findAll', () => {
  it('ignores case and whitespace, and takes signs literally', () => {
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

  it('limits the number of matches', () => {
    expect(findAll(['a'.repeat(1_000_000)], 'a')).toHaveLength(5000);
  });
});

describe('exported', () => {
  it('equals the response of the service in each format', async () => {
    for (const format of responseFormats) {
      const { body } = await renderTranscript(transcript, format, { words: true });
      const actual = exported(verbose, format);
      if (format.endsWith('json')) expect(JSON.parse(actual)).toEqual(JSON.parse(body));
      else expect(actual).toBe(body);
    }
  });

  it('names the file after the recording', () => {
    expect(fileOf('srt', 'a.talk.mp3')).toEqual({ name: 'a.talk.srt', type: 'application/x-subrip' });
    expect(fileOf('verbose_json', '.mp3').name).toBe('transcript.json');
  });
});

describe('partialTranscript', () => {
  const heard = [
    { text: ' Ask not', start: 1, end: 2 },
    { text: ' what.', start: 2.5, end: 3 },
  ];
  const partial = partialTranscript('transcribe', heard);

  it('can be exported like a whole one, without what is not known', () => {
    expect(exported(partial, 'text')).toBe('Ask not what.\n');
    expect(exported(partial, 'srt')).toContain('00:00:01,000 --> ');
    expect(JSON.parse(exported(partial, 'verbose_json'))).toEqual({
      task: 'transcribe',
      duration: 3,
      text: 'Ask not what.',
      segments: heard,
    });
  });

  it('keeps its segments when more arrive', () => {
    const growing = heard.slice(0, 1);
    const { segments } = partialTranscript('transcribe', growing);
    growing.push(heard[1]!);
    expect(segments).toHaveLength(1);
  });
});
