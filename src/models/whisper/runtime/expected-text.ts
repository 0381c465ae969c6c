import type { SearchState, SearchStep } from '../../common/search.ts';
import type { DecoderState } from './decoder-state.ts';
import type { SpecialTokens } from './tokenizer.ts';

interface ExpectedTextOptions {
  /** Text that the transcript probably begins with, as tokens. */
  expected: readonly number[];
  special: Pick<SpecialTokens, 'endOfText' | 'timestampBegin'>;
  /** Tokens that a sequence is limited to. */
  textPositions: number;
}

/** Tokens fed ahead at most: a run of so many takes twice as long as a step. */
const MAX_AHEAD = 16;
/** Expected tokens that other ones may have been chosen for. */
const MAX_SKIPPED = 3;

/**
 * A decoder for greedy search that feeds text which is probably chosen at once: a run of several tokens costs little more
 * than a step (Leviathan, Kalman, Matias 2023, "Fast inference from transformers via speculative decoding"). The search
 * decides as ever: what it chooses differently is taken back. Timestamps between segments are not expected, and other text
 * may replace a few tokens; what follows them is expected again.
 */
export class ExpectedText implements SearchState {
  readonly #state: DecoderState;
  readonly #options: ExpectedTextOptions;
  /** Text that has not been chosen yet. */
  #expected: readonly number[];
  /** Tokens that have been fed but not chosen, each with what follows it. */
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

  /** Takes note of a chosen token. Returns whether the next one is expected. */
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
