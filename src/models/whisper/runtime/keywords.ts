import { KeywordBias } from '../../common/keyword-bias.ts';
import type { Tokenizer } from './decoding.ts';

/** Scripts that write no spaces between words. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]/u;
const LETTER_AT_START = /^[\p{L}\p{M}\p{N}]/u;
const LETTER_AT_END = /[\p{L}\p{M}\p{N}]$/u;

/** Keywords as tokens, as they are written at the start of a word. */
export function keywordBias(keywords: readonly string[], tokenizer: Tokenizer): KeywordBias {
  const tokens = keywords.map((keyword) => tokenizer.encode(WITHOUT_SPACES.test(keyword[0]!) ? keyword : ` ${keyword}`));
  return new KeywordBias(tokens, (before, token) => {
    const [left, right] = [tokenizer.decode([before]), tokenizer.decode([token])];
    if (!LETTER_AT_END.test(left) || !LETTER_AT_START.test(right)) return false;
    return !WITHOUT_SPACES.test(left) && !WITHOUT_SPACES.test(right);
  });
}
