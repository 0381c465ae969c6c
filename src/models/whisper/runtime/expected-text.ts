import type { SearchState, SearchStep } from '../../common/search.ts';
import type { DecoderState } from './decoder-state.ts';
import type { SpecialTokens } from './tokenizer.ts';

interface ExpectedTextOptions {
  /** Text that the transcript probably begins with, as tokens. */
  expected: readonly number[];
  special: Pick<SpecialTokens, 'endOfText' | 'timestampBegin'>;
  /** Maximum number of tokens of a sequence. */
  textPositions: number;
}

/** Maximum tokens fed ahead: a run of this many takes twice as long as a step. */
const MAX_AHEAD = 16;
/** Maximum number of expected tokens that other ones may replace. */
const MAX_SKIPPED = 3;

/**
 * A decoder for greedy search that feeds expected text in one run: a run of several tokens costs little more than a
 * step (Leviathan, Kalman, Matias 2023, "Fast inference from transformers via speculative decoding"). The result is
 * that of plain greedy search: tokens that it does not choose are taken back. Expected text has no timestamps; after a
 * timestamp, or a few other tokens, it continues.
 */
export class ExpectedText implements SearchState {
  readonly #state: DecoderState;
  readonly #options: ExpectedTextOptions;
  /** Expected text that has not been chosen yet. */
  #expected: readonly number[];
  /** Tokens that have been fed but not chosen, each with the model's output after it. */
  #ahead: { token: number; step: SearchStep }[] = [];
  /** Whether a segment opens with the next timestamp. */
  #isBetween = true;

  /** @param state with one stream, at the start of a transcript; `canTruncate` */
  constructor(state: DecoderState, options: ExpectedTextOptions) {
    this.#state = state;
    this.#options = options;
    this.#expected = options.expected;
  }

  async step([stream]: readonly (readonly number[])[], options?: { summed: boolean }): Promise<SearchStep> {
    const [token] = stream as [number];
    const isExpected = this.#choose(token);
    const foreseen = this.#ahead.shift();
    if (foreseen?.token === token) return foreseen.step;
    if (foreseen) {
      this.#state.truncate(this.#state.length - this.#ahead.length - 1);
      this.#ahead = [];
    }
    const room = this.#options.textPositions - this.#state.length - 1;
    const next = isExpected ? this.#expected.slice(0, Math.min(MAX_AHEAD, room)) : [];
    if (next.length === 0) return this.#state.step([[token]], options);
    const { logits, attention } = await this.#state.feed([token, ...next]);
    const [first, ...others] = logits.map((each, index) => ({ logits: [each], attention: [attention[index]!] }));
    this.#ahead = next.map((token, index) => ({ token, step: others[index]! }));
    return first!;
  }

  keep(parents: readonly number[]): void {
    this.#state.keep(parents);
  }

  /** Records a chosen token. @returns whether the next one is expected */
  #choose(token: number): boolean {
    const { endOfText, timestampBegin } = this.#options.special;
    if (token >= timestampBegin) {
      this.#isBetween = !this.#isBetween;
      return !this.#isBetween;
    }
    const index = token < endOfText ? this.#expected.slice(0, 1 + MAX_SKIPPED).indexOf(token) : -1;
    this.#expected = this.#expected.slice(index + 1);
    return index >= 0;
  }
}
