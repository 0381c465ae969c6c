import { describe, expect, it } from 'vitest';
import { wordAt } from '../shared/word-at.ts';
import { WordPlacer, withoutTags, wordAtOffset } from './spoken-words.ts';

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

  it('keeps words that the text does not have, at an empty range', () => {
    const placer = new WordPlacer('one two three');
    expect(placer.place(timed('one', 'missing', '', 'three'))).toMatchObject([
      { from: 0, to: 3 },
      { from: 3, to: 3, word: 'missing' },
      { from: 8, to: 13 },
    ]);
  });

  it('finds the words of a line in its line, not in the name before it', () => {
    const text = 'Ann: Hi Bob\nBob: Bob here';
    const placer = new WordPlacer(text, [
      { at: 5, input: 'Hi Bob' },
      { at: 17, input: 'Bob here' },
    ]);
    const words = timed('Hi', 'Bob', 'Bob', 'here').map((word, index) => ({ ...word, line: index < 2 ? 0 : 1 }));
    expect(placer.place(words).map(({ from }) => from)).toEqual([5, 8, 17, 21]);
  });

  it('finds no words in tags', () => {
    const ssml = '<speak><voice name="a b">a <!-- b --> b &amp; c</voice></speak>';
    const text = withoutTags(ssml);
    expect(text.length).toBe(ssml.length);
    const [a, b, word] = new WordPlacer(text).place(timed('a', 'b', 'c<'));
    expect([ssml.slice(a!.from - 1, a!.to), b!.from]).toEqual(['>a', ssml.indexOf(' b &') + 1]);
    expect(word).toMatchObject({ word: 'c<' });
  });

  it('does not search the whole text for a word', () => {
    const placer = new WordPlacer('x '.repeat(500_000));
    expect(placer.place(timed(...Array<string>(10_000).fill('nowhere'))).at(-1)).toMatchObject({ from: 0, to: 0 });
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
