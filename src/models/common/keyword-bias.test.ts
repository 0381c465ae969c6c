import { describe, expect, it } from 'vitest';
import { KeywordBias } from './keyword-bias.ts';

const LETTERS = 50;

/** Tokens from 50 on continue a word. */
function biasOf(...keywords: number[][]) {
  return new KeywordBias(keywords, (_before, token) => token >= LETTERS);
}

describe('KeywordBias', () => {
  it('raises a transcript by each keyword that it holds', () => {
    const bias = biasOf([1, 52, 53]);
    const one = bias.bonusOf([7, 1, 52, 53, 8]);
    expect(one).toBeGreaterThan(0);
    expect(bias.bonusOf([1, 52, 53, 1, 52, 53])).toBeCloseTo(2 * one);
    expect(bias.bonusOf([7, 8])).toBe(0);
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
    expect(bias.bonusOf([1, 52, 9])).toBe(0);
    expect(bias.bonusOf([1, 52])).toBe(0);
  });

  it('takes the bonus back if its last word continues', () => {
    const bias = biasOf([1, 52]);
    expect(bias.bonusOf([1, 52, 60])).toBe(0);
    expect(bias.bonusOf([1, 52, 3])).toBeGreaterThan(0);
  });

  it('begins a keyword where it leaves another one', () => {
    const bias = biasOf([1, 52], [3, 54]);
    expect(bias.bonusOf([1, 3, 54])).toBe(bias.bonusOf([3, 54]));
  });

  it('knows a keyword that begins another', () => {
    const bias = biasOf([1], [1, 2]);
    expect(bias.bonusOf([1, 3])).toBeGreaterThan(0);
    expect(bias.bonusOf([1, 2])).toBeGreaterThan(bias.bonusOf([1, 3]));
  });

  it('keeps the bonus of the shorter one if the longer one is left', () => {
    const bias = biasOf([1], [1, 2, 3]);
    expect(bias.bonusOf([1, 2, 9])).toBe(bias.bonusOf([1, 9]));
  });

  it('bounds the bonus of long keywords', () => {
    const long = Array.from({ length: 40 }, (_, index) => LETTERS + index);
    expect(biasOf([1, ...long]).bonusOf([1, ...long])).toBe(
      biasOf([1, ...long.slice(10)]).bonusOf([1, ...long.slice(10)]),
    );
  });

  it('offers the tokens that begin or continue a keyword', () => {
    const bias = biasOf([1, 52], [3]);
    expect([...bias.candidates(bias.start)]).toEqual([1, 3]);
    expect([...bias.candidates(bias.next(bias.start, 1, undefined))]).toEqual([1, 3, 52]);
  });
});
