import { describe, expect, it } from 'vitest';
import type { Word } from '../../contracts/synthesis.ts';
import { fliteSynthesizer } from '../../models/flite/synthesizer.ts';
import { Chunker } from './chunker.ts';
import { WordReader, WordReading } from './word-reader.ts';
import { wordsOf } from './words.ts';

const { limits } = fliteSynthesizer(() => Promise.reject(new Error('not spoken')), 1);
const words = (text: string) => wordsOf(text.split(' ').map((word) => ({ written: word, spoken: word })));

/** Chunks as Flite takes them. @param first whether they are the first of a job */
function chunksOf(words: readonly Word[], { first = false, speed = 1 } = {}) {
  const chunker = new Chunker({ ...limits, ...(!first && { first: limits.usual }) }, speed);
  return chunker.cut(new WordReading(words));
}

const cut = (text: string, options: { first?: boolean; speed?: number } = {}) =>
  chunksOf(words(text), options).map(
    ({ units, boundary }) => `${units.map((word) => word.text + word.punctuation).join(' ')} | ${boundary}`,
  );
const sentence = 'the old man walked slowly down to the harbour, and he looked out over the grey water.';

describe('WordReading', () => {
  it('keeps a sentence whole that is not the first', () => {
    expect(cut(sentence)).toEqual([`${sentence} | sentence`]);
  });

  it('cuts the first chunk early, before a phrase or at punctuation', () => {
    expect(cut(sentence, { first: true })).toEqual([
      'the old man walked slowly down | word',
      'to the harbour, and he looked out over the grey water. | sentence',
    ]);
    expect(cut("don't you dare, she said, or i will tell the captain about it!", { first: true })[0]).toBe(
      "don't you dare, she said, | clause",
    );
  });

  it('keeps a short first sentence whole', () => {
    expect(cut('yes, but we should leave now.', { first: true })).toHaveLength(1);
  });

  it('cuts slow speech into shorter chunks', () => {
    const [chunk] = cut(sentence, { first: true, speed: 0.5 });
    expect(chunk!.length).toBeLessThan(30);
  });

  it('cuts a very long sentence at its clauses', () => {
    const chunks = cut(Array(20).fill('and when the rain had stopped the children ran into the garden,').join(' '));
    expect(chunks.length).toBeGreaterThan(4);
    for (const chunk of chunks) expect(chunk).toMatch(/garden, \| clause$/);
  });

  it('cuts between words if it must, but not after an article', () => {
    const chunks = cut(Array(100).fill('the wind').join(' '));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk).toMatch(/^the .* wind \| /);
  });

  it('limits the length of a chunk', () => {
    const sentence = words(Array(50).fill('the wind that came over the hills in the evening').join(' '));
    for (const speed of [1, 4]) {
      for (const { units } of chunksOf(sentence, { speed })) {
        expect(units.map(({ text }) => text).join(' ').length).toBeLessThan(170);
      }
    }
  });

  it('loses and repeats no word', () => {
    const long = words(Array(3000).fill('some words, and a few').join(' '));
    for (const first of [true, false]) {
      expect(chunksOf(long, { first }).flatMap(({ units }) => units)).toEqual(long);
    }
  });

  it('keeps the words of a token together as long as it can', () => {
    const tokens = ['now', 'one hundred and twenty three thousand four hundred and fifty six', 'and more'];
    const spoken = wordsOf(tokens.map((text) => ({ written: text, spoken: text })));
    const [chunk] = chunksOf(spoken, { first: true });
    expect(chunk!.units.map(({ text }) => text)).toEqual(['now']);
    const endless = wordsOf([{ written: 'x', spoken: 'one hundred '.repeat(100) }]);
    expect(chunksOf(endless).length).toBeGreaterThan(4);
  });

  it('tells how a chunk ends', () => {
    expect(cut('no punctuation')).toEqual(['no punctuation | sentence']);
    expect(cut('and so,')).toEqual(['and so, | clause']);
    expect(cut('')).toEqual([]);
  });
});

describe('WordReader', () => {
  it('reads tokens as words, with the pronunciations that their sentence asks for', async () => {
    const reader = await WordReader.load();
    const tokens = ['I', 'read', 'it', 'yesterday.'].map((word) => ({ written: word, spoken: word }));
    const { units } = await reader.read({ tokens }, { lexicon: undefined });
    expect(units.map(({ text, phones }) => phones ?? text)).toEqual(['i', 'r eh1 d', 'it', 'yesterday']);
  });
});
