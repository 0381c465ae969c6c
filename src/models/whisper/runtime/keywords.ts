import { KeywordBias } from '../../common/keyword-bias.ts';
import { continuesWord, isWrittenWithoutSpaces } from '../../common/word-boundary.ts';
import type { Tokenizer } from './decoding.ts';

/** Keywords as the tokens that spell them at the start of a word. */
export function keywordBias(keywords: readonly string[], tokenizer: Pick<Tokenizer, 'encode' | 'decode'>): KeywordBias {
  const tokens = keywords
    .map((keyword) => keyword.trim())
    .map((keyword) => tokenizer.encode(isWrittenWithoutSpaces(keyword) ? keyword : ` ${keyword}`));
  return new KeywordBias(tokens, (before, token) =>
    continuesWord(tokenizer.decode([before]), tokenizer.decode([token])),
  );
}
