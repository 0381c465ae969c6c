import type { WhisperConfiguration } from './configuration.ts';
import { logSumExp, maximum } from './distribution.ts';
import type { SpecialTokens, WhisperTokenizer } from './tokenizer.ts';

/** The first timestamp is at most this: 1 s in steps of 20 ms. Speech that begins later has been cut off the window. */
const LATEST_FIRST_TIMESTAMP = 50;

/**
 * What may be said next, as the reference's `decoding.py` has it: never an annotation or a control token, and timestamps
 * by their rules. Forbidden tokens get a logit of minus infinity.
 */
export class LogitFilter {
  readonly #special: SpecialTokens;
  readonly #never: readonly number[];
  readonly #notFirst: readonly number[];

  constructor(
    { suppressTokens, beginSuppressTokens }: Pick<WhisperConfiguration, 'suppressTokens' | 'beginSuppressTokens'>,
    tokenizer: Pick<WhisperTokenizer, 'special' | 'nonSpeechTokens' | 'encode'>,
  ) {
    const { special } = tokenizer;
    this.#special = special;
    const control = [
      special.startOfTranscript,
      special.startOfPrevious,
      special.startOfLm,
      special.noSpeech,
      special.noTimestamps,
      special.transcribe,
      special.translate,
    ];
    const listed = suppressTokens.flatMap((token) => (token === -1 ? tokenizer.nonSpeechTokens : [token]));
    this.#never = [...new Set([...listed, ...control.filter((token) => token !== undefined)])];
    this.#notFirst = [...new Set([...beginSuppressTokens, ...tokenizer.encode(' '), special.endOfText])];
  }

  /**
   * @param logits of the next token; overwritten
   * @param sampled the tokens of the transcript so far, without those that it was started with
   */
  apply(logits: Float32Array, sampled: readonly number[]): void {
    for (const token of this.#never) logits[token] = Number.NEGATIVE_INFINITY;
    if (sampled.length === 0) for (const token of this.#notFirst) logits[token] = Number.NEGATIVE_INFINITY;
    this.#applyTimestampRules(logits, sampled);
  }

  #applyTimestampRules(logits: Float32Array, sampled: readonly number[]): void {
    const { endOfText, timestampBegin, timestampEnd } = this.#special;
    const forbid = (from: number, to?: number) => logits.fill(Number.NEGATIVE_INFINITY, from, to);
    // What a vocabulary holds after its timestamps is padding.
    forbid(timestampEnd + 1);

    if (sampled.length === 0) {
      forbid(0, timestampBegin);
      forbid(timestampBegin + LATEST_FIRST_TIMESTAMP + 1);
      return;
    }

    const closed = sampled.at(-1)! >= timestampBegin;
    const opened = sampled.length < 2 || sampled.at(-2)! >= timestampBegin;
    // Timestamps come in pairs, one closing a segment and one opening the next, except right before the end.
    if (closed && opened) forbid(timestampBegin);
    else if (closed) forbid(0, endOfText);

    const last = sampled.findLast((token) => token >= timestampBegin);
    // Time does not run back, and no segment is empty: that would go on for ever.
    if (last !== undefined) forbid(timestampBegin, closed && !opened ? last : last + 1);

    // All timestamps together may be more probable than any text, although no single one is.
    if (logSumExp(logits, timestampBegin) > maximum(logits, 0, timestampBegin)) forbid(0, timestampBegin);
  }
}
