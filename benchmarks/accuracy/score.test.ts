import { expect, it } from 'vitest';
import { chrf, errorRate, score } from './score.mjs';

const file = (name: string, text: string) => ({ name, seconds: 20, text, language: 'en' });
const answer = (...segments: [number, number, string][]) => ({
  segments: segments.map(([start, end, text]) => ({ start, end, text })),
});

function scored(text: string, ...segments: [number, number, string][]) {
  return score({ name: 'set', measure: 'errors', files: [file('a', text)] }, { a: answer(...segments) });
}

it('counts deletions, insertions and substitutions', () => {
  const result = scored('the cat sat on the mat', [0, 2, 'A cat sat'], [2, 4, 'on on mat.']);
  expect(result).toMatchObject({ words: 6, deletions: 0, insertions: 0, substitutions: 2 });
  expect(scored('red green blue', [0, 1, 'red blue'])).toMatchObject({ deletions: 1, insertions: 0, substitutions: 0 });
  expect(scored('red blue', [0, 1, 'red green blue'])).toMatchObject({ deletions: 0, insertions: 1, substitutions: 0 });
});

it('counts errors in stretches of 20 words', () => {
  const text = 'red green blue grey pink brown black white gold plum '.repeat(3).trim();
  const said = text.replace('green', '').replace(/plum$/, 'plum jam');
  const { stretches } = scored(text, [0, 9, said]);
  expect(stretches).toEqual([
    { words: 20, errors: 1 },
    { words: 10, errors: 1 },
  ]);
});

it('says where a sentence is missing, between the words around it', () => {
  const text = 'the first sentence is here and this long sentence is gone while the last one stays';
  const { lost } = scored(text, [0, 4, 'The first sentence is here'], [12, 15, 'while the last one stays']);
  expect(lost).toEqual([{ file: 'a', start: 4, end: 12, words: 6, text: 'and this long sentence is gone' }]);
});

it('says when words were made up', () => {
  const { added } = scored('hello there', [0, 1, 'Hello there.'], [10, 14, 'Thank you for watching.']);
  expect(added).toEqual([{ file: 'a', start: 1, end: 20, words: 4, text: 'thank you for watching' }]);
});

it('keeps a run together over a single match within', () => {
  const { lost } = scored('a b c d e f g h i j k', [0, 1, 'a e j k']);
  expect(lost).toHaveLength(1);
  expect(lost[0]?.words).toBe(7);
});

it('puts all words of an empty answer down as lost', () => {
  const result = scored('text without a reference');
  expect(result).toMatchObject({ words: 4, deletions: 4 });
  expect(errorRate(result)).toBe(100);
  expect(result.lost[0]).toMatchObject({ start: 0, end: 20, words: 4 });
});

it('names the sounds in which words were said', () => {
  const names = ['dog', 'rain', 'band'];
  const set = { name: 'sounds', measure: 'silence' as const, files: names.map((name) => file(name, '')) };
  const result = score(set, { dog: answer([0, 1, 'Woo!']), rain: answer(), band: answer([0, 1, ' [MUSIC]']) });
  expect(result.spoke).toEqual([{ name: 'dog', said: 'Woo!' }]);
  expect(result.insertions).toBe(1);
});

it('gives chrF of 100 to the reference, 0 to nothing, and more to the closer text', () => {
  const reference = 'The library opens at nine.';
  expect(chrf([[reference, reference]])).toBeCloseTo(100);
  expect(chrf([[reference, '']])).toBe(0);
  expect(chrf([[reference, 'The library is open at nine.']])).toBeGreaterThan(chrf([[reference, 'It closes late.']]));
});
