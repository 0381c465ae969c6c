import type { WhisperConfiguration } from '../configuration.ts';
import type { Logits } from './logits.ts';
import type { SpecialTokens, WhisperTokenizer } from './tokenizer.ts';

/** The first timestamp is at most this: 1 s in steps of 20 ms. Speech that begins later has been cut off the window. */
const LATEST_FIRST_TIMESTAMP = 50;

/**
 * What may be said next, as the reference's `decoding.py` has it: never an annotation or a control token, and timestamps
 * by their rules. Forbidden tokens get a logit of minus infinity.
 */
export class LogitFilter {
  readonly #special: SpecialTokens;
  /** Tokens that are never chosen. */
  readonly never: readonly number[];
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
    this.never = [...new Set([...listed, ...control.filter((token) => token !== undefined)])];
    this.#notFirst = [...new Set([...beginSuppressTokens, ...tokenizer.encode(' '), special.endOfText])];
  }

  /**
   * @param logits of the next token; overwritten. Where they are summed up, what is never chosen has been left out
   * @param sampled the tokens of the transcript so far, without those that it was started with
   */
  apply(logits: Logits, sampled: readonly number[]): void {
    logits.forbidEach(this.never);
    if (sampled.length === 0) logits.forbidEach(this.#notFirst);
    this.#applyTimestampRules(logits, sampled);
  }

  #applyTimestampRules(logits: Logits, sampled: readonly number[]): void {
    const { endOfText, timestampBegin, timestampEnd } = this.#special;
    // What a vocabulary holds after its timestamps is padding.
    logits.forbid(timestampEnd + 1);

    if (sampled.length === 0) {
      logits.forbid(0, timestampBegin);
      logits.forbid(timestampBegin + LATEST_FIRST_TIMESTAMP + 1);
      return;
    }

    const closed = sampled.at(-1)! >= timestampBegin;
    const opened = sampled.length < 2 || sampled.at(-2)! >= timestampBegin;
    // Timestamps come in pairs, one closing a segment and one opening the next, except right before the end.
    if (closed && opened) logits.forbid(timestampBegin);
    else if (closed) logits.forbid(0, endOfText);

    const last = sampled.findLast((token) => token >= timestampBegin);
    // Time does not run back, and no segment is empty: that would go on for ever.
    if (last !== undefined) logits.forbid(timestampBegin, closed && !opened ? last : last + 1);

    // All timestamps together may be more probable than any text, although no single one is.
    if (logits.logSumExp(timestampBegin) > logits.maximum(0, timestampBegin)) logits.forbid(0, timestampBegin);
  }
}
