import { logSumExp } from '../../common/logits.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { DecoderState } from './decoder-state.ts';
import type { DecodingResult, Tokenizer } from './decoding.ts';
import type { SpecialTokens } from './tokenizer.ts';

/** A detected language with a lower probability may be one of several in the piece. */
export const MIN_LANGUAGE_PROBABILITY = 0.8;
/** A text with a lower mean log probability may be in another language than it was decoded in. */
export const SURE_LOGPROB = -0.5;
/** If detection is unsure, the language of the text before goes first if it has this share of the best one's probability. */
const CLOSE_LANGUAGE_SHARE = 0.2;
/** Less probable languages are not tried. */
const MIN_CANDIDATE_PROBABILITY = 0.02;
const MAX_CANDIDATES = 3;
/** How much the logarithm of a language's probability counts against the mean log probability of its text. */
const DETECTION_WEIGHT = 0.05;

/** A language that a text may be in. */
export interface Candidate {
  /** ISO 639-1 code. */
  language: string;
  /** By detection, 0 to 1. */
  probability: number;
}

/** The language of a piece of speech. */
export interface PieceLanguage {
  language: string;
  /** Of the most probable language, 0 to 1. */
  probability: number;
  /** Languages that its text may be in, `language` first. */
  candidates: readonly Candidate[];
}

export interface DetectedLanguage {
  /** ISO 639-1 code of the most probable language. */
  language: string;
  /** Probability of each language among those to choose from, by code. */
  probabilities: ReadonlyMap<string, number>;
}

/** Detects the language of encoded audio, unless the request or the model has only one. */
export class LanguageDetector<Audio> {
  /** The language if it need not be detected: that of the request, or English for an English-only model. */
  readonly known: string | undefined;
  readonly #model: { decode(audio: Audio, options: { attention: boolean }): DecoderState };
  readonly #tokenizer: Tokenizer;
  readonly #languages: readonly string[] | undefined;

  /**
   * @param options.language code to decode in; absent to detect it
   * @param options.languages codes to detect it among; all of the model's by default
   */
  constructor(
    model: {
      configuration: Pick<WhisperConfiguration, 'multilingual'>;
      decode(audio: Audio, options: { attention: boolean }): DecoderState;
    },
    tokenizer: Tokenizer,
    options: { language?: string; languages?: readonly string[] },
  ) {
    this.known = model.configuration.multilingual ? options.language : 'en';
    this.#model = model;
    this.#tokenizer = tokenizer;
    this.#languages = options.languages;
  }

  /**
   * The language to decode in.
   * @param before language of the text before, which comes first if several are about as probable
   */
  async detect(audio: Audio, before?: string): Promise<PieceLanguage> {
    if (this.known !== undefined) {
      return { language: this.known, probability: 1, candidates: [{ language: this.known, probability: 1 }] };
    }
    const { language, probability, probabilities } = await this.mostProbable(audio);
    const isClose = before !== undefined && probabilities.get(before)! >= CLOSE_LANGUAGE_SHARE * probability;
    const first = isClose && probability < MIN_LANGUAGE_PROBABILITY ? before : language;
    const candidates = [...probabilities]
      .map(([language, probability]) => ({ language, probability }))
      .filter(({ language, probability }) => language === first || probability >= MIN_CANDIDATE_PROBABILITY)
      .sort((a, b) => Number(b.language === first) - Number(a.language === first) || b.probability - a.probability);
    return { language: first, probability, candidates: candidates.slice(0, MAX_CANDIDATES) };
  }

  /** The most probable language of audio, and the probabilities of all by code, even if the language is known. */
  async mostProbable(audio: Audio): Promise<DetectedLanguage & { probability: number }> {
    const state = this.#model.decode(audio, { attention: false });
    const { language, probabilities } = await detectLanguage(state, this.#tokenizer.special, this.#languages);
    return { language, probabilities, probability: probabilities.get(language)! };
  }
}

/**
 * Detects the spoken language from the token that the model expects after the start of a transcript.
 * @param state a decoder that has not been fed yet; it cannot be used afterwards
 * @param among codes to choose from, at least one of the model's; all by default
 */
export async function detectLanguage(
  state: DecoderState,
  { languages, startOfTranscript }: Pick<SpecialTokens, 'languages' | 'startOfTranscript'>,
  among?: readonly string[],
): Promise<DetectedLanguage> {
  const { logits } = await state.start([startOfTranscript], 0);
  const codes = [...languages.keys()].filter((code) => among?.includes(code) ?? true);
  const scores = Float32Array.from(codes, (code) => logits[0]!.of(languages.get(code)!));
  const total = logSumExp(scores);
  const best = scores.indexOf(Math.max(...scores));
  return {
    language: codes[best]!,
    probabilities: new Map(codes.map((code, index) => [code, Math.exp(scores[index]! - total)])),
  };
}

/**
 * Decodes in the most probable language, and in the others if the text is not clear: text in the wrong language is less
 * probable. Failed text says nothing about the language.
 * @param attempts how many temperatures to try in the language of the surest text
 */
export async function surestText(
  candidates: readonly Candidate[],
  decodeIn: (language: string, attempts: number) => Promise<DecodingResult>,
  attempts: number,
): Promise<{ language: string; result: DecodingResult }> {
  const [first, ...others] = candidates as [Candidate, ...Candidate[]];
  if (others.length === 0) return { language: first.language, result: await decodeIn(first.language, attempts) };
  let best = { ...first, result: await decodeIn(first.language, 1) };
  for (const candidate of others) {
    if (!best.result.failed && best.result.averageLogprob >= SURE_LOGPROB) break;
    const text = { ...candidate, result: await decodeIn(candidate.language, 1) };
    if (!text.result.failed && sureness(text) > sureness(best)) best = text;
  }
  const { language, result } = best;
  return { language, result: result.failed && attempts > 1 ? await decodeIn(language, attempts) : result };
}

function sureness({ probability, result }: Candidate & { result: DecodingResult }): number {
  return result.averageLogprob + DETECTION_WEIGHT * Math.log(probability);
}
