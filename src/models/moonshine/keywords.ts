import { KeywordBias } from '../common/keyword-bias.ts';
import { continuesWord } from '../common/word-boundary.ts';
import { bytes, encode } from './tokenizer.ts';

/** Keywords as the tokens that spell them after a space. */
export function keywordBias(keywords: readonly string[]): KeywordBias {
  const tokens = keywords.map(encode);
  return new KeywordBias(
    tokens.filter(({ length }) => length > 0),
    (before, token) => continuesWord(textOf(before), textOf(token)),
  );
}

const textOf = (token: number) => Buffer.from(bytes(token)).toString();
