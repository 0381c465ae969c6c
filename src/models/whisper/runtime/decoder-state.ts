import type { Logits } from './logits.ts';

/**
 * What decoding asks of a model: the policy (which token is taken) stands on these interfaces alone, so that it can be
 * tested with decoders that say what they are told.
 */

/** What one step gives for every stream. */
export interface DecoderStep {
  /** For each stream, after the last token fed; the caller may overwrite them. */
  logits: Logits[];
  /**
   * `[alignmentHeads, audioPositions]` for each stream: cross-attention probabilities of the last token fed, heads in
   * the order of the configuration. Empty where it was not asked for.
   */
  attention: Float32Array[];
}

export interface DecoderStart extends DecoderStep {
  /** After the token that was named; the same as after the last one where that was it. */
  earlier: Logits;
}

/** Sequences over one encoded window, side by side; it starts with one stream and no tokens. */
export interface DecoderState {
  /** Tokens fed to each stream so far, which is the position of the next one. */
  readonly length: number;
  readonly streams: number;
  /**
   * Feeds the only stream what a transcript is started with. The logits are summed up, over all text tokens.
   * @param earlier which of the tokens, by its index, is to have its logits handed out as well
   */
  start(tokens: readonly number[], earlier: number): Promise<DecoderStart>;
  /**
   * Feeds every stream its tokens.
   * @param tokens the same number of tokens, one or more, for each stream
   * @param options.summed whether a summary of the text tokens does, without those that are never chosen: it spares
   *   handing out the whole vocabulary's logits
   */
  step(tokens: readonly (readonly number[])[], options?: { summed: boolean }): Promise<DecoderStep>;
  /**
   * Goes on with stream `parents[i]` as stream `i`: `[0, 0, 0]` makes three of one, beam search reorders, and a stream
   * that is not named is dropped. All streams share one cross-attention cache.
   */
  keep(parents: readonly number[]): void;
}
