import type { BeamSize } from '../../../contracts/transcription.ts';
import type { KeywordBias } from '../../common/keyword-bias.ts';
import { seededRandom } from '../../common/random.ts';
import { compressionRatio, MAX_REPETITION_RATE, repeatedShare } from '../../common/repetition.ts';
import { beamSearch, bestHypothesis, type Search, sample } from '../../common/search.ts';
import { POSITION_SECONDS, type WhisperConfiguration } from '../configuration.ts';
import type { DecoderState } from './decoder-state.ts';
import { ExpectedText } from './expected-text.ts';
import { LogitFilter } from './logit-filter.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

// Defaults of the reference's `transcribe()`.
const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const BEST_OF = 5;
/** Greedy text with a lower mean log probability is decoded again with beams. */
const BEAM_LOGPROB_THRESHOLD = -0.25;
const AUTOMATIC_BEAM_SIZE = 5;
const COMPRESSION_RATIO_THRESHOLD = 2.4;
/** A text with a larger repeated share is hallucinated, unless it is as probable and as slow as a song. */
const MAX_REPEATED_SHARE = 1 / 3;
const REPEATED_LOGPROB_THRESHOLD = -0.4;
/** Text with a lower mean log probability is unsure. */
export const LOGPROB_THRESHOLD = -1;
/** Over short audio, which models were not trained on, text has to be surer. */
const SHORT_LOGPROB_THRESHOLD = -0.7;
/** Unsure text with a higher no-speech probability is silence. */
export const NO_SPEECH_THRESHOLD = 0.6;

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
  /** Encoder positions of the audio, without the silence after it. */
  audioPositions: number;
  /** Seed of the sampling at higher temperatures. */
  seed: number;
  /** Encodes the audio padded to a whole window, for `start`; absent if it already is. */
  lengthen?: () => Promise<void>;
  /** Whether text over short audio is decoded as a whole window only if it fails: the speaker waits. Default: false. */
  isLive?: boolean;
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
      const threshold = request.isLive ? LOGPROB_THRESHOLD : SHORT_LOGPROB_THRESHOLD;
      if (decoded.result.averageLogprob >= threshold && !this.#isRepetitive(decoded, request)) return decoded.result;
      await request.lengthen();
    }
    const failures: { result: DecodingResult; isRepetitive: boolean }[] = [];
    for (const temperature of TEMPERATURES.slice(0, request.attempts)) {
      const decoded = await this.decode(temperature, request, random);
      const { result, repeated } = decoded;
      const isRepetitive = this.#isRepetitive(decoded, request);
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
    if (isUnsure(found.result) || this.#isRepetitive(found, request)) return plain;
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
    { start, previous, sequence, audioPositions, expected = [] }: DecodingRequest,
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
      filter: { apply: (logits, sampled) => this.#filter.apply(logits, sampled, audioPositions) },
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

  #isRepetitive({ result, repeated }: Decoded, { audioPositions }: DecodingRequest): boolean {
    const { compressionRatio, averageLogprob, tokens } = result;
    if (repeated > 0 || compressionRatio > COMPRESSION_RATIO_THRESHOLD) return true;
    const text = tokens.filter((token) => token < this.#tokenizer.special.endOfText);
    if (repeatedShare(text) <= MAX_REPEATED_SHARE) return false;
    if (averageLogprob < REPEATED_LOGPROB_THRESHOLD) return true;
    const { length } = this.#tokenizer.decode(text).trim();
    return length > MAX_REPETITION_RATE * audioPositions * POSITION_SECONDS;
  }

  #compressionRatio(tokens: readonly number[]): number {
    return compressionRatio(this.#tokenizer.decode(tokens).trim());
  }
}

function isUnsure({ averageLogprob }: DecodingResult): boolean {
  return averageLogprob < LOGPROB_THRESHOLD;
}
