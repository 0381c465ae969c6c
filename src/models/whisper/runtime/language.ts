import type { DecoderState } from './decoder-state.ts';
import { logSumExp } from './distribution.ts';
import type { SpecialTokens } from './tokenizer.ts';

export interface DetectedLanguage {
  /** ISO 639-1 code of the most probable language. */
  language: string;
  /** Probability of each language among all languages, by code. */
  probabilities: ReadonlyMap<string, number>;
}

/**
 * Which language is spoken: the model's own guess at the token after the start of a transcript.
 * @param state a decoder that has been fed nothing; it is of no use afterwards
 */
export async function detectLanguage(
  state: DecoderState,
  { languages, startOfTranscript }: Pick<SpecialTokens, 'languages' | 'startOfTranscript'>,
): Promise<DetectedLanguage> {
  const { logits } = await state.start([startOfTranscript], 0);
  const codes = [...languages.keys()];
  const scores = Float32Array.from(languages.values(), (token) => logits[0]!.of(token));
  const total = logSumExp(scores);
  const best = scores.indexOf(Math.max(...scores));
  return {
    language: codes[best]!,
    probabilities: new Map(codes.map((code, index) => [code, Math.exp(scores[index]! - total)])),
  };
}
