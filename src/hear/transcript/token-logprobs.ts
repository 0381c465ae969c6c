import { z } from 'zod';
import type { Segment, TokenLogprob } from '../../contracts/transcription.ts';
import type { Steps } from './steps.ts';

/** A token in answers and events, as the official libraries read it. */
export const tokenLogprobObject = z
  .object({
    token: z
      .string()
      .describe('Text of the token; bytes that are not a whole character are escaped, as in `\\xe2\\x82`.'),
    bytes: z.array(z.int()).describe('UTF-8 bytes of the token.'),
    logprob: z.number().describe('Natural logarithm of its probability.'),
  })
  .meta({ id: 'TokenLogprob' });

/**
 * Renders the tokens of all segments as a JSON array, without the whitespace around the whole text: joined, they are the
 * trimmed text.
 */
export function* logprobSteps(segments: readonly Pick<Segment, 'logprobs'>[]): Steps<string> {
  const items: string[] = [];
  for (const tokens of trimmedTokens(segments)) {
    for (const token of tokens) items.push(JSON.stringify(token));
    yield;
  }
  return `[${items.join()}]`;
}

/** The tokens of a short text, in the same form. */
export function textLogprobs(segments: readonly Pick<Segment, 'logprobs'>[]): TokenLogprob[] {
  return [...trimmedTokens(segments)].flat();
}

/** The tokens of each segment, without the whitespace around the whole text. */
function* trimmedTokens(segments: readonly Pick<Segment, 'logprobs'>[]): Generator<TokenLogprob[]> {
  const hasText = ({ logprobs = [] }: Pick<Segment, 'logprobs'>) => logprobs.some(({ token }) => token.trim() !== '');
  const first = segments.findIndex(hasText);
  const last = segments.findLastIndex(hasText);
  for (let index = Math.max(0, first); index <= last; index++) {
    let { logprobs = [] } = segments[index]!;
    if (index === first) logprobs = withoutLeadingSpace(logprobs);
    if (index === last) logprobs = withoutTrailingSpace(logprobs);
    yield logprobs.map(rounded);
  }
}

/**
 * The tokens of a segment in a stream.
 * @param isFirst the text of the segment is sent without its leading space
 */
export function deltaLogprobs({ logprobs = [] }: Pick<Segment, 'logprobs'>, isFirst: boolean): TokenLogprob[] {
  return (isFirst ? withoutLeadingSpace(logprobs) : logprobs).map(rounded);
}

function withoutLeadingSpace(tokens: readonly TokenLogprob[]): TokenLogprob[] {
  const first = tokens.findIndex(({ token }) => token.trim() !== '');
  return first < 0 ? [] : tokens.slice(first).map((each, index) => (index === 0 ? trimmed(each, 'trimStart') : each));
}

function withoutTrailingSpace(tokens: readonly TokenLogprob[]): TokenLogprob[] {
  const last = tokens.findLastIndex(({ token }) => token.trim() !== '');
  return tokens.slice(0, last + 1).map((each, index) => (index === last ? trimmed(each, 'trimEnd') : each));
}

function trimmed({ token, bytes, logprob }: TokenLogprob, trim: 'trimStart' | 'trimEnd'): TokenLogprob {
  const text = token[trim]();
  const removed = Buffer.byteLength(token) - Buffer.byteLength(text);
  const kept = trim === 'trimStart' ? bytes.slice(removed) : bytes.slice(0, bytes.length - removed);
  return { token: text, bytes: kept, logprob };
}

/** Six decimals: more are noise of the model's arithmetic. Sums of exponentials may round above 0. */
function rounded({ token, bytes, logprob }: TokenLogprob): TokenLogprob {
  return { token, bytes, logprob: Math.round(Math.min(0, logprob) * 1e6) / 1e6 + 0 };
}
