import { describe, expect, it } from 'vitest';
import { segment } from '../../../test/fixtures/transcription-app.ts';
import { guessedWords } from './guessed-words.ts';

const words = (...texts: string[]) => guessedWords(texts.map((text, index) => segment(text, 2 * index, 2 * index + 2)));

describe('guessedWords', () => {
  it('parts words from the punctuation after them, and loses nothing', () => {
    const texts = [' And so, my "fellow" Americans.', ' Ask!'];
    const guessed = words(...texts);
    expect(guessed.map(({ text }) => text)).toEqual([' And', ' so', ' my', ' "fellow', ' Americans', ' Ask']);
    expect(guessed.map(({ text, after }) => text + after).join('')).toBe(texts.join(''));
  });

  it('keeps languages without spaces', () => {
    const timed = ['今日', 'は', '良い'].map((word, index) => ({ word, start: index, end: index + 1, probability: 1 }));
    expect(guessedWords([{ text: '今日は良い。', end: 3, words: timed }])).toEqual([
      { text: '今日', after: '', start: 0, end: 1, probability: 1 },
      { text: 'は', after: '', start: 1, end: 2, probability: 1 },
      { text: '良い', after: '', start: 2, end: 3, probability: 1 },
      { text: '。', after: '', start: 3, end: 3, probability: 0 },
    ]);
  });

  it('cuts text without word times at spaces', () => {
    expect(guessedWords([{ text: ' Hello there.', end: 3, words: [] }])).toEqual([
      { text: ' Hello', after: '', start: 3, end: 3, probability: 0 },
      { text: ' there', after: '.', start: 3, end: 3, probability: 0 },
    ]);
  });

  it('gives each part the tokens that begin in it, also those that end within a character', () => {
    const bytes = Buffer.from(' Né? 日本');
    const cuts = [0, 3, 5, 7, 8, bytes.length];
    const logprobs = cuts.slice(1).map((end, index) => {
      const part = bytes.subarray(cuts[index], end);
      return { token: part.toString('latin1'), bytes: [...part], logprob: -index };
    });
    const parts = guessedWords([{ ...segment(' Né? 日本', 0, 2), logprobs }]);
    const begins = parts.map(({ text, tokens, after, tokensAfter }) => [
      text,
      tokens?.map(({ logprob }) => -logprob),
      after,
      tokensAfter?.map(({ logprob }) => -logprob),
    ]);
    expect(begins).toEqual([
      [' Né', [0, 1], '?', []],
      [' 日本', [2, 3, 4], '', []],
    ]);
  });
});
