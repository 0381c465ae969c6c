import llama from 'llama-tokenizer-js';
import { KeywordBias } from '../common/keyword-bias.ts';
import { Logits } from '../common/logits.ts';
import { beamSearch, bestHypothesis, type SearchState, type SearchStep } from '../common/search.ts';
import { continuesWord } from '../common/word-boundary.ts';
import { moonshineTiny } from './graph/network.ts';
import { type DecoderState, type DecodingResult, MIN_INITIAL_END_LOGPROB } from './model.ts';
import { bytes } from './tokenizer.ts';

const { beginToken, endToken } = moonshineTiny;
/** More find hardly more keywords. */
const BEAM_SIZE = 3;

/** Keywords as the tokens that spell them after a space. */
export function keywordBias(keywords: readonly string[]): KeywordBias {
  const tokens = keywords.map((keyword) => llama.encode(keyword.trim(), false, true));
  return new KeywordBias(
    tokens.filter(({ length }) => length > 0),
    (before, token) => continuesWord(textOf(before), textOf(token)),
  );
}

const textOf = (token: number) => Buffer.from(bytes(token)).toString();

/**
 * Decodes one window with beams that favour keywords.
 * @param maxTokens maximum length of the transcript
 */
export async function decodeWithKeywords(
  state: DecoderState,
  maxTokens: number,
  keywords: KeywordBias,
): Promise<DecodingResult> {
  const streams = new Streams(state);
  const first = await streams.step([[beginToken]]);
  const hypotheses = await beamSearch(
    { state: streams, first, filter, endToken, isText: () => true, maxTokens, keywords },
    BEAM_SIZE,
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
