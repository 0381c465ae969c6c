import { describe, expect, it } from 'vitest';
import { at, special, tokenizer } from '../../../../test/fixtures/scripted-decoder.ts';
import { windowOf } from '../../../../test/fixtures/scripted-windows.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { splitAtTimestamps, toSegments } from './segments.ts';

const split = (tokens: number[]) => splitAtTimestamps(tokens, special, 30);

describe('splitAtTimestamps', () => {
  it('splits between the timestamps of a pair', () => {
    const { segments } = split([at(0), 1, 2, at(2), at(2.4), 3, at(5)]);
    expect(segments).toEqual([
      { first: 0, end: 4, from: 0, to: 2 },
      { first: 4, end: 7, from: expect.closeTo(2.4, 6), to: 5 },
    ]);
  });

  it('is done with the audio if a single timestamp ends the text', () => {
    expect(split([at(0), 1, at(2), at(2), 3, at(5)])).toMatchObject({ done: 30, unfinished: false });
  });

  it('leaves text after the last pair for the next decoding', () => {
    expect(split([at(0), 1, at(2), at(2), 3, at(5), at(5.2), 4, 5])).toEqual({
      segments: [
        { first: 0, end: 3, from: 0, to: 2 },
        { first: 3, end: 6, from: 2, to: 5 },
      ],
      done: 5,
      unfinished: true,
    });
  });

  it('is done up to a pair that ends the text', () => {
    expect(split([at(0), 1, at(2), at(2)])).toEqual({
      segments: [{ first: 0, end: 3, from: 0, to: 2 }],
      done: 2,
      unfinished: false,
    });
  });

  it('makes one segment of text without pairs', () => {
    expect(split([at(0.4), 1, 2])).toEqual({
      segments: [{ first: 0, end: 3, from: 0.4, to: 30 }],
      done: 30,
      unfinished: false,
    });
    expect(split([at(0.4), 1, 2, at(3)]).segments).toEqual([{ first: 0, end: 4, from: 0.4, to: 3 }]);
    // A segment cannot start at the end of the audio.
    expect(splitAtTimestamps([at(0.4), 1, 2], special, 0.4).segments).toEqual([{ first: 0, end: 3, from: 0, to: 0.4 }]);
  });

  it('makes no segment without tokens', () => {
    expect(split([])).toEqual({ segments: [], done: 30, unfinished: false });
  });

  it('limits timestamps to the end of the audio', () => {
    expect(splitAtTimestamps([at(0), 1, at(9), at(9)], special, 4).done).toBe(4);
  });
});

describe('toSegments', () => {
  const result = {
    tokens: [1, 2],
    logprobs: [0, 0],
    attention: [],
    temperature: 0,
    averageLogprob: 0,
    compressionRatio: 1,
    noSpeechProbability: 0,
    failed: false,
  };
  const context = {
    tokenizer,
    window: windowOf(0, 3, [0.5, 2]),
    language: 'en',
    offset: 0,
    lastSpeech: 0,
    position: 0,
    next: 3 * SAMPLE_RATE,
    gaps: [],
  };

  it('spreads words that attention finds at one moment over the time of their segment', () => {
    const spoken = { first: 0, end: 2, from: 0.5, to: 2, text: ' one two', span: span(0.5, 2) };
    const moment = { start: 1, end: 1 };
    const times = new Map([
      [0, moment],
      [1, moment],
    ]);
    const [segment] = toSegments([spoken], result, { ...context, times });
    expect(segment!.words).toMatchObject([
      { word: 'one', start: 0.5, end: 1.25 },
      { word: 'two', start: 1.25, end: 2 },
    ]);
  });

  it('ends a segment before the speech after it that is decoded separately, wherever attention is', () => {
    const spoken = { first: 0, end: 2, from: 0, to: 1, text: ' one two', span: span(0, 1) };
    const times = new Map([
      [0, { start: 0.2, end: 0.6 }],
      [1, { start: 0.6, end: 1.8 }],
    ]);
    const window = windowOf(0, 3, [0, 3]);
    const [segment] = toSegments([spoken], result, { ...context, window, times, gaps: [span(1, 2)] });
    expect(segment).toMatchObject({ end: 1, words: [{ word: 'one' }, { word: 'two', start: 0.6, end: 1 }] });
    const [whole] = toSegments([spoken], result, { ...context, window, times });
    expect(whole!.end).toBeGreaterThan(1);
  });

  it('drops a segment that takes no time, as at the end of the audio', () => {
    const spoken = { first: 0, end: 2, from: 3, to: 3, text: ' one two', span: span(3, 3) };
    const end = { start: 3, end: 3 };
    const times = new Map([
      [0, end],
      [1, end],
    ]);
    expect(toSegments([spoken], result, { ...context, times })).toEqual([undefined]);
  });
});

const span = (from: number, to: number) => ({ start: from * SAMPLE_RATE, end: to * SAMPLE_RATE });
