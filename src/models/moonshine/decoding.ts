import { loopLength } from '../common/repetition.ts';
import { moonshineTiny } from './graph/network.ts';
import type { DecoderState } from './model.ts';

const { beginToken, endToken } = moonshineTiny;

export interface DecodingResult {
  tokens: number[];
  /** Natural log probability of each token. */
  logprobs: number[];
  /** Attention over the encoder's frames of the step that chose each token. */
  attention: Float32Array[];
  /** False if the model looped or reached the maximum length, so that text may be missing. */
  complete: boolean;
}

/** A less probable end token at the very start is hesitation, not silence. */
const MIN_INITIAL_END_LOGPROB = Math.log(0.55);

/**
 * Decodes one window greedily until the end token.
 * @param maxTokens maximum length of the transcript
 */
export async function decodeGreedily(state: DecoderState, maxTokens: number): Promise<DecodingResult> {
  let step = await state.step(beginToken);
  if (step.token === endToken && step.logprob < MIN_INITIAL_END_LOGPROB) {
    state.reset();
    step = await state.step(beginToken, { forbidEnd: true });
  }
  const result: DecodingResult = { tokens: [], logprobs: [], attention: [], complete: true };
  while (step.token !== endToken) {
    result.tokens.push(step.token);
    result.logprobs.push(step.logprob);
    result.attention.push(step.attention);
    const repeated = loopLength(result.tokens);
    if (repeated > 0 || result.tokens.length >= maxTokens) {
      const kept = result.tokens.length - repeated;
      return {
        tokens: result.tokens.slice(0, kept),
        logprobs: result.logprobs.slice(0, kept),
        attention: result.attention.slice(0, kept),
        complete: false,
      };
    }
    step = await state.step(step.token);
  }
  return result;
}
