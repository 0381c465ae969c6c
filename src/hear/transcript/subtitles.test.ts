import { describe, expect, it } from 'vitest';
import { segment, spoken } from '../../../test/fixtures/segments.ts';
import { MAX_LINE_WIDTH } from './cue-units.ts';
import { cues } from './cues.ts';
import { srt, vtt } from './subtitles.ts';

describe('srt and vtt', () => {
  const hostile = segment(' a <b>&amp;</b> --> c\r\n\r\nWEBVTT \u0000\u2028d', [
    { word: '<b>&amp;</b>\u0007', start: 0, end: 0.4, probability: 1 },
    { word: '-->', start: 0.4, end: 0.6, probability: 1 },
    { word: 'c\r\n\r\nWEBVTT\u2028d', start: 0.6, end: 1, probability: 1 },
    { word: ' \u0000\n', start: 1, end: 1.5, probability: 1 },
  ]);

  it('escape hostile text', () => {
    expect(vtt([hostile], 1)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n&lt;b&gt;&amp;amp;&lt;/b&gt; --&gt; c WEBVTT d\n',
    );
    expect(srt([hostile], 1)).toBe('1\n00:00:00,000 --> 00:00:01,000\n<b>&amp;</b> → c WEBVTT d\n');
    expect(srt([{ ...hostile, words: [], end: 1 }], 1)).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\na <b>&amp;</b> → c WEBVTT d\n',
    );
  });

  it('are empty for silence', () => {
    for (const segments of [
      [],
      [segment(' ', [])],
      [segment('\n', [{ word: '', start: 0, end: 1, probability: 1 }])],
    ]) {
      expect(srt(segments)).toBe('');
      expect(vtt(segments)).toBe('WEBVTT\n');
    }
  });

  it('always contain hours', () => {
    expect(vtt([spoken('Late.', { start: 3599.9995 })])).toContain('01:00:00.000 --> 01:00:01.000');
    expect(srt([spoken('Later.', { start: 360_000.25 })])).toContain('100:00:00,250 --> 100:00:01,250');
  });
});

describe('names of speakers', () => {
  const said = [
    { ...spoken('Where were you all the time?'), speaker: 'Ann' },
    { ...spoken('At home. And you?', { start: 2 }), speaker: 'Ann' },
    { ...spoken('Nowhere.', { start: 3.2 }), speaker: 'Bo & <i>' },
    spoken('Silence.', { start: 4 }),
  ];

  it('end cues, are written where they begin in SubRip, and tag every cue in WebVTT', () => {
    expect(cues(said).map(({ speaker }) => speaker)).toEqual(['Ann', 'Bo & <i>', undefined]);
    expect(srt(said)).toContain('\nAnn: Where were you all the time?\nAt home. And you?\n');
    expect(srt(said)).toContain('\nBo & <i>: Nowhere.\n');
    expect(srt(said)).toContain('\nSilence.\n');
    expect(vtt(said)).toContain('\n<v Ann>Where were you all the time?\nAt home. And you?\n');
    expect(vtt(said)).toContain('\n<v Bo &amp; &lt;i&gt;>Nowhere.\n');
  });

  it('keep lines within their width, however long they are', () => {
    const speaker = 'A name that is much longer than a line of subtitles may ever be';
    const long = [{ ...spoken('It was the best of times, it was the worst of times, it was the age.'), speaker }];
    const lines = srt(long).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(MAX_LINE_WIDTH);
    expect(lines.join(' ')).toContain('ever be: It was the best');
  });
});
