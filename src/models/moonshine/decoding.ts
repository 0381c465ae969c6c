import { loopLength } from '../common/repetition.ts';
import { moonshineTiny } from './graph/network.ts';
import type { DecoderState } from './model.ts';

const { beginToken, endToken } = moonshineTiny;

export interface Decoded {
  tokens: number[];
  /** Natural log probability of each token. */
  logprobs: number[];
  /** For each token, the attention over the encoder's frames that it was chosen with. */
  attention: Float32Array[];
  /** False where the model ran into a loop or out of room: what it says may not be all that was said. */
  complete: boolean;
}

/** An end token less probable than this, right at the start, is a hesitation and not silence. */
const HESITANT_END = Math.log(0.55);

/**
 * Greedy decoding of one window until the end token.
 * @param maxTokens bound on the transcript's length
 */
export async function decodeGreedily(state: DecoderState, maxTokens: number): Promise<Decoded> {
  let step = await state.step(beginToken);
  if (step.token === endToken && step.logprob < HESITANT_END) {
    state.reset();
    step = await state.step(beginToken, { forbidEnd: true });
  }
  const decoded: Decoded = { tokens: [], logprobs: [], attention: [], complete: true };
  while (step.token !== endToken) {
    decoded.tokens.push(step.token);
    decoded.logprobs.push(step.logprob);
    decoded.attention.push(step.attention);
    const repeated = loopLength(decoded.tokens);
    if (repeated > 0 || decoded.tokens.length >= maxTokens) {
      const kept = decoded.tokens.length - repeated;
      return {
        tokens: decoded.tokens.slice(0, kept),
        logprobs: decoded.logprobs.slice(0, kept),
        attention: decoded.attention.slice(0, kept),
        complete: false,
      };
    }
    step = await state.step(step.token);
  }
  return decoded;
}
