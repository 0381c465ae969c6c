import { describe, expect, it } from 'vitest';
import type { Segment } from '../../src/contracts/transcription.ts';
import { paragraphs } from '../../src/hear/transcript/paragraphs.ts';
import { renderTranscript, responseFormats, type VerboseTranscript } from '../../src/hear/transcript/response.ts';
import { runSteps } from '../../src/hear/transcript/steps.ts';
import { wordAt } from '../shared/word-at.ts';
import { type ExportFormat, exportSteps, fileOf, partialTranscript, type Transcript } from './transcript.ts';

const exported = (of: Transcript, format: ExportFormat) => runSteps(exportSteps(of, format));

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
const transcript = { task: 'transcribe' as const, language: 'en', languages: ['en'], duration: 12, segments };
const response = await renderTranscript(transcript, 'verbose_json', { words: true });
const verbose: VerboseTranscript & Transcript = JSON.parse(response.body);

it('wordAt returns the word until the next one begins', () => {
  expect([-1, 0, 0.95, 1, 100].map((seconds) => wordAt(verbose.words!, seconds))).toEqual([-1, 0, 0, 1, 10]);
});

describe('exportSteps', () => {
  it('equals the response of the service, with speakers as well', async () => {
    const named = { ...transcript, segments: segments.map((each, i) => ({ ...each, speaker: i === 1 ? 'B' : 'Ann' })) };
    const { body } = await renderTranscript(named, 'verbose_json', { words: true });
    for (const format of ['text', 'verbose_json', 'srt', 'vtt'] as const) {
      const { body: expected } = await renderTranscript(named, format, { words: true });
      const actual = exported(JSON.parse(body), format);
      if (format === 'verbose_json') expect(JSON.parse(actual)).toEqual(JSON.parse(expected));
      else expect(actual).toBe(expected);
    }
    expect(exported(JSON.parse(body), 'text')).toContain('\n\nB: country. 你好吗\n\nAnn: <b>bold</b>');
  });

  it('equals the response of the service in each format', async () => {
    for (const format of responseFormats) {
      if (format === 'diarized_json') continue;
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

  it('can be exported like a complete one, without unknown values', () => {
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

describe('paragraphs', () => {
  const spoken = (...times: [text: string, start: number, end: number][]) =>
    times.map(([text, start, end]) => ({ text, start, end }));

  it('begin after a sentence and a pause', () => {
    const segments = spoken(
      [' One.', 0, 1],
      [' Two.', 1.4, 2],
      [' Three,', 4, 5],
      [' four.', 8, 9],
      [' Five.', 10.5, 11],
    );
    expect(paragraphs(segments)).toEqual([
      { start: 0, text: 'One. Two.' },
      { start: 4, text: 'Three, four.' },
      { start: 10.5, text: 'Five.' },
    ]);
  });

  it.each(['ሰላም።', 'Բարեւ։', '你好｡'])('begin after a sentence in any script: %s', (sentence) => {
    expect(paragraphs(spoken([sentence, 0, 1], [sentence, 4, 5]))).toHaveLength(2);
  });

  it('end when they are long, without a pause too', () => {
    const segments = Array.from({ length: 100 }, (_, i) => ({ text: ' Twenty letters here.', start: i, end: i + 1 }));
    const lengths = paragraphs(segments).map(({ text }) => text.length);
    expect(lengths.length).toBe(2);
    expect(Math.max(...lengths)).toBeLessThan(1300);
  });

  it('are in txt and Markdown, whose marks are escaped', () => {
    const segments = spoken([' *One* <b>.', 0, 1], [' Two.', 65, 66]);
    const text = segments
      .map((each) => each.text)
      .join('')
      .trim();
    const two = { task: 'transcribe' as const, duration: 66, text, segments };
    expect(exported(two, 'text')).toBe('*One* <b>.\n\nTwo.\n');
    expect(exported(two, 'markdown')).toBe('**0:00** \\*One\\* \\<b\\>.\n\n**1:05** Two.\n');
  });
});
