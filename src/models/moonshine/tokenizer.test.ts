import llama from 'llama-tokenizer-js';
import { describe, expect, it } from 'vitest';
import { decode, words } from './tokenizer.ts';

const encode = (text: string) => llama.encode(text, false);

describe('decode', () => {
  it('decodes encoded text', () => {
    for (const text of ["It's 3.50 – don't you think?", 'naïve café', 'The quick brown fox.']) {
      expect(decode(encode(text))).toBe(text);
    }
  });

  it('joins the bytes of a character', () => {
    const tokens = encode('so 😀 ok');
    expect(tokens.some((token) => llama.vocabById[token]!.startsWith('<0x'))).toBe(true);
    expect(decode(tokens)).toBe('so 😀 ok');
  });

  it('gives no text for special tokens and ids above the vocabulary', () => {
    expect(decode([1, 2, 32_700])).toBe('');
  });
});

describe('words', () => {
  it('groups tokens by leading spaces', () => {
    const tokens = encode('Antidisestablishmentarianism, indeed!');
    const grouped = words(tokens);
    expect(grouped.map(({ text }) => text)).toEqual(['Antidisestablishmentarianism,', 'indeed!']);
    expect(grouped[0]).toMatchObject({ first: 0, end: grouped[1]!.first });
    expect(grouped[1]!.end).toBe(tokens.length);
  });

  it('writes a doubled comma once and drops words without text', () => {
    expect(words([...encode('In short,'), llama.vocabByString.get(',')!]).at(-1)!.text).toBe('short,');
    expect(words([])).toEqual([]);
    expect(words([32_700])).toEqual([]);
  });
});
