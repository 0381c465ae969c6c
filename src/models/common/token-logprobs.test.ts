import { describe, expect, it } from 'vitest';
import { tokenLogprob } from './token-logprobs.ts';

describe('tokenLogprob', () => {
  it.each([
    ['a word with its space', Buffer.from(' Kennedy'), ' Kennedy'],
    ['several characters', Buffer.from('日本'), '日本'],
    ['the start of a character', Uint8Array.of(0xf0, 0x9f, 0x92), '\\xf0\\x9f\\x92'],
    ['the end of a character', Uint8Array.of(0x99), '\\x99'],
    ['a space and the start of a character', Uint8Array.of(0x20, 0xe2, 0x82), ' \\xe2\\x82'],
    ['the end of a character and a letter', Uint8Array.of(0x0a, 0x82, 0x61), '\n\\x82a'],
    ['a byte-order mark', Uint8Array.of(0xef, 0xbb, 0xbf), '\ufeff'],
    ['nothing', new Uint8Array(0), ''],
  ])('writes %s', (_name, bytes, token) => {
    expect(tokenLogprob(bytes, -0.5)).toEqual({ token, bytes: [...bytes], logprob: -0.5 });
  });
});
