import type { BiasState, KeywordBias } from './keyword-bias.ts';
import type { Choice, Logits } from './logits.ts';
import { loopLength } from './repetition.ts';

/** Result of one step, for every stream. */
export interface SearchStep {
  /** For each stream, after its last token; the caller may overwrite them. */
  logits: Logits[];
  /** Cross-attention of each stream's last token, in the model's own form. */
  attention: Float32Array[];
}

/** Sequences over one encoded window, side by side. */
export interface SearchState {
  /**
   * Feeds every stream its tokens.
   * @param tokens for each stream the same number of tokens, at least one
   * @param options.summed the text tokens may come as a summary
   * @param options.choices how many of the best tokens a summary must contain; default: 1
   */
  step(tokens: readonly (readonly number[])[], options?: { summed: boolean; choices?: number }): Promise<SearchStep>;
  /**
   * Makes stream `parents[i]` stream `i`: `[0, 0, 0]` forks one stream, beam search reorders, and streams not listed are
   * dropped. All streams share one cross-attention cache.
   */
  keep(parents: readonly number[]): void;
}

/** A transcript while it is being decoded. */
export interface Hypothesis {
  /** Text and timestamps, without the end token. */
  readonly tokens: readonly number[];
  /** Natural log probability of each token. */
  readonly logprobs: readonly number[];
  /** Attention of the step that chose each token, and the end token if there is one. */
  readonly attention: readonly Float32Array[];
  /** Sum of all log probabilities, that of the end token included. */
  readonly sum: number;
  /** Whether the end token was chosen. */
  readonly ended: boolean;
  /** Tokens at the end that only loop over the ones before them. */
  readonly repeated: number;
  /** Progress within keywords; absent without any. */
  readonly bias?: BiasState;
}

const emptyHypothesis: Hypothesis = {
  tokens: [],
  logprobs: [],
  attention: [],
  sum: 0,
  ended: false,
  repeated: 0,
};

/** What `sample` and `beamSearch` start from. */
export interface Search {
  /** One stream that has been fed the start of the transcript. */
  state: SearchState;
  /** Result of the state's last step. */
  first: SearchStep;
  filter: {
    /** @param sampled tokens of the transcript so far */
    apply(logits: Logits, sampled: readonly number[]): void;
  };
  /** Ends a transcript. */
  endToken: number;
  /** Whether a token is text. Loops are found in the text alone: timestamps never repeat. */
  isText: (token: number) => boolean;
  maxTokens: number;
  /** Raises the rank of hypotheses with keywords; beam search only. */
  keywords?: KeywordBias | undefined;
}

/**
 * Greedy decoding at temperature 0, sampling above it.
 * @param options.streams transcripts sampled side by side; 1 is enough at temperature 0
 */
export async function sample(
  search: Search,
  { temperature, streams, random }: { temperature: number; streams: number; random: () => number },
): Promise<Hypothesis[]> {
  const { state, first, filter, maxTokens } = search;
  const hypotheses = new Array<Hypothesis>(streams).fill(emptyHypothesis);
  // Finished hypotheses leave the state: live[i] is the hypothesis of its stream i.
  let live = [...hypotheses.keys()];
  if (streams > 1) state.keep(new Array<number>(streams).fill(0));
  let logits = live.map(() => first.logits[0]!);
  let attention = live.map(() => first.attention[0]!);
  for (;;) {
    const unfinished: number[] = [];
    for (const [stream, index] of live.entries()) {
      const next = logits[stream]!;
      filter.apply(next, hypotheses[index]!.tokens);
      const choice = temperature === 0 ? next.mostProbable() : next.draw(temperature, random);
      const hypothesis = extend(hypotheses[index]!, choice, attention[stream]!, search);
      hypotheses[index] = hypothesis;
      const { ended, repeated, tokens } = hypothesis;
      if (!ended && repeated === 0 && tokens.length < maxTokens) unfinished.push(stream);
    }
    if (unfinished.length === 0) return hypotheses;
    if (unfinished.length < live.length) {
      state.keep(unfinished);
      live = unfinished.map((stream) => live[stream]!);
    }
    const tokens = live.map((index) => [hypotheses[index]!.tokens.at(-1)!]);
    ({ logits, attention } = await state.step(tokens, { summed: temperature === 0 }));
  }
}

/**
 * Beam search as the `BeamSearchDecoder` of openai/whisper with patience 1: it stops once `beamSize` transcripts have
 * ended. Unlike there, a beam that loops is finished too, so that it does not crowd out the others.
 * @returns at most `beamSize` transcripts, in no particular order
 */
export async function beamSearch(search: Search, beamSize: number): Promise<Hypothesis[]> {
  const { state, first, filter, maxTokens, keywords } = search;
  const finished: Hypothesis[] = [];
  let live: Hypothesis[] = [keywords ? { ...emptyHypothesis, bias: keywords.start } : emptyHypothesis];
  const choices = beamSize + 1;
  let step = first;
  for (let length = 1; ; length++) {
    const candidates = live.flatMap((hypothesis, stream) => {
      const logits = step.logits[stream]!;
      filter.apply(logits, hypothesis.tokens);
      const also = hypothesis.bias ? keywords!.candidates(hypothesis.bias) : [];
      return logits.topChoices(choices, also).map((choice) => {
        const bias = hypothesis.bias && keywords!.next(hypothesis.bias, choice.token, hypothesis.tokens.at(-1));
        return { stream, choice, bias, score: hypothesis.sum + choice.logprob + (bias?.bonus ?? 0) };
      });
    });
    candidates.sort((a, b) => b.score - a.score);

    const next: Hypothesis[] = [];
    const parents: number[] = [];
    for (const { stream, choice, bias } of candidates) {
      const extended = extend(live[stream]!, choice, step.attention[stream]!, search);
      const hypothesis = bias ? { ...extended, bias } : extended;
      if (hypothesis.ended || hypothesis.repeated > 0) {
        if (finished.length < beamSize) finished.push(hypothesis);
      } else {
        next.push(hypothesis);
        parents.push(stream);
        if (next.length === beamSize) break;
      }
    }
    live = next;
    if (live.length === 0 || finished.length >= beamSize || length >= maxTokens) break;
    state.keep(parents);
    step = await state.step(
      live.map(({ tokens }) => [tokens.at(-1)!]),
      // Keywords may be any tokens.
      { summed: keywords === undefined, choices },
    );
  }
  return [...finished, ...live.slice(0, beamSize - finished.length)];
}

/**
 * The most probable transcript for its length, as openai/whisper ranks them, with the bonus of its keywords. A loop
 * wins only if all hypotheses loop, because nothing is as probable as the next repetition.
 */
export function bestHypothesis(hypotheses: readonly Hypothesis[], keywords?: KeywordBias): Hypothesis {
  const score = ({ sum, tokens, bias }: Hypothesis) =>
    (sum + (bias ? keywords!.final(bias) : 0)) / Math.max(1, tokens.length);
  return hypotheses.reduce((leader, other) => {
    const loops = [leader, other].map(({ repeated }) => repeated > 0);
    if (loops[0] !== loops[1]) return loops[0] ? other : leader;
    return score(other) > score(leader) ? other : leader;
  });
}

/**
 * Adds one token to a hypothesis.
 * @param attention of the step that chose the token
 */
function extend(
  hypothesis: Hypothesis,
  { token, logprob }: Choice,
  attention: Float32Array,
  { endToken, isText }: Search,
): Hypothesis {
  const ended = token === endToken;
  const tokens = ended ? hypothesis.tokens : [...hypothesis.tokens, token];
  return {
    tokens,
    logprobs: ended ? hypothesis.logprobs : [...hypothesis.logprobs, logprob],
    attention: [...hypothesis.attention, attention],
    sum: hypothesis.sum + logprob,
    ended,
    repeated: ended ? 0 : repeatedTokens(tokens, isText),
  };
}

function repeatedTokens(tokens: readonly number[], isText: Search['isText']): number {
  if (!isText(tokens.at(-1)!)) return 0;
  const text = [...tokens.keys()].filter((index) => isText(tokens[index]!));
  const repeated = loopLength(text.map((index) => tokens[index]!));
  return repeated === 0 ? 0 : tokens.length - text[text.length - repeated]!;
}
