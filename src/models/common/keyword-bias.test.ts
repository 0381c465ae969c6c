import { describe, expect, it } from 'vitest';
import { KeywordBias } from './keyword-bias.ts';

const LETTERS = 50;

/** Tokens from 50 on continue a word. */
function biasOf(...keywords: number[][]) {
  return new KeywordBias(keywords, (_before, token) => token >= LETTERS);
}

function bonusOf(bias: KeywordBias, tokens: readonly number[]): number {
  let state = bias.start;
  tokens.forEach((token, index) => {
    state = bias.next(state, token, tokens[index - 1]);
  });
  return bias.final(state);
}

describe('KeywordBias', () => {
  it('raises a transcript by each keyword that it holds', () => {
    const bias = biasOf([1, 52, 53]);
    const one = bonusOf(bias, [7, 1, 52, 53, 8]);
    expect(one).toBeGreaterThan(0);
    expect(bonusOf(bias, [1, 52, 53, 1, 52, 53])).toBeCloseTo(2 * one);
    expect(bonusOf(bias, [7, 8])).toBe(0);
  });

  it('raises while a keyword is being spelled', () => {
    const bias = biasOf([1, 52, 53]);
    const first = bias.next(bias.start, 1, undefined);
    const second = bias.next(first, 52, 1);
    expect(first.bonus).toBeGreaterThan(0);
    expect(second.bonus).toBeGreaterThan(first.bonus);
  });

  it('takes the bonus back if a keyword is left before its end', () => {
    const bias = biasOf([1, 52, 53]);
    expect(bonusOf(bias, [1, 52, 9])).toBe(0);
    expect(bonusOf(bias, [1, 52])).toBe(0);
  });

  it('takes the bonus back if its last word goes on', () => {
    const bias = biasOf([1, 52]);
    expect(bonusOf(bias, [1, 52, 60])).toBe(0);
    expect(bonusOf(bias, [1, 52, 3])).toBeGreaterThan(0);
  });

  it('begins a keyword where another is left', () => {
    const bias = biasOf([1, 52], [3, 54]);
    expect(bonusOf(bias, [1, 3, 54])).toBe(bonusOf(bias, [3, 54]));
  });

  it('knows a keyword that begins another', () => {
    const bias = biasOf([1], [1, 2]);
    expect(bonusOf(bias, [1, 3])).toBeGreaterThan(0);
    expect(bonusOf(bias, [1, 2])).toBeGreaterThan(bonusOf(bias, [1, 3]));
  });

  it('keeps the bonus of the shorter one if the longer one is left', () => {
    const bias = biasOf([1], [1, 2, 3]);
    expect(bonusOf(bias, [1, 2, 9])).toBe(bonusOf(bias, [1, 9]));
  });

  it('bounds the bonus of long keywords', () => {
    const long = Array.from({ length: 40 }, (_, index) => LETTERS + index);
    expect(bonusOf(biasOf([1, ...long]), [1, ...long])).toBe(
      bonusOf(biasOf([1, ...long.slice(10)]), [1, ...long.slice(10)]),
    );
  });

  it('offers the tokens that begin or continue a keyword', () => {
    const bias = biasOf([1, 52], [3]);
    expect([...bias.candidates(bias.start)]).toEqual([1, 3]);
    expect([...bias.candidates(bias.next(bias.start, 1, undefined))]).toEqual([1, 3, 52]);
  });
});
