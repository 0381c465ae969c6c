import type { TokenLogprob } from '../../contracts/transcription.ts';
import { tokenLogprob } from '../common/token-logprobs.ts';
import { bytes } from './tokenizer.ts';

/**
 * The tokens of a word, with one space before it, as in the text of a segment: without the marks that the model repeats.
 * @param logprobs natural log probability of each token
 */
export function wordLogprobs(tokens: readonly number[], logprobs: readonly number[]): TokenLogprob[] {
  let written = ' ';
  return tokens.flatMap((token, index) => {
    // A character for each byte: a token may end within one.
    const piece = Buffer.from(bytes(token)).toString('latin1');
    const joined = (written + (index === 0 ? piece.replace(/^ +/, '') : piece)).replace(/([,;:])\1+/g, '$1');
    const added = index === 0 ? joined : joined.slice(written.length);
    written = joined;
    return added === '' ? [] : [tokenLogprob(Buffer.from(added, 'latin1'), logprobs[index]!)];
  });
}
