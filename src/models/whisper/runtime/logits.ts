import { argmax, type Choice, draw, logSumExp, maximum, topChoices } from './distribution.ts';

/** What is known of the first tokens of a vocabulary where their logits are not handed out: all of them are text. */
export interface TextSummary {
  /** How many they are. */
  tokens: number;
  /** The best of them … */
  best: number;
  /** … and its logit. */
  logit: number;
  /** `log Σ exp(logit)` over all of them. */
  total: number;
}

/**
 * Logits of the token that comes next: of the whole vocabulary, or of what follows the first text tokens, of which there
 * is a summary.
 */
export class Logits {
  /** Of the tokens from `first` on. */
  readonly values: Float32Array;
  readonly first: number;
  #summary: TextSummary | undefined;

  /** @param values `[vocabulary]`, or as many fewer as the summary is of; overwritten by `forbid` */
  constructor(values: Float32Array, summary?: TextSummary) {
    this.values = values;
    this.first = summary?.tokens ?? 0;
    this.#summary = summary;
  }

  /** Makes tokens impossible, but for those of a summary: whoever made it has left out what is to be left out of it. */
  forbidEach(tokens: readonly number[]): void {
    for (const token of tokens) if (token >= this.first) this.values[token - this.first] = Number.NEGATIVE_INFINITY;
  }

  /** Makes tokens impossible, from `from` to `to`, exclusive. @throws RangeError for a part of a summary */
  forbid(from: number, to?: number): void {
    if (this.#includesSummary(from, to)) this.#summary = undefined;
    this.#part(from, to).fill(Number.NEGATIVE_INFINITY);
  }

  /** The largest logit from `from` to `to`, exclusive; minus infinity where nothing is possible. */
  maximum(from: number, to?: number): number {
    const largest = maximum(this.#part(from, to));
    return this.#includesSummary(from, to) ? Math.max(this.#summary!.logit, largest) : largest;
  }

  /** `log Σ exp(logit)` from `from` to `to`, exclusive; minus infinity where nothing is possible. */
  logSumExp(from = 0, to?: number): number {
    const total = logSumExp(this.#part(from, to));
    return this.#includesSummary(from, to) ? logAddExp(this.#summary!.total, total) : total;
  }

  /** The logit of a token that is not in the summary. */
  of(token: number): number {
    return this.values[token - this.first]!;
  }

  /** Probability, 0 to 1, of a token that is not in the summary, by the softmax of all. */
  probability(token: number): number {
    return Math.exp(this.of(token) - this.logSumExp());
  }

  /** The token of the largest logit: greedy decoding. */
  mostProbable(): Choice {
    const index = argmax(this.values);
    const logit = this.values[index]!;
    const text = this.#summary;
    if (text && text.logit >= logit) return { token: text.best, logprob: text.logit - this.logSumExp() };
    return { token: this.first + index, logprob: logit - this.logSumExp() };
  }

  /** The most probable tokens, at most `count`, best first; impossible ones are left out. @throws Error where text is summed up */
  topChoices(count: number): Choice[] {
    return topChoices(this.#each(), count).map((choice) => this.#placed(choice));
  }

  /**
   * Draws a token from the softmax of `logits / temperature`; the log probability is that at temperature 1.
   * @param random uniform in 0 … 1, exclusive
   * @throws Error where text is summed up
   */
  draw(temperature: number, random: () => number): Choice {
    return this.#placed(draw(this.#each(), temperature, random));
  }

  #each(): Float32Array {
    if (this.#summary) throw new Error('Of text that is summed up no token can be told from another');
    return this.values;
  }

  #placed({ token, logprob }: Choice): Choice {
    return { token: this.first + token, logprob };
  }

  #part(from: number, to = Number.POSITIVE_INFINITY): Float32Array {
    return this.values.subarray(Math.max(0, from - this.first), Math.max(0, to - this.first));
  }

  #includesSummary(from: number, to = Number.POSITIVE_INFINITY): boolean {
    if (!this.#summary || from >= this.first) return false;
    if (from > 0 || to < this.first) throw new RangeError(`Tokens ${from} to ${to} are a part of what is summed up`);
    return true;
  }
}

/** `log(exp(a) + exp(b))` */
function logAddExp(a: number, b: number): number {
  const larger = Math.max(a, b);
  return larger === Number.NEGATIVE_INFINITY ? larger : larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
}
