import { describe, expect, it } from 'vitest';
import { at, special, tokenizer } from '../../../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { alignmentMatrix } from './alignment-matrix.ts';
import { cutAtTimestamps, FRAME_SECONDS } from './cuts.ts';
import type { Decoded } from './decoding.ts';
import reference from './reference.golden.json' with { type: 'json' };
import { timeSegments } from './timing.ts';

const POSITIONS = 120;

/** `[heads, positions]` of one step that looks at a stretch of seconds, each head a bit elsewhere and with some noise. */
function looking(from: number, to: number, { heads = 2, seed = 1 } = {}): Float32Array {
  const noise = seededNoise(seed);
  const row = Float32Array.from({ length: heads * POSITIONS }, (_, index) => {
    const seconds = (index % POSITIONS) * FRAME_SECONDS;
    return (seconds >= from && seconds < to ? 1 : 0.02) * (1.1 + 0.1 * noise());
  });
  return row;
}

function decodedWith(tokens: number[], attention: Float32Array[], logprobs = tokens.map(() => -0.1)): Decoded {
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

describe('timeSegments', () => {
  it('takes what stands together for one word, where words stand apart', () => {
    const parts = [' aujourd', "'hui", ' ?', ' vingt', '-deux', ',', ' ça'];
    const words = () => parts.map((text, index) => ({ text, tokens: [index] }));
    const decoded = decodedWith(
      parts.map((_, index) => index),
      Array.from({ length: parts.length + 1 }, (_, index) => looking(index * 0.2, (index + 1) * 0.2)),
    );
    const texts = (language: string) =>
      timeSegments([{ first: 0, end: parts.length, from: 0, to: 2 }], decoded, {
        ...context,
        language,
        tokenizer: { ...tokenizer, words },
      })[0]!.words.map(({ text }) => text);
    expect(texts('fr')).toEqual([" aujourd'hui ?", ' vingt-deux,', ' ça']);
    expect(texts('ja')).toEqual([' aujourd', "'hui ?", ' vingt', '-deux,', ' ça']);
  });

  it('agrees with the reference on where words are', () => {
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
      const [segment] = timeSegments(
        [{ first: 0, end: count, from: 0, to: frames * FRAME_SECONDS }],
        decodedWith(tokens, rows),
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

  it('gives words the time that their attention has, in the recording', () => {
    const tokens = [at(0), 1, 2, 3, at(1.8)];
    const decoded = decodedWith(
      tokens,
      [looking(0, 0.1), looking(0.2, 0.7), looking(0.7, 1.1), looking(1.1, 1.5), looking(1.5, 1.6), looking(1.9, 2)],
      [0, Math.log(0.9), Math.log(0.5), Math.log(0.7), 0],
    );
    const [segment] = timeSegments(cutAtTimestamps(tokens, special, 2).segments, decoded, context);
    expect(segment!.words.map(({ text }) => text)).toEqual([' one', ' two', ' three']);
    const starts = [10, 10.7, 11.1];
    for (const [index, { start, probability }] of segment!.words.entries()) {
      if (index > 0) expect(Math.abs(start - starts[index]!)).toBeLessThan(0.07);
      expect(probability).toBeCloseTo([0.9, 0.5, 0.7][index]!, 6);
    }
    // The step that chose the closing timestamp looked at the end of the last word.
    expect(Math.abs(segment!.words.at(-1)!.end - 11.5)).toBeLessThan(0.07);
    expect(segment!.start).toBe(segment!.words[0]!.start);
  });

  it('joins punctuation, and takes the mean probability over a word of several tokens', () => {
    const tokens = [1, 13, 14, 10];
    const decoded = decodedWith(
      tokens,
      [looking(0, 0.5), looking(0.5, 0.7), looking(0.7, 1), looking(1, 1.1), looking(1.1, 2)],
      [0.4, 0.6, 0.8, 0.1].map(Math.log),
    );
    const [segment] = timeSegments([{ first: 0, end: 4, from: 0, to: 1.2 }], decoded, context);
    expect(segment!.words).toHaveLength(1);
    expect(segment!.words[0]).toMatchObject({ text: ' oneé.', probability: expect.closeTo(0.6, 6) });
  });

  it('ends with the audio where decoding broke off', () => {
    const decoded = decodedWith([1, 2], [looking(0, 0.8), looking(0.8, 2)]);
    const [segment] = timeSegments([{ first: 0, end: 2, from: 0, to: 2 }], decoded, context);
    expect(segment!.words.at(-1)!.end).toBeCloseTo(12, 6);
  });

  it('keeps the words of each segment in it', () => {
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
    const segments = timeSegments(cutAtTimestamps(tokens, special, 2).segments, decodedWith(tokens, rows), context);
    expect(segments.map(({ words }) => words.map(({ text }) => text))).toEqual([[' one', ' two'], [' three']]);
    expect(segments[1]!.start).toBeGreaterThanOrEqual(segments[0]!.end - 1e-9);
  });

  it('takes segments without text, and none', () => {
    expect(timeSegments([], decodedWith([], []), context)).toEqual([]);
    const decoded = decodedWith([at(0), at(1)], [looking(0, 1), looking(0, 1)]);
    expect(timeSegments([{ first: 0, end: 2, from: 0, to: 1 }], decoded, context)).toEqual([
      { start: 10, end: 11, words: [] },
    ]);
  });
});

describe('alignmentMatrix', () => {
  it('sees what a token looks at and others do not', () => {
    // Both look at the beginning most, as tokens do; only the second looks at 1 s as well.
    const beginning = looking(0, 0.4);
    const other = looking(0, 0.4).map((value, index) => value + looking(1, 1.4)[index]!);
    const [first, second] = alignmentMatrix([beginning, other], 2, 100);
    expect(second![60]!).toBeGreaterThan(0.9);
    expect(first![60]!).toBeLessThan(-0.9);
  });

  it('holds numbers only, even where all tokens look at the same', () => {
    const row = new Float32Array(2 * POSITIONS).fill(1 / POSITIONS);
    for (const values of alignmentMatrix([row, row, row], 2, 50)) expect([...values].every((v) => v === 0)).toBe(true);
    for (const frames of [1, 2, 3, 4, 7]) {
      for (const values of alignmentMatrix([looking(0, 1), looking(1, 2)], 2, frames)) {
        expect(values).toHaveLength(frames);
        expect([...values].every(Number.isFinite)).toBe(true);
      }
    }
  });

  it.each([40, 41])('filters %d frames by the median of seven, mirrored at the edges', (frames) => {
    const noise = seededNoise(8);
    const rows = [0, 1, 2].map(() => Float32Array.from({ length: frames }, () => 1 + noise()));
    const standardized = (frame: number, token: number) => {
      const shares = rows.map((row) => row[frame]! / row.reduce((sum, value) => sum + value));
      const mean = shares.reduce((sum, value) => sum + value) / 3;
      return (shares[token]! - mean) / Math.sqrt(shares.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);
    };
    const matrix = alignmentMatrix(rows, 1, frames);
    for (const frame of [0, 1, 2, 3, 20, frames - 4, frames - 3, frames - 1]) {
      const mirrored = [-3, -2, -1, 0, 1, 2, 3].map((step) => {
        const at = Math.abs(frame + step);
        return standardized(at >= frames ? 2 * (frames - 1) - at : at, 1);
      });
      expect(matrix[1]![frame]).toBeCloseTo(mirrored.sort((a, b) => a - b)[3]!, 4);
    }
  });
});
