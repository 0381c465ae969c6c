import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import reference from './reference.golden.json' with { type: 'json' };
import { joinPunctuation, settleSegments, shortenAtSentenceEnds, type WordTime, wordLength } from './word-times.ts';

const word = (text: string, start: number, end: number): WordTime => ({ text, start, end, probability: 0.5 });

describe('wordLength', () => {
  it('is the median of the words that have a length', () => {
    const words = [word(' a', 0, 0.2), word('.', 0.2, 0.2), word(' b', 0.2, 0.5), word(' c', 0.5, 0.6)];
    expect(wordLength(words)).toEqual({ usual: expect.closeTo(0.2, 6), longest: expect.closeTo(0.4, 6) });
    expect(wordLength(words.slice(0, 3)).usual).toBeCloseTo(0.25, 6);
  });

  it('is never above 0.7 s', () => {
    expect(wordLength([word(' a', 0, 3)])).toEqual({ usual: 0.7, longest: 1.4 });
    expect(wordLength([])).toEqual({ usual: 0, longest: 0 });
  });
});

describe('shortenAtSentenceEnds', () => {
  it('shortens a full stop that lasts, and the word after it', () => {
    const words = [word(' a', 0, 0.2), word('.', 0.2, 2), word(' b', 2, 4), word(' c', 4, 6)];
    shortenAtSentenceEnds(words, { usual: 0.2, longest: 0.4 });
    expect(words.map(({ start, end }) => [start, end])).toEqual([
      [0, 0.2],
      [0.2, expect.closeTo(0.6, 6)],
      [expect.closeTo(3.6, 6), 4],
      [4, 6],
    ]);
  });
});

describe('joinPunctuation', () => {
  it('joins it to the word it belongs to, which keeps its own time', () => {
    const words = [
      word(' "', 0, 0.1),
      word('Yes', 0.1, 0.5),
      word(',"', 0.5, 0.6),
      word(' he', 0.6, 0.9),
      word('.', 0.9, 1),
    ];
    expect(joinPunctuation(words).map(({ text, start, end }) => [text, start, end])).toEqual([
      // A comma with a quote is neither among the ones that close.
      [' "Yes', 0.1, 0.5],
      [',"', 0.5, 0.6],
      [' he.', 0.6, 0.9],
    ]);
  });

  it('agrees with the reference', () => {
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
  it('agrees with the reference, as do the steps before it', () => {
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
