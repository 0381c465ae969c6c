import { describe, expect, it } from 'vitest';
import { shares } from './word-alignment.ts';

const alone = (words: Record<string, string>) => (word: string) => (words[word] ?? word).split(' ').filter(Boolean);

describe('shares', () => {
  it('are the words where they are as many', () => {
    expect(shares(['a', 'b'], ['x', 'y'], alone({}))).toEqual([
      { phonemes: 'x', joined: false },
      { phonemes: 'y', joined: false },
    ]);
  });

  it('part what is said in one', () => {
    expect(shares(['de', 'la', 'casa'], ['dˌela', 'kˈasa'], alone({ de: 'de', la: 'la', casa: 'kˈasa' }))).toEqual([
      { phonemes: 'dˌe', joined: false },
      { phonemes: 'la', joined: true },
      { phonemes: 'kˈasa', joined: false },
    ]);
  });

  it('join what one word is said in', () => {
    expect(shares(['UE', 'ya'], ['ˈu', 'ˈe', 'ʝa'], alone({ UE: 'ˈu ˈe', ya: 'ʝˈa' }))).toEqual([
      { phonemes: 'ˈu ˈe', joined: false },
      { phonemes: 'ʝa', joined: false },
    ]);
  });

  it('leave a word without any where nothing is said of it', () => {
    expect(shares(['sí', '~'], ['si'], alone({ sí: 'si', '~': '' }))).toEqual([
      { phonemes: 'si', joined: false },
      { phonemes: '', joined: false },
    ]);
  });

  it('are in proportion where there is too much to compare', () => {
    const written = Array.from({ length: 1000 }, (_, index) => `w${index}`);
    const spoken = written.slice(1);
    const found = shares(written, spoken, alone({}));
    expect(found).toHaveLength(1000);
    expect(found.map(({ phonemes }) => phonemes).join('').length).toBeGreaterThan(3000);
  });
});
