import type { BeamSize } from '../../../contracts/transcription.ts';
import type { KeywordBias } from '../../common/keyword-bias.ts';
import { type Logits, logSumExp } from '../../common/logits.ts';
import { seededRandom } from '../../common/random.ts';
import { compressionRatio, repeatedShare } from '../../common/repetition.ts';
import { beamSearch, bestHypothesis, type Search, sample } from '../../common/search.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { DecoderState } from './decoder-state.ts';
import { ExpectedText } from './expected-text.ts';
import type { SpecialTokens, WhisperTokenizer } from './tokenizer.ts';

// Defaults of the reference's `transcribe()`.
const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const BEST_OF = 5;
/** Greedy text with a lower mean log probability is decoded again with beams. */
const BEAM_LOGPROB_THRESHOLD = -0.25;
const AUTOMATIC_BEAM_SIZE = 5;
const COMPRESSION_RATIO_THRESHOLD = 2.4;
/** A text with a larger repeated share is hallucinated, unless its mean log probability is high, as for songs. */
const MAX_REPEATED_SHARE = 1 / 3;
const REPEATED_LOGPROB_THRESHOLD = -0.4;
/** Text with a lower mean log probability is unsure. */
export const LOGPROB_THRESHOLD = -1;
/** Over short audio, which models were not trained on, text has to be surer. */
const SHORT_LOGPROB_THRESHOLD = -0.7;
/** Unsure text with a higher no-speech probability is silence. */
export const NO_SPEECH_THRESHOLD = 0.6;
/** As the reference's `max_initial_timestamp`: 1 s in steps of 20 ms. */
const MAX_INITIAL_TIMESTAMP = 50;

/** Maximum decodings of a window: over short audio, then at each temperature. */
export const ATTEMPTS: number = 1 + TEMPERATURES.length;

/** The tokenizer as decoding and timing use it. */
export type Tokenizer = Pick<WhisperTokenizer, 'special' | 'nonSpeechTokens' | 'encode' | 'decode' | 'bytes' | 'words'>;

export interface DecodingRequest {
  /** Starts a new decoder over the audio with each call. */
  start: () => DecoderState;
  /** Tokens of the previous text; its end is used, as far as it fits. */
  previous: readonly number[];
  /** Start of transcript, language and task; only the first in English-only models. */
  sequence: readonly number[];
  /** Seed of the sampling at higher temperatures. */
  seed: number;
  /** Encodes the audio padded to a whole window, for `start`; absent if it already is. */
  lengthen?: (() => Promise<void>) | undefined;
  /** How many temperatures to try, `ATTEMPTS` at most. */
  attempts?: number;
  /** Tokens of text that the transcript probably begins with: greedy search decodes the correct part of it faster. */
  expected?: readonly number[] | undefined;
}

export interface DecodingResult {
  /** Text and timestamps, without the end-of-text token. */
  tokens: readonly number[];
  /** Natural log probability of each token. */
  logprobs: readonly number[];
  /** Attention of the step that chose each token, and of the one that chose the end-of-text token if there is one. */
  attention: readonly Float32Array[];
  temperature: number;
  /** Mean natural log probability, that of the end-of-text token included. */
  averageLogprob: number;
  compressionRatio: number;
  /** Probability, 0 to 1, that there is no speech. */
  noSpeechProbability: number;
  /** No temperature gave text that passes the thresholds; this is the most probable one that does not repeat itself. */
  failed: boolean;
}

interface Decoded {
  result: DecodingResult;
  /** Number of tokens at the end that only repeat the ones before them. */
  repeated: number;
}

/** Turns a model's logits into a transcript, as openai/whisper's `decoding.py` does. */
export class DecodingTask {
  readonly #tokenizer: Tokenizer;
  readonly #filter: LogitFilter;
  readonly #textPositions: number;
  readonly #beamSize: BeamSize;
  readonly #keywords: KeywordBias | undefined;

  /**
   * @param beamSize beams are used at temperature 0 only
   * @param keywords whose tokens become more probable
   */
  constructor(
    configuration: Pick<WhisperConfiguration, 'suppressTokens' | 'beginSuppressTokens' | 'textPositions'>,
    tokenizer: Tokenizer,
    beamSize: BeamSize,
    keywords?: KeywordBias,
  ) {
    this.#keywords = keywords;
    this.#tokenizer = tokenizer;
    this.#filter = new LogitFilter(configuration, tokenizer);
    this.#textPositions = configuration.textPositions;
    this.#beamSize = beamSize;
  }

  /** How many tokens of the previous text a request can use. */
  get maxPreviousTokens(): number {
    return Math.floor(this.#textPositions / 2) - 1;
  }

  /**
   * Decodes at rising temperatures until the text passes the thresholds. If none does, takes the most probable text that
   * does not repeat itself, else the most probable one without its loop at the end. Audio shorter than a window is
   * decoded once.
   */
  async decodeWithFallback(request: DecodingRequest): Promise<DecodingResult> {
    const random = seededRandom(request.seed);
    if (request.lengthen) {
      const decoded = await this.decode(0, request, random);
      const { result } = decoded;
      if (result.averageLogprob >= SHORT_LOGPROB_THRESHOLD && !this.#isRepetitive(decoded)) return result;
      await request.lengthen();
    }
    const failures: { result: DecodingResult; isRepetitive: boolean }[] = [];
    for (const temperature of TEMPERATURES.slice(0, request.attempts)) {
      const decoded = await this.decode(temperature, request, random);
      const { result, repeated } = decoded;
      const isRepetitive = this.#isRepetitive(decoded);
      // No temperature finds more in silence.
      if (isUnsure(result) && result.noSpeechProbability > NO_SPEECH_THRESHOLD) return result;
      if (!isUnsure(result) && !isRepetitive) return result;
      failures.push({
        result: { ...result, ...this.#withoutRepetition(result, repeated), failed: true },
        isRepetitive,
      });
    }
    const varied = failures.filter(({ isRepetitive }) => !isRepetitive);
    const [best] = (varied.length > 0 ? varied : failures).sort(
      (a, b) => b.result.averageLogprob - a.result.averageLogprob,
    );
    return best!.result;
  }

  /** Decodes at one temperature; at 0 once more with keywords, and uses that text only if it has more of them. */
  async decode(temperature: number, request: DecodingRequest, random: () => number): Promise<Decoded> {
    const plain = await this.#decodePlainly(temperature, request, random);
    const keywords = this.#keywords;
    if (!keywords || temperature > 0 || plain.result.noSpeechProbability > NO_SPEECH_THRESHOLD) return plain;
    const beamSize = Math.max(Number(this.#beamSize) || 0, AUTOMATIC_BEAM_SIZE);
    const found = await this.#search(0, request, random, beamSize, keywords);
    if (isUnsure(found.result) || this.#isRepetitive(found)) return plain;
    return keywords.bonusOf(found.result.tokens) > keywords.bonusOf(plain.result.tokens) ? found : plain;
  }

  /** Decodes at one temperature; at 0 with beams if requested, or if the greedy text is unsure. */
  async #decodePlainly(temperature: number, request: DecodingRequest, random: () => number): Promise<Decoded> {
    if (temperature > 0 || this.#beamSize !== 'auto') {
      return this.#search(temperature, request, random, this.#beamSize === 'auto' ? 1 : this.#beamSize);
    }
    const greedy = await this.#search(0, request, random, 1);
    const { averageLogprob, noSpeechProbability } = greedy.result;
    if (averageLogprob >= BEAM_LOGPROB_THRESHOLD || noSpeechProbability > NO_SPEECH_THRESHOLD) return greedy;
    const beams = await this.#search(0, request, random, AUTOMATIC_BEAM_SIZE);
    return beams.repeated === 0 && beams.result.averageLogprob > averageLogprob ? beams : greedy;
  }

  /** Decodes once and returns the best of several transcripts. */
  async #search(
    temperature: number,
    { start, previous, sequence, expected = [] }: DecodingRequest,
    random: () => number,
    beamSize: number,
    keywords?: KeywordBias,
  ): Promise<Decoded> {
    const { special } = this.#tokenizer;
    const state = start();
    const previousTokens = previous.slice(-this.maxPreviousTokens);
    const prefix = previousTokens.length > 0 ? [special.startOfPrevious, ...previousTokens] : [];
    // The no-speech probability is read after the start-of-transcript token, not after the whole sequence.
    const first = await state.start([...prefix, ...sequence], prefix.length);
    const noSpeechProbability = first.earlier.probability(special.noSpeech);

    const textPositions = this.#textPositions;
    const remaining = textPositions - prefix.length - sequence.length;
    const isGreedy = temperature === 0 && beamSize === 1;
    const search: Search = {
      state: isGreedy && state.canTruncate ? new ExpectedText(state, { expected, special, textPositions }) : state,
      first,
      filter: this.#filter,
      endToken: special.endOfText,
      isText: (token) => token < special.endOfText,
      // One more than remain, because the last token is never fed.
      maxTokens: Math.min(Math.floor(textPositions / 2), remaining + 1),
      keywords,
    };
    const hypotheses =
      temperature === 0 && beamSize > 1
        ? await beamSearch(search, beamSize)
        : await sample(search, { temperature, streams: temperature === 0 ? 1 : BEST_OF, random });
    const { tokens, logprobs, attention, sum, repeated } = bestHypothesis(hypotheses, keywords);
    return {
      result: {
        tokens,
        logprobs,
        attention,
        temperature,
        averageLogprob: sum / (tokens.length + 1),
        compressionRatio: this.#compressionRatio(tokens),
        noSpeechProbability,
        failed: false,
      },
      repeated,
    };
  }

  #withoutRepetition({ tokens, logprobs, attention }: DecodingResult, repeated: number): Partial<DecodingResult> {
    if (repeated === 0) return {};
    const kept = tokens.length - repeated;
    const sum = logprobs.slice(0, kept).reduce((total, logprob) => total + logprob, 0);
    return {
      tokens: tokens.slice(0, kept),
      logprobs: logprobs.slice(0, kept),
      // One row more than tokens, as if the text had ended where the loop starts.
      attention: attention.slice(0, kept + 1),
      averageLogprob: sum / Math.max(1, kept),
      compressionRatio: this.#compressionRatio(tokens.slice(0, kept)),
    };
  }

  #isRepetitive({ result, repeated }: Decoded): boolean {
    const { compressionRatio, averageLogprob, tokens } = result;
    if (repeated > 0 || compressionRatio > COMPRESSION_RATIO_THRESHOLD) return true;
    if (averageLogprob >= REPEATED_LOGPROB_THRESHOLD) return false;
    const text = tokens.filter((token) => token < this.#tokenizer.special.endOfText);
    return repeatedShare(text) > MAX_REPEATED_SHARE;
  }

  #compressionRatio(tokens: readonly number[]): number {
    return compressionRatio(this.#tokenizer.decode(tokens).trim());
  }
}

function isUnsure({ averageLogprob }: DecodingResult): boolean {
  return averageLogprob < LOGPROB_THRESHOLD;
}

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
   */
  apply(logits: Logits, sampled: readonly number[]): void {
    logits.forbidEach(this.never);
    if (sampled.length === 0) logits.forbidEach(this.#notFirst);
    this.#applyTimestampRules(logits, sampled);
  }

  #applyTimestampRules(logits: Logits, sampled: readonly number[]): void {
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
    // Timestamps never decrease, and segments are never empty, which could loop forever.
    const mayRepeat = lastIsTimestamp && !penultimateIsTimestamp;
    if (last !== undefined) logits.forbid(timestampBegin, mayRepeat ? last : last + 1);

    // All timestamps together may be more probable than any one text token.
    if (logits.logSumExp(timestampBegin) > logits.maximum(0, timestampBegin)) logits.forbid(0, timestampBegin);
  }
}

export interface DetectedLanguage {
  /** ISO 639-1 code of the most probable language. */
  language: string;
  /** Probability of each language among those to choose from, by code. */
  probabilities: ReadonlyMap<string, number>;
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
