import type { KeywordBias } from '../common/keyword-bias.ts';
import { Logits } from '../common/logits.ts';
import { beamSearch, bestHypothesis, type SearchState, type SearchStep } from '../common/search.ts';
import { moonshineTiny } from './graph/network.ts';
import { type DecoderState, type DecodingResult, MIN_INITIAL_END_LOGPROB } from './model.ts';

const { beginToken, endToken } = moonshineTiny;
/**
 * Decodes one window with several beams.
 * @param state at its first step
 * @param options.maxTokens maximum length of the transcript
 * @param options.keywords whose tokens become more probable
 */
export async function decodeWithBeams(
  state: DecoderState,
  { maxTokens, beamSize, keywords }: { maxTokens: number; beamSize: number; keywords?: KeywordBias | undefined },
): Promise<DecodingResult> {
  const streams = new Streams(state);
  const first = await streams.step([[beginToken]]);
  const hypotheses = await beamSearch(
    { state: streams, first, filter, endToken, isText: () => true, maxTokens, keywords },
    beamSize,
  );
  const { tokens, logprobs, attention, ended, repeated } = bestHypothesis(hypotheses, keywords);
  const kept = tokens.length - repeated;
  return {
    tokens: tokens.slice(0, kept),
    logprobs: logprobs.slice(0, kept),
    attention: attention.slice(0, kept),
    complete: ended,
  };
}

const filter = {
  apply(logits: Logits, sampled: readonly number[]): void {
    if (sampled.length > 0) return;
    const isHesitation = Math.log(logits.probability(endToken)) < MIN_INITIAL_END_LOGPROB;
    if (isHesitation) logits.forbidEach([endToken]);
  },
};

/** Decoders of one window side by side, each with its own key-value cache. */
class Streams implements SearchState {
  #states: DecoderState[];

  constructor(state: DecoderState) {
    this.#states = [state];
  }

  async step(tokens: readonly (readonly number[])[]): Promise<SearchStep> {
    const step: SearchStep = { logits: [], attention: [] };
    for (const [stream, state] of this.#states.entries()) {
      const { logits, attention } = await state.step(tokens[stream]!.at(-1)!, { logits: true });
      step.logits.push(new Logits(logits!));
      step.attention.push(attention);
    }
    return step;
  }

  keep(parents: readonly number[]): void {
    const taken = new Set<number>();
    this.#states = parents.map((parent) => {
      const state = this.#states[parent]!;
      if (taken.has(parent)) return state.fork();
      taken.add(parent);
      return state;
    });
  }
}
