import { loopLength } from '../../common/repetition.ts';
import type { Choice } from './distribution.ts';
import type { SpecialTokens } from './tokenizer.ts';

/** A transcript while it is being decoded. */
export interface Hypothesis {
  /** Text and timestamps, without the end-of-text token. */
  readonly tokens: readonly number[];
  /** Natural log probability of each token. */
  readonly logprobs: readonly number[];
  /** For each token, and for the end-of-text token if it was chosen, the attention that it was chosen with. */
  readonly attention: readonly Float32Array[];
  /** Of all log probabilities, that of the end-of-text token included. */
  readonly sum: number;
  /** Whether the end-of-text token was chosen. */
  readonly ended: boolean;
  /** How many tokens at the end say nothing that was not said before, over and over. */
  readonly repeated: number;
}

/** What every transcript starts from. */
export const nothingSaid: Hypothesis = {
  tokens: [],
  logprobs: [],
  attention: [],
  sum: 0,
  ended: false,
  repeated: 0,
};

/**
 * A transcript with one more token.
 * @param attention what the token was chosen with
 */
export function extended(
  hypothesis: Hypothesis,
  { token, logprob }: Choice,
  attention: Float32Array,
  special: Pick<SpecialTokens, 'endOfText'>,
): Hypothesis {
  const ended = token === special.endOfText;
  const tokens = ended ? hypothesis.tokens : [...hypothesis.tokens, token];
  return {
    tokens,
    logprobs: ended ? hypothesis.logprobs : [...hypothesis.logprobs, logprob],
    attention: [...hypothesis.attention, attention],
    sum: hypothesis.sum + logprob,
    ended,
    repeated: ended ? 0 : repeatedTokens(tokens, special),
  };
}

/** Counted over the text alone: a loop may come with timestamps, which never repeat. */
function repeatedTokens(tokens: readonly number[], { endOfText }: Pick<SpecialTokens, 'endOfText'>): number {
  if (tokens.at(-1)! >= endOfText) return 0;
  const text = [...tokens.keys()].filter((index) => tokens[index]! < endOfText);
  const repeated = loopLength(text.map((index) => tokens[index]!));
  return repeated === 0 ? 0 : tokens.length - text[text.length - repeated]!;
}
