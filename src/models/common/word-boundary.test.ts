import { describe, expect, it } from 'vitest';
import { continuesWord, isWrittenWithoutSpaces } from './word-boundary.ts';

describe('continuesWord', () => {
  it.each([
    ['Ann', 'ual', true],
    ['Ann', ' is', false],
    ['Ann', "'s", false],
    ['Ann', '.', false],
    ['4', '2', true],
    ['-', 'up', false],
    ['Grüße', 'n', true],
    ['東京', '都', false],
    ['Windows', 'で', false],
    ['', 'a', false],
  ])('decides whether %j continues with %j', (before, text, expected) => {
    expect(continuesWord(before, text)).toBe(expected);
  });
});

describe('isWrittenWithoutSpaces', () => {
  it.each([
    ['東京', true],
    ['ラーメン', true],
    ['𠮷野家', true],
    ['กรุงเทพ', true],
    ['Tokyo', false],
    ['서울', false],
    ['', false],
  ])('knows the script of %j', (text, expected) => {
    expect(isWrittenWithoutSpaces(text)).toBe(expected);
  });
});
