/** A token and the natural logarithm of its probability. */
export interface Choice {
  token: number;
  logprob: number;
}

/** Summary of the first tokens of a vocabulary, all of them text, instead of their logits. */
export interface TextSummary {
  /** Number of tokens it covers. */
  tokens: number;
  /** The token with the largest logit. */
  best: number;
  /** Logit of `best`. */
  logit: number;
  /** `log Σ exp(logit)` over all of them. */
  total: number;
  /** Logits among which the best `count` tokens are; absent if only one can be chosen. */
  candidates?: { logits: Float32Array; count: number; token: (index: number) => number };
}

/** Logits of the next token: over the whole vocabulary, or over the tokens after those that a summary covers. */
export class Logits {
  /** Logits of the tokens from `first` on. */
  readonly values: Float32Array;
  readonly first: number;
  #summary: TextSummary | undefined;

  /** @param values `[vocabulary − summary.tokens]`; overwritten by `forbid` */
  constructor(values: Float32Array, summary?: TextSummary) {
    this.values = values;
    this.first = summary?.tokens ?? 0;
    this.#summary = summary;
  }

  /** Makes tokens impossible. Skips those that a summary covers: the graph leaves suppressed tokens out. */
  forbidEach(tokens: readonly number[]): void {
    for (const token of tokens) if (token >= this.first) this.values[token - this.first] = Number.NEGATIVE_INFINITY;
  }

  /** Makes tokens impossible, from `from` to `to`, exclusive. @throws RangeError for a part of a summary */
  forbid(from: number, to?: number): void {
    if (this.#includesSummary(from, to)) this.#summary = undefined;
    this.#slice(from, to).fill(Number.NEGATIVE_INFINITY);
  }

  /** The largest logit from `from` to `to`, exclusive; minus infinity if all are impossible. */
  maximum(from: number, to?: number): number {
    const largest = maximum(this.#slice(from, to));
    return this.#includesSummary(from, to) ? Math.max(this.#summary!.logit, largest) : largest;
  }

  /** `log Σ exp(logit)` from `from` to `to`, exclusive; minus infinity if all are impossible. */
  logSumExp(from = 0, to?: number): number {
    const total = logSumExp(this.#slice(from, to));
    return this.#includesSummary(from, to) ? logAddExp(this.#summary!.total, total) : total;
  }

  /** The logit of a token outside the summary. */
  of(token: number): number {
    return this.values[token - this.first]!;
  }

  /** Softmax probability, 0 to 1, of a token outside the summary. */
  probability(token: number): number {
    return Math.exp(this.of(token) - this.logSumExp());
  }

  /** The token with the largest logit: greedy decoding. */
  mostProbable(): Choice {
    const index = argmax(this.values);
    const logit = this.values[index]!;
    const summary = this.#summary;
    if (summary && summary.logit >= logit) return { token: summary.best, logprob: summary.logit - this.logSumExp() };
    return { token: this.first + index, logprob: logit - this.logSumExp() };
  }

  /**
   * The most probable tokens, at most `count`, best first, then those of `also` that are not among them. Without impossible
   * ones.
   * @throws Error if text is summarized and its summary has too few tokens
   */
  topChoices(count: number, also: Iterable<number> = []): Choice[] {
    const named = new Set(also);
    if (this.#summary?.candidates && named.size === 0) return this.#topChoicesOfSummary(this.#summary, count);
    this.#assertNoSummary();
    const others = [...named].flatMap((token) => (token >= this.first ? [token - this.first] : []));
    return topChoices(this.values, count, others).map((choice) => this.#withTokenId(choice));
  }

  #topChoicesOfSummary({ candidates, total: ofText }: TextSummary, count: number): Choice[] {
    if (count > candidates!.count) throw new Error(`The summary has ${candidates!.count} tokens, not ${count}`);
    const total = logAddExp(ofText, logSumExp(this.values));
    const { logits, token } = candidates!;
    const text = largest(logits, count).map((index) => ({ token: token(index), logprob: logits[index]! - total }));
    const others = largest(this.values, count).map((index) => ({
      token: this.first + index,
      logprob: this.values[index]! - total,
    }));
    return [...text, ...others].sort((a, b) => b.logprob - a.logprob).slice(0, count);
  }

  /**
   * Draws a token from the softmax of `logits / temperature`; the log probability is that at temperature 1.
   * @param random uniform in 0 … 1, exclusive
   * @throws Error if text is summarized
   */
  draw(temperature: number, random: () => number): Choice {
    this.#assertNoSummary();
    return this.#withTokenId(draw(this.values, temperature, random));
  }

  #assertNoSummary(): void {
    if (this.#summary) throw new Error('Summarized text cannot be sampled');
  }

  #withTokenId({ token, logprob }: Choice): Choice {
    return { token: this.first + token, logprob };
  }

  #slice(from: number, to = Number.POSITIVE_INFINITY): Float32Array {
    return this.values.subarray(Math.max(0, from - this.first), Math.max(0, to - this.first));
  }

  #includesSummary(from: number, to = Number.POSITIVE_INFINITY): boolean {
    if (!this.#summary || from >= this.first) return false;
    if (from > 0 || to < this.first) throw new RangeError(`Tokens ${from} to ${to} cut through the summary`);
    return true;
  }
}

/** Over a vocabulary of 50,000, logits this far below the largest add at most a ten-thousandth to the sum. */
const NEGLIGIBLE = 20;
const STEPS = 64;
const exponentials = Float64Array.from({ length: NEGLIGIBLE * STEPS + 2 }, (_, step) => Math.exp(-step / STEPS));

/**
 * `exp(-x)` for x ≥ 0, with a relative error of 1e-7; 0 if negligible. `Math.exp` over a vocabulary takes longer than a
 * whole step of a small model.
 */
function decay(x: number): number {
  if (!(x < NEGLIGIBLE)) return 0;
  const step = (x * STEPS + 0.5) | 0;
  const rest = x - step / STEPS;
  return exponentials[step]! * (1 - rest + 0.5 * rest * rest);
}

/** `log Σ exp(logits[i])`; minus infinity if all are impossible. @param largest the largest of them, if it is known */
export function logSumExp(logits: Float32Array, largest: number = maximum(logits)): number {
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let index = 0; index < logits.length; index++) sum += decay(largest - logits[index]!);
  return largest + Math.log(sum);
}

/** `log(exp(a) + exp(b))` */
function logAddExp(a: number, b: number): number {
  const larger = Math.max(a, b);
  return larger === Number.NEGATIVE_INFINITY ? larger : larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
}

/** The largest of `logits`; minus infinity if there are none. */
export function maximum(logits: Float32Array): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < logits.length; index++) if (logits[index]! > largest) largest = logits[index]!;
  return largest;
}

/** As `Logits.topChoices`. */
export function topChoices(logits: Float32Array, count: number, also: Iterable<number> = []): Choice[] {
  const best = largest(logits, count);
  const total = logSumExp(logits, best.length > 0 ? logits[best[0]!]! : Number.NEGATIVE_INFINITY);
  const others = [...also].filter((token) => logits[token]! > Number.NEGATIVE_INFINITY && !best.includes(token));
  return [...best, ...others].map((token) => ({ token, logprob: logits[token]! - total }));
}

/** Indices of the largest, at most `count`, best first; without impossible ones. */
function largest(logits: Float32Array, count: number): number[] {
  const best: number[] = [];
  // Fast path: nearly all tokens of a vocabulary fail this comparison.
  let least = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < logits.length; token++) {
    const logit = logits[token]!;
    if (logit <= least) continue;
    let rank = best.length;
    while (rank > 0 && logits[best[rank - 1]!]! < logit) rank--;
    best.splice(rank, 0, token);
    if (best.length > count) best.pop();
    if (best.length === count) least = logits[best[count - 1]!]!;
  }
  return best;
}

/**
 * Draws a token from the softmax of `logits / temperature`. As in the reference, the log probability is that at
 * temperature 1, so that one threshold fits all temperatures.
 * @param random uniform in 0 … 1, exclusive
 */
export function draw(logits: Float32Array, temperature: number, random: () => number): Choice {
  let token = argmax(logits);
  const largest = logits[token]!;
  let sum = 0;
  let total = 0;
  for (let index = 0; index < logits.length; index++) {
    const below = largest - logits[index]!;
    sum += decay(below);
    total += decay(below / temperature);
  }
  let left = random() * total;
  for (let index = 0; index < logits.length; index++) {
    left -= decay((largest - logits[index]!) / temperature);
    if (left < 0) {
      token = index;
      break;
    }
  }
  return { token, logprob: logits[token]! - largest - Math.log(sum) };
}

/** Index of the largest, the first if there are several. */
function argmax(logits: Float32Array): number {
  let best = 0;
  for (let index = 1; index < logits.length; index++) if (logits[index]! > logits[best]!) best = index;
  return best;
}
