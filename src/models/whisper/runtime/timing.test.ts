import { describe, expect, it } from 'vitest';
import { at, special, tokenizer } from '../../../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { POSITION_SECONDS } from '../configuration.ts';
import type { DecodingResult } from './decoding.ts';
import reference from './reference.golden.json' with { type: 'json' };
import { splitAtTimestamps } from './segments.ts';
import {
  alignTokens,
  joinPunctuation,
  settleSegments,
  shortenAtSentenceEnds,
  type TimingContext,
  type TokenSegment,
  timeSegments,
  type WordTime,
  wordLength,
} from './timing.ts';

const POSITIONS = 120;

/** Attention `[heads, positions]` to a stretch of seconds, with some noise. */
function looking(from: number, to: number, { heads = 2, seed = 1 } = {}): Float32Array {
  const noise = seededNoise(seed);
  const row = Float32Array.from({ length: heads * POSITIONS }, (_, index) => {
    const seconds = (index % POSITIONS) * POSITION_SECONDS;
    return (seconds >= from && seconds < to ? 1 : 0.02) * (1.1 + 0.1 * noise());
  });
  return row;
}

function resultWith(tokens: number[], attention: Float32Array[], logprobs = tokens.map(() => -0.1)): DecodingResult {
  return {
    tokens,
    logprobs,
    attention,
    temperature: 0,
    averageLogprob: -0.1,
    compressionRatio: 1,
    noSpeechProbability: 0,
    failed: false,
  };
}

const context = { tokenizer, language: 'en', heads: 2, frames: 100, offset: 10, lastSpeech: 9 };

/** Aligns and times segments. */
function timed(
  segments: readonly TokenSegment[],
  result: DecodingResult,
  options: Omit<TimingContext, 'times'> & { heads: number; frames: number } = context,
) {
  return timeSegments(segments, result, { ...options, times: alignTokens(segments, result, options) });
}

describe('timeSegments', () => {
  it('joins parts without a space to one word, in languages with spaces', () => {
    const parts = [' aujourd', "'hui", ' ?', ' vingt', '-deux', ',', ' ça'];
    const words = () => parts.map((text, index) => ({ text, tokens: [index] }));
    const result = resultWith(
      parts.map((_, index) => index),
      Array.from({ length: parts.length + 1 }, (_, index) => looking(index * 0.2, (index + 1) * 0.2)),
    );
    const texts = (language: string) =>
      timed([{ first: 0, end: parts.length, from: 0, to: 2 }], result, {
        ...context,
        language,
        tokenizer: { ...tokenizer, words },
      })[0]!.words.map(({ text }) => text);
    expect(texts('fr')).toEqual([" aujourd'hui ?", ' vingt-deux,', ' ça']);
    expect(texts('ja')).toEqual([' aujourd', "'hui ?", ' vingt', '-deux,', ' ça']);
  });

  it('does not split signs without a space from their number or word', () => {
    const parts = [' 42', '%', '.', ' C', '#', ' und', '/', 'oder', ' (', 'ja', ')', ' well', '-'];
    const words = () => parts.map((text, index) => ({ text, tokens: [index] }));
    const result = resultWith(
      parts.map((_, index) => index),
      Array.from({ length: parts.length + 1 }, (_, index) => looking(index * 0.15, (index + 1) * 0.15)),
    );
    const [segment] = timed([{ first: 0, end: parts.length, from: 0, to: 2 }], result, {
      ...context,
      tokenizer: { ...tokenizer, words },
    });
    expect(segment!.words.map(({ text }) => text)).toEqual([' 42%.', ' C#', ' und/oder', ' (ja)', ' well-']);
    // The sign is spoken, too.
    expect(segment!.words[0]!.end - segment!.words[0]!.start).toBeGreaterThan(0.2);
  });

  it('matches the reference on word times', () => {
    const words = (tokens: readonly number[]) => tokens.map((token) => ({ text: ` w${token}`, tokens: [token] }));
    for (const { seed, tokens: count, frames, times } of reference.alignment) {
      const noise = seededNoise(Math.imul(seed, 2654435761));
      const rows = Array.from({ length: count + 1 }, () => new Float32Array(3 * POSITIONS));
      for (let head = 0; head < 3; head++) {
        for (const [token, row] of rows.entries()) {
          const centre = ((token + 0.5 + 0.4 * noise()) * 90) / (count + 1);
          const width = 5 + 3 * noise();
          const scores = Array.from({ length: POSITIONS }, (_, position) =>
            Math.exp(4 * Math.exp(-(((position - centre) / width) ** 2)) + 0.3 * noise()),
          );
          const sum = scores.reduce((total, score) => total + score);
          row.set(
            scores.map((score) => score / sum),
            head * POSITIONS,
          );
        }
      }
      const tokens = Array.from({ length: count }, (_, token) => token);
      const [segment] = timed(
        [{ first: 0, end: count, from: 0, to: frames * POSITION_SECONDS }],
        resultWith(tokens, rows),
        { ...context, tokenizer: { special, words }, heads: 3, frames, offset: 0, lastSpeech: 0 },
      );
      for (const [index, { start, end }] of segment!.words.entries()) {
        expect(start, `seed ${seed}`).toBeCloseTo(times[index]![0]!, 5);
        expect(end, `seed ${seed}`).toBeCloseTo(times[index]![1]!, 5);
      }
      expect(segment!.words).toHaveLength(times.length);
    }
    expect(reference.alignment).toHaveLength(12);
  });

  it('gives words the times of their attention, from the start of the recording', () => {
    const tokens = [at(0), 1, 2, 3, at(1.8)];
    const result = resultWith(
      tokens,
      [looking(0, 0.1), looking(0.2, 0.7), looking(0.7, 1.1), looking(1.1, 1.5), looking(1.5, 1.6), looking(1.9, 2)],
      [0, Math.log(0.9), Math.log(0.5), Math.log(0.7), 0],
    );
    const [segment] = timed(splitAtTimestamps(tokens, special, 2).segments, result, context);
    expect(segment!.words.map(({ text }) => text)).toEqual([' one', ' two', ' three']);
    const starts = [10, 10.7, 11.1];
    for (const [index, { start, probability }] of segment!.words.entries()) {
      if (index > 0) expect(Math.abs(start - starts[index]!)).toBeLessThan(0.07);
      expect(probability).toBeCloseTo([0.9, 0.5, 0.7][index]!, 6);
    }
    // The step of the closing timestamp attended to the end of the last word.
    expect(Math.abs(segment!.words.at(-1)!.end - 11.5)).toBeLessThan(0.07);
    expect(segment!.start).toBe(segment!.words[0]!.start);
  });

  it('joins punctuation, and averages probabilities over the tokens of a word', () => {
    const tokens = [1, 13, 14, 10];
    const result = resultWith(
      tokens,
      [looking(0, 0.5), looking(0.5, 0.7), looking(0.7, 1), looking(1, 1.1), looking(1.1, 2)],
      [0.4, 0.6, 0.8, 0.1].map(Math.log),
    );
    const [segment] = timed([{ first: 0, end: 4, from: 0, to: 1.2 }], result, context);
    expect(segment!.words).toHaveLength(1);
    expect(segment!.words[0]).toMatchObject({ text: ' oneé.', probability: expect.closeTo(0.6, 6) });
  });

  it('ends the last word with the audio if decoding was cut short', () => {
    const result = resultWith([1, 2], [looking(0, 0.8), looking(0.8, 2)]);
    const [segment] = timed([{ first: 0, end: 2, from: 0, to: 2 }], result, context);
    expect(segment!.words.at(-1)!.end).toBeCloseTo(12, 6);
  });

  it('keeps words within their segment', () => {
    const tokens = [at(0), 1, 2, at(1), at(1), 3, at(1.9)];
    const rows = [
      looking(0, 0.1),
      looking(0, 0.5),
      looking(0.5, 0.9),
      looking(0.9, 1),
      looking(0.9, 1),
      looking(1.2, 1.7),
      looking(1.7, 1.9),
      looking(1.9, 2),
    ];
    const segments = timed(splitAtTimestamps(tokens, special, 2).segments, resultWith(tokens, rows), context);
    expect(segments.map(({ words }) => words.map(({ text }) => text))).toEqual([[' one', ' two'], [' three']]);
    expect(segments[1]!.start).toBeGreaterThanOrEqual(segments[0]!.end - 1e-9);
  });

  it('handles segments without text, and no segments', () => {
    expect(timed([], resultWith([], []), context)).toEqual([]);
    const result = resultWith([at(0), at(1)], [looking(0, 1), looking(0, 1)]);
    expect(timed([{ first: 0, end: 2, from: 0, to: 1 }], result, context)).toEqual([{ start: 10, end: 11, words: [] }]);
  });
});

const word = (text: string, start: number, end: number): WordTime => ({ text, start, end, probability: 0.5 });

describe('wordLength', () => {
  it('is the median of the non-zero lengths', () => {
    const words = [word(' a', 0, 0.2), word('.', 0.2, 0.2), word(' b', 0.2, 0.5), word(' c', 0.5, 0.6)];
    expect(wordLength(words)).toEqual({ usual: expect.closeTo(0.2, 6), max: expect.closeTo(0.4, 6) });
    expect(wordLength(words.slice(0, 3)).usual).toBeCloseTo(0.25, 6);
  });

  it('is at most 0.7 s', () => {
    expect(wordLength([word(' a', 0, 3)])).toEqual({ usual: 0.7, max: 1.4 });
    expect(wordLength([])).toEqual({ usual: 0, max: 0 });
  });
});

describe('shortenAtSentenceEnds', () => {
  it('shortens a long full stop and the word after it', () => {
    const words = [word(' a', 0, 0.2), word('.', 0.2, 2), word(' b', 2, 4), word(' c', 4, 6)];
    shortenAtSentenceEnds(words, { usual: 0.2, max: 0.4 });
    expect(words.map(({ start, end }) => [start, end])).toEqual([
      [0, 0.2],
      [0.2, expect.closeTo(0.6, 6)],
      [expect.closeTo(3.6, 6), 4],
      [4, 6],
    ]);
  });
});

describe('joinPunctuation', () => {
  it('joins punctuation to its word, which keeps its own time', () => {
    const words = [
      word(' "', 0, 0.1),
      word('Yes', 0.1, 0.5),
      word(',"', 0.5, 0.6),
      word(' he', 0.6, 0.9),
      word('.', 0.9, 1),
    ];
    expect(joinPunctuation(words).map(({ text, start, end }) => [text, start, end])).toEqual([
      // The reference does not join a comma with a quote.
      [' "Yes', 0.1, 0.5],
      [',"', 0.5, 0.6],
      [' he.', 0.6, 0.9],
    ]);
  });

  it('matches the reference', () => {
    const pieces = [' one', ' two', 's', '.', ',', '!', '?', '"', ' "', ' (', ')', ' -', '。', '..', " it's", "'"];
    for (const { seed, joined } of reference.punctuation) {
      const noise = seededNoise(Math.imul(seed, 2654435761));
      const below = (count: number) => Math.floor(((noise() + 1) / 2) * count);
      const words = Array.from({ length: 2 + below(10) }, (_, index) =>
        word(pieces[below(pieces.length)]!, index, index + 1),
      );
      expect(
        joinPunctuation(words).map(({ text, start }) => [text, start]),
        `seed ${seed}`,
      ).toEqual(joined);
    }
    expect(reference.punctuation).toHaveLength(40);
  });
});

describe('settleSegments', () => {
  it('matches the reference, together with the steps before it', () => {
    for (const [index, { offset, lastSpeech, words, segments, expected }] of reference.smoothing.entries()) {
      const all = words.map(([text, start, end]) =>
        word(String(text), offset + Number(start) * 0.02, offset + Number(end) * 0.02),
      );
      const length = wordLength(all);
      shortenAtSentenceEnds(all, length);
      const timed = segments.map(([first, end, from, to]) => ({
        start: offset + from! * 0.02,
        end: offset + to! * 0.02,
        words: joinPunctuation(all.slice(first, end)),
      }));
      settleSegments(timed, length, lastSpeech);
      const ours = timed.map(({ start, end, words }) => ({
        start: expect.closeTo(start, 2),
        end: expect.closeTo(end, 2),
        words: words.map(({ text, start, end }) => [text, expect.closeTo(start, 2), expect.closeTo(end, 2)]),
      }));
      expect(expected, `case ${index}`).toEqual(ours);
    }
    expect(reference.smoothing).toHaveLength(24);
  });
});
