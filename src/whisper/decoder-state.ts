/**
 * What decoding asks of a model: the policy (which token is taken) stands on these two interfaces alone, so that it can
 * be tested with decoders that say what they are told.
 */

/** What one step gives for every stream. */
export interface DecoderStep {
  /** `[vocabulary]` for each stream: logits after the last token fed, which the caller may overwrite. */
  logits: Float32Array[];
  /**
   * `[alignmentHeads, audioPositions]` for each stream: cross-attention probabilities of the last token fed, heads in
   * the order of the configuration. Empty where it was not asked for.
   */
  attention: Float32Array[];
  /** The same as `logits`, after the token that was named besides the last one; empty where none was. */
  earlierLogits: Float32Array[];
}

/** Sequences over one encoded window, side by side; it starts with one stream and no tokens. */
export interface DecoderState {
  /** Tokens fed to each stream so far, which is the position of the next one. */
  readonly length: number;
  readonly streams: number;
  /**
   * Feeds every stream its tokens.
   * @param tokens the same number of tokens, one or more, for each stream
   * @param earlier which of several tokens, by its index, is to have its logits handed out besides the last one
   */
  step(tokens: readonly (readonly number[])[], earlier?: number): Promise<DecoderStep>;
  /**
   * Goes on with stream `parents[i]` as stream `i`: `[0, 0, 0]` makes three of one, beam search reorders, and a stream
   * that is not named is dropped. All streams share one cross-attention cache.
   */
  keep(parents: readonly number[]): void;
}
