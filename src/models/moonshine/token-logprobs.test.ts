import llama from 'llama-tokenizer-js';
import { expect, it } from 'vitest';
import { wordLogprobs } from './token-logprobs.ts';
import { decode } from './tokenizer.ts';

const id = (piece: string) => llama.vocabById.indexOf(piece);

it.each([
  [
    ['▁short', ','],
    [' short', ','],
  ],
  [
    ['▁short', ',', ','],
    [' short', ','],
  ],
  [
    ['▁short', ',,'],
    [' short', ','],
  ],
  [
    ['▁short', ',,', ','],
    [' short', ','],
  ],
  [
    ['▁a', ':', '::', 'b'],
    [' a', ':', 'b'],
  ],
  [
    ['short', '.', '.'],
    [' short', '.', '.'],
  ],
  [
    ['▁', '<0xE6>', '<0x97>', '<0xA5>'],
    [' ', '\\xe6', '\\x97', '\\xa5'],
  ],
])('wordLogprobs gives %j the text of the word', (pieces, texts) => {
  const tokens = pieces.map(id);
  expect(tokens).not.toContain(-1);
  const word = wordLogprobs(
    tokens,
    tokens.map((_, index) => -index),
  );
  expect(word.map(({ token }) => token)).toEqual(texts);
  expect(Buffer.from(word.flatMap(({ bytes }) => bytes)).toString()).toBe(` ${decode(tokens)}`);
});
