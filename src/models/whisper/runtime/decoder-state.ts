import type { Logits } from '../../common/logits.ts';
import type { SearchState, SearchStep } from '../../common/search.ts';

// The model as decoding uses it. The choice of tokens depends on these interfaces alone, so that tests can script a decoder.

/**
 * Result of one step. Attention is `[alignmentHeads, positions]`, heads in the order of the configuration; empty if not
 * requested.
 */
export type DecoderStep = SearchStep;

export interface DecoderStart extends DecoderStep {
  /** Logits after the token with the requested index. */
  earlier: Logits;
}

/** Starts with one stream and no tokens. Summaries leave out suppressed tokens. */
export interface DecoderState extends SearchState {
  /** Tokens fed to each stream so far: the position of the next one. */
  readonly length: number;
  readonly streams: number;
  /**
   * Feeds the only stream the start of a transcript. Logits come with a summary of all text tokens.
   * @param earlier index of a token whose logits are returned too
   */
  start(tokens: readonly number[], earlier: number): Promise<DecoderStart>;
  /**
   * Feeds the only stream several tokens.
   * @returns logits, which may be summarized, and attention of each token
   */
  feed(tokens: readonly number[]): Promise<DecoderStep>;
  /** Whether it can be truncated: a cache in a GPU's memory only grows. */
  readonly canTruncate: boolean;
  /** Keeps only the first tokens of the only stream. */
  truncate(length: number): void;
}
