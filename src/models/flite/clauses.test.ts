import { describe, expect, it } from 'vitest';
import { cutClauses } from './clauses.ts';
import { wordsOf } from './words.ts';

const words = (text: string) => wordsOf(text.split(' ').map((word) => ({ written: word, spoken: word })));
const cut = (text: string, options: { first?: boolean; speed?: number } = {}) =>
  cutClauses(words(text), { first: false, speed: 1, ...options }).map(
    (clause) => `${clause.words.map((word) => word.text + word.punctuation).join(' ')} | ${clause.joint}`,
  );
const sentence = 'the old man walked slowly down to the harbour, and he looked out over the grey water.';

describe('cutClauses', () => {
  it('leaves a sentence whole when nobody waits for it', () => {
    expect(cut(sentence)).toEqual([`${sentence} | sentence`]);
  });

  it('gives the first part early, before a phrase or at punctuation', () => {
    expect(cut(sentence, { first: true })).toEqual([
      'the old man walked slowly down | within a clause',
      'to the harbour, and he looked out over the grey water. | sentence',
    ]);
    expect(cut("don't you dare, she said, or i will tell the captain about it!", { first: true })[0]).toBe(
      "don't you dare, she said, | clause",
    );
  });

  it('leaves a short sentence whole even then', () => {
    expect(cut('yes, but we should leave now.', { first: true })).toHaveLength(1);
  });

  it('makes shorter parts of slow speech', () => {
    const [clause] = cut(sentence, { first: true, speed: 0.5 });
    expect(clause!.length).toBeLessThan(30);
  });

  it('cuts a very long sentence at its clauses', () => {
    const clauses = cut(Array(20).fill('and when the rain had stopped the children ran into the garden,').join(' '));
    expect(clauses.length).toBeGreaterThan(4);
    for (const clause of clauses) expect(clause).toMatch(/garden, \| clause$/);
  });

  it('cuts where it must, but not after an article', () => {
    const clauses = cut(Array(100).fill('the wind').join(' '));
    expect(clauses.length).toBeGreaterThan(2);
    for (const clause of clauses) expect(clause).toMatch(/^the .* wind \| /);
  });

  it('leaves no part so long that somebody waits for its end', () => {
    const sentence = words(Array(50).fill('the wind that came over the hills in the evening').join(' '));
    for (const speed of [1, 4]) {
      for (const clause of cutClauses(sentence, { first: false, speed })) {
        expect(clause.words.map(({ text }) => text).join(' ').length).toBeLessThan(170);
      }
    }
  });

  it('loses and repeats no word', () => {
    const long = words(Array(3000).fill('some words, and a few').join(' '));
    for (const first of [true, false]) {
      expect(cutClauses(long, { first, speed: 1 }).flatMap((clause) => clause.words)).toEqual(long);
    }
  });

  it('keeps the words of a token together as long as it can', () => {
    const tokens = ['now', 'one hundred and twenty three thousand four hundred and fifty six', 'and more'];
    const spoken = wordsOf(tokens.map((text) => ({ written: text, spoken: text })));
    const [clause] = cutClauses(spoken, { first: true, speed: 1 });
    expect(clause!.words.map(({ text }) => text)).toEqual(['now']);
    const endless = wordsOf([{ written: 'x', spoken: 'one hundred '.repeat(100) }]);
    expect(cutClauses(endless, { first: false, speed: 1 }).length).toBeGreaterThan(4);
  });

  it('says how a part ends', () => {
    expect(cut('no punctuation')).toEqual(['no punctuation | sentence']);
    expect(cut('and so,')).toEqual(['and so, | clause']);
    expect(cut('')).toEqual([]);
  });
});
