import { describe, expect, it } from 'vitest';
import { wordAt } from '../shared/word-at.ts';
import { WordPlacer, wordAtOffset } from './spoken-words.ts';

const timed = (...words: string[]) => words.map((word, i) => ({ word, start_time: i, end_time: i + 0.8 }));

describe('WordPlacer', () => {
  it('finds words in order, repeated ones too', () => {
    const text = 'the cat saw the [pause:1s] [cat](/kæt/)!';
    const placer = new WordPlacer(text);
    const placed = [...placer.place(timed('the', 'cat', 'saw')), ...placer.place(timed('the', 'cat'))];
    expect(placed.map(({ from, to }) => [from, text.slice(from, to)])).toEqual([
      [0, 'the'],
      [4, 'cat'],
      [8, 'saw'],
      [12, 'the'],
      [28, 'cat'],
    ]);
  });

  it('skips missing words', () => {
    const placer = new WordPlacer('one two three');
    expect(placer.place(timed('one', 'missing', '', 'three')).map(({ from }) => from)).toEqual([0, 8]);
  });

  it('does not search the whole text for a word', () => {
    const placer = new WordPlacer('x '.repeat(500_000));
    expect(placer.place(timed(...Array<string>(10_000).fill('nowhere')))).toEqual([]);
  });
});

describe('words by time and by offset', () => {
  const words = new WordPlacer('one two').place(timed('one', 'two'));

  it('wordAt returns a word until the next begins', () => {
    expect([-0.1, 0, 0.9, 1, 99].map((seconds) => wordAt(words, seconds))).toEqual([-1, 0, 0, 1, 1]);
    expect(wordAt([], 1)).toBe(-1);
  });

  it('wordAtOffset returns the next word between two', () => {
    expect([0, 2, 3, 4, 6, 7].map((offset) => wordAtOffset(words, offset))).toEqual([0, 0, 1, 1, 1, -1]);
  });
});
