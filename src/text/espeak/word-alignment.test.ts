import { describe, expect, it } from 'vitest';
import { alignWords } from './word-alignment.ts';

const alone = (words: Record<string, string>) => (word: string) => (words[word] ?? word).split(' ').filter(Boolean);

describe('alignWords', () => {
  it('keeps the words if their number is equal', () => {
    expect(alignWords(['a', 'b'], ['x', 'y'], alone({}))).toEqual([
      { phonemes: 'x', isJoined: false },
      { phonemes: 'y', isJoined: false },
    ]);
  });

  it('splits words that eSpeak joined', () => {
    expect(alignWords(['de', 'la', 'casa'], ['dˌela', 'kˈasa'], alone({ de: 'de', la: 'la', casa: 'kˈasa' }))).toEqual([
      { phonemes: 'dˌe', isJoined: false },
      { phonemes: 'la', isJoined: true },
      { phonemes: 'kˈasa', isJoined: false },
    ]);
  });

  it('joins the parts of a word that eSpeak split', () => {
    expect(alignWords(['UE', 'ya'], ['ˈu', 'ˈe', 'ʝa'], alone({ UE: 'ˈu ˈe', ya: 'ʝˈa' }))).toEqual([
      { phonemes: 'ˈu ˈe', isJoined: false },
      { phonemes: 'ʝa', isJoined: false },
    ]);
  });

  it('gives a silent word no phonemes', () => {
    expect(alignWords(['sí', '~'], ['si'], alone({ sí: 'si', '~': '' }))).toEqual([
      { phonemes: 'si', isJoined: false },
      { phonemes: '', isJoined: false },
    ]);
  });

  it('divides overlong clauses in proportion', () => {
    const written = Array.from({ length: 1000 }, (_, index) => `w${index}`);
    const spoken = written.slice(1);
    const aligned = alignWords(written, spoken, alone({}));
    expect(aligned).toHaveLength(1000);
    expect(aligned.map(({ phonemes }) => phonemes).join('').length).toBeGreaterThan(3000);
  });
});
