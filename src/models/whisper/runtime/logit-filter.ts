import type { Logits } from '../../common/logits.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { SpecialTokens, WhisperTokenizer } from './tokenizer.ts';

/** As the reference's `max_initial_timestamp`: 1 s in steps of 20 ms. */
const MAX_INITIAL_TIMESTAMP = 50;

/**
 * Suppresses tokens as the reference's `decoding.py` does: annotations, control tokens, and timestamps against their rules.
 * Their logits become minus infinity.
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
   * @param logits of the next token; overwritten. A summary does not contain `never`
   * @param sampled tokens of the transcript so far, without its start sequence
   * @param audioPositions positions of the audio without the silence after it
   */
  apply(logits: Logits, sampled: readonly number[], audioPositions: number): void {
    logits.forbidEach(this.never);
    if (sampled.length === 0) logits.forbidEach(this.#notFirst);
    this.#applyTimestampRules(logits, sampled, audioPositions);
  }

  #applyTimestampRules(logits: Logits, sampled: readonly number[], audioPositions: number): void {
    const { endOfText, timestampBegin, timestampEnd } = this.#special;
    // Vocabularies are padded after their timestamps.
    logits.forbid(timestampEnd + 1);

    if (sampled.length === 0) {
      logits.forbid(0, timestampBegin);
      logits.forbid(timestampBegin + MAX_INITIAL_TIMESTAMP + 1);
      return;
    }

    const lastIsTimestamp = sampled.at(-1)! >= timestampBegin;
    const penultimateIsTimestamp = sampled.length < 2 || sampled.at(-2)! >= timestampBegin;
    // Timestamps come in pairs, closing one segment and opening the next, except right before the end.
    if (lastIsTimestamp && penultimateIsTimestamp) logits.forbid(timestampBegin);
    else if (lastIsTimestamp) logits.forbid(0, endOfText);

    const last = sampled.findLast((token) => token >= timestampBegin);
    const closes = lastIsTimestamp && !penultimateIsTimestamp;
    // In the silence after the audio, the model repeats what was said.
    if (closes && last! >= timestampBegin + audioPositions) logits.forbid(endOfText + 1);
    // Timestamps never decrease, and segments are never empty, which could loop forever.
    if (last !== undefined) logits.forbid(timestampBegin, closes ? last : last + 1);

    // All timestamps together may be more probable than any one text token.
    if (logits.logSumExp(timestampBegin) > logits.maximum(0, timestampBegin)) logits.forbid(0, timestampBegin);
  }
}
