import type { BeamSize, Span, SpeechWindow, TranscriptionTask } from '../../../contracts/transcription.ts';
import { HearsayError } from '../../../errors.ts';
import { holdsSpeech, speechWithin } from '../../../vad/coverage.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { raiseIfQuiet } from '../../../vad/loudness.ts';
import { mean } from '../../common/mean.ts';
import { seedOf } from '../../common/random.ts';
import { POSITION_SAMPLES, type WhisperConfiguration } from '../configuration.ts';
import { encodedPositions } from './audio-length.ts';
import type { DecoderState } from './decoder-state.ts';
import {
  ATTEMPTS,
  type DecodingResult,
  DecodingTask,
  LOGPROB_THRESHOLD,
  NO_SPEECH_THRESHOLD,
  type Tokenizer,
} from './decoding.ts';
import { keywordBias } from './keywords.ts';
import {
  LanguageDetector,
  MIN_LANGUAGE_PROBABILITY,
  type PieceLanguage,
  SURE_LOGPROB,
  surestText,
} from './language-detector.ts';
import type { MelSpectrogram } from './mel.ts';
import {
  leaveOutSkippedSpeech,
  moveToAttention,
  type SpokenSegment,
  spanOf,
  splitAtTimestamps,
  spokenSegments,
  type TokenSegments,
} from './segments.ts';
import { alignTokens, attendedTexts, type TokenTimes } from './timing.ts';

/** The model as transcription uses it. */
export interface TranscribingModel<Audio> {
  readonly configuration: Pick<
    WhisperConfiguration,
    'alignmentHeads' | 'audioPositions' | 'textPositions' | 'suppressTokens' | 'beginSuppressTokens' | 'multilingual'
  >;
  encode(mel: Float32Array): Promise<Audio>;
  decode(audio: Audio, options: { attention: boolean }): DecoderState;
}

/** What transcription runs on. */
export interface TranscriptionParts<Audio> {
  model: TranscribingModel<Audio>;
  tokenizer: Tokenizer;
  mel: Pick<MelSpectrogram, 'compute'>;
}

export interface DecodingOptions {
  task: TranscriptionTask;
  /** ISO 639-1 code, one that the model knows; detected if absent. */
  language?: string;
  /** Codes to detect the language among, at least one of the model's; all by default. */
  languages?: readonly string[];
  /** Code of the language of earlier speech, used if detection is unsure and there is no text before. */
  languageBefore?: string;
  /** Words and phrases that may occur. */
  keywords?: readonly string[];
  beamSize: BeamSize;
  /** Live speech: decoded at one temperature, over its own length unless that fails, and not split by language. */
  isLive?: boolean;
  /** A draft of unfinished live speech: decoded once, even if the text leaves speech out. */
  isDraft?: boolean;
  /** Whether a draft goes before other drafts. */
  isUrgent?: boolean;
  /** Text that the window probably begins with: the correct part of it is decoded faster. */
  expected?: string;
  /** Log-mel spectrogram of the first `trimToEncoder` samples, over their `encodedPositions`, if already computed. */
  mel?: Float32Array;
}

/** A piece whose language has a lower probability may hold several languages if its text is not sure either. */
const SURE_LANGUAGE_PROBABILITY = 0.95;
/** Text in the wrong language has a lower mean log probability. */
const DOUBTFUL_LOGPROB = -0.4;
/** Minimum probability of another language in part of a piece. */
const FOREIGN_LANGUAGE_PROBABILITY = 0.9;

/**
 * Minimum mean log probability of text for speech that an earlier decoding skipped: over other voices and noise the
 * model hallucinates.
 */
const CLEAR_LOGPROB = -0.7;

/** Text of failed attempts whose mean log probability is lower is mostly hallucinated. */
const IMPROBABLE_LOGPROB = -1.5;

/** Minimum speech in samples; shorter speech may be a bark, a cough or a laugh. */
const MIN_SPEECH = 0.5 * SAMPLE_RATE;

/** How to decode a piece. */
export interface PieceContext {
  /** Text before it, as tokens. */
  tokens: readonly number[];
  /** Language of that text; absent if it is a prompt. */
  language: string | undefined;
  /** Whether an earlier decoding gave no text for it. */
  isRetry: boolean;
  /** Whether it has not been shortened. */
  isWhole: boolean;
  /** Whether it can be shortened to a pause and decoded again. */
  canShorten: boolean;
}

/** The result of one decoding. */
export interface DecodedPiece {
  result: DecodingResult;
  language: string;
  /** Whether the model found no speech. */
  isSilent: boolean;
  /** Whether its text is rejected: the model found no speech, or the text of a retry is not clear. */
  isRejected: boolean;
  /** Whether all attempts failed, and even the best text is improbable. */
  isImprobable: boolean;
  split: TokenSegments;
  /** Segments of the split that hold speech. */
  spoken: SpokenSegment[];
  /** Times of their tokens by attention. */
  times: TokenTimes;
}

/** A piece in the encoder: over its own length at first, and over the encoder's once it is lengthened. */
interface EncodedPiece<Audio> {
  readonly samples: Float32Array;
  /** Whether it starts the window and is as long as the encoder's input allows. */
  readonly isFirst: boolean;
  positions: number;
  audio: Audio;
}

/** Decodes pieces of one window: encodes, detects the language, decodes, and judges the text. */
export class PieceDecoder<Audio> {
  readonly #model: TranscribingModel<Audio>;
  readonly #tokenizer: Tokenizer;
  readonly #mel: Pick<MelSpectrogram, 'compute'>;
  readonly #window: SpeechWindow;
  readonly #options: DecodingOptions;
  readonly #decoding: DecodingTask;
  readonly #languages: LanguageDetector<Audio>;

  constructor({ model, tokenizer, mel }: TranscriptionParts<Audio>, window: SpeechWindow, options: DecodingOptions) {
    this.#model = model;
    this.#tokenizer = tokenizer;
    this.#mel = mel;
    this.#window = window;
    this.#options = options;
    const keywords = options.keywords?.length ? keywordBias(options.keywords, tokenizer) : undefined;
    this.#decoding = new DecodingTask(model.configuration, tokenizer, options.beamSize, keywords);
    this.#languages = new LanguageDetector(model, tokenizer, options);
  }

  /** How many tokens of the text before a piece can use. */
  get maxPreviousTokens(): number {
    return this.#decoding.maxPreviousTokens;
  }

  /**
   * Decodes a span of the window, the encoder's length at most.
   * @returns undefined if it should be shortened
   * @throws HearsayError unsupported_language if the checkpoint has no token for the language
   */
  async decode(piece: Span, context: PieceContext): Promise<DecodedPiece | undefined> {
    const { isRetry, isWhole, canShorten } = context;
    const encoded = await this.#encodePiece(piece);
    const detected = await this.#detect(encoded, context.language ?? this.#options.languageBefore);
    const { probability } = detected;
    if (canShorten && probability < MIN_LANGUAGE_PROBABILITY) return undefined;

    const { language, result } = await this.#decodeText(encoded, detected, context);
    const isUnsureLanguage = probability < SURE_LANGUAGE_PROBABILITY && result.averageLogprob < SURE_LOGPROB;
    if (canShorten && (result.failed || isUnsureLanguage)) return undefined;

    const isSilent = this.#isSilent(result, piece);
    const isRejected = isSilent || (isRetry && this.#isUnclear(result));
    const split = this.#split(result, isRejected, encoded.samples.length / SAMPLE_RATE);
    const spoken = spokenSegments(split.segments, result, {
      tokenizer: this.#tokenizer,
      window: this.#window,
      piece,
    });
    if (canShorten && isWhole && spoken.length === 0 && holdsSpeech(this.#window.speech, piece)) return undefined;

    const times = alignTokens(spoken, result, {
      tokenizer: this.#tokenizer,
      heads: this.#model.configuration.alignmentHeads.length,
      frames: Math.floor((piece.end - piece.start) / POSITION_SAMPLES),
    });
    const attended = this.#attended(spoken, result, { times, piece, split });
    const isImprobable = result.failed && result.averageLogprob < IMPROBABLE_LOGPROB;
    return { result, language, isSilent, isRejected, isImprobable, split, spoken: attended, times };
  }

  /** Detects the language of a span of the window, the encoder's length at most. */
  async detectLanguage(piece: Span): Promise<{ language: string; probability: number }> {
    const audio = await this.#encode(this.#samplesOf(piece), this.#model.configuration.audioPositions);
    const { language, probability } = await this.#languages.detect(audio);
    return { language, probability };
  }

  /**
   * Segments with their spans corrected by attention, so that skipped speech is decoded again and no words are decoded
   * twice.
   */
  #attended(
    spoken: readonly SpokenSegment[],
    result: DecodingResult,
    { times, piece, split }: { times: TokenTimes; piece: Span; split: TokenSegments },
  ): SpokenSegment[] {
    const { speech } = this.#window;
    const attended = attendedTexts(spoken, result, times, this.#tokenizer);
    // Up to the text that is decoded again, if any.
    const end = split.unfinished ? piece.start + split.done * SAMPLE_RATE : piece.end;
    const rest = { start: spoken.at(-1)?.span.end ?? end, end };
    const moved = holdsSpeech(speech, rest) ? moveToAttention(spoken, attended, piece.start) : [...spoken];
    return this.#options.isDraft ? moved : leaveOutSkippedSpeech(moved, attended, speech, piece.start);
  }

  /** Runs of decoded segments that are in another language than their piece. */
  async foreignSegments({ result, language, spoken }: DecodedPiece): Promise<SpokenSegment[][]> {
    if (this.#languages.known !== undefined || spoken.length < 2) return [];
    const doubtful: SpokenSegment[][] = [];
    for (const [index, segment] of spoken.entries()) {
      if (this.#logprobOf(segment, result) >= DOUBTFUL_LOGPROB) continue;
      const last = doubtful.at(-1);
      if (last && last.at(-1) === spoken[index - 1]) last.push(segment);
      else doubtful.push([segment]);
    }
    const foreign: SpokenSegment[][] = [];
    for (const run of doubtful) {
      const span = spanOf(run);
      if (!holdsSpeech(this.#window.speech, span)) continue;
      const audio = await this.#encode(this.#samplesOf(span), this.#model.configuration.audioPositions);
      const detected = await this.#languages.mostProbable(audio);
      if (detected.language !== language && detected.probability >= FOREIGN_LANGUAGE_PROBABILITY) foreign.push(run);
    }
    return foreign;
  }

  async #encodePiece(piece: Span): Promise<EncodedPiece<Audio>> {
    const samples = this.#samplesOf(piece);
    const positions = encodedPositions(samples.length, this.#options.task, this.#model.configuration);
    const isFirst = this.#isFirst(piece);
    const audio = await this.#encode(samples, positions, isFirst ? this.#options.mel : undefined);
    return { samples, isFirst, positions, audio };
  }

  /** Whether a piece that leaves the model unsure can be encoded again, over the whole length of the encoder. */
  #canLengthen({ positions }: EncodedPiece<Audio>): boolean {
    return positions < this.#model.configuration.audioPositions && !this.#options.isDraft;
  }

  async #lengthen(encoded: EncodedPiece<Audio>): Promise<void> {
    encoded.positions = this.#model.configuration.audioPositions;
    encoded.audio = await this.#encode(encoded.samples, encoded.positions);
  }

  /** Detects the language; lengthens the piece if that leaves the model unsure. */
  async #detect(encoded: EncodedPiece<Audio>, before: string | undefined): Promise<PieceLanguage> {
    const detected = await this.#languages.detect(encoded.audio, before);
    if (detected.probability >= MIN_LANGUAGE_PROBABILITY || !this.#canLengthen(encoded)) return detected;
    await this.#lengthen(encoded);
    return this.#languages.detect(encoded.audio, before);
  }

  /** Decodes a piece in the languages that it may be in, and chooses the surest text. */
  #decodeText(
    encoded: EncodedPiece<Audio>,
    detected: PieceLanguage,
    { tokens, language: languageBefore, isRetry, canShorten }: PieceContext,
  ): Promise<{ language: string; result: DecodingResult }> {
    const { samples } = encoded;
    const { expected, isDraft = false, isLive = false } = this.#options;
    const expectedTokens = encoded.isFirst && expected ? this.#tokenizer.encode(expected) : [];
    const mayTryAgain = !canShorten && !isRetry && !isLive;
    const decodeIn = (language: string, attempts: number) => {
      // Text in another language would make the model continue in that language, and text before a gap repeat itself.
      const isForeign = languageBefore !== undefined && languageBefore !== language;
      return this.#decoding.decodeWithFallback({
        start: () => this.#model.decode(encoded.audio, { attention: true }),
        previous: isForeign || isRetry ? [] : tokens,
        sequence: this.#startSequence(language),
        audioPositions: Math.ceil(samples.length / POSITION_SAMPLES),
        // Depends on the audio alone, so that the same audio gives the same text.
        seed: seedOf(new Uint32Array(samples.buffer, samples.byteOffset, samples.length)),
        attempts,
        expected: expectedTokens,
        // A retry that is not clear over its own length is rejected anyway.
        lengthen: this.#canLengthen(encoded) && !isRetry ? () => this.#lengthen(encoded) : undefined,
        isLive,
      });
    };
    const candidates = detected.candidates.slice(0, isDraft ? 1 : undefined);
    return surestText(candidates, decodeIn, mayTryAgain ? ATTEMPTS : 1);
  }

  #split(result: DecodingResult, isRejected: boolean, seconds: number): TokenSegments {
    if (isRejected) return { segments: [], done: seconds, unfinished: false };
    return splitAtTimestamps(result.tokens, this.#tokenizer.special, seconds);
  }

  #samplesOf({ start, end }: Span): Float32Array {
    return raiseIfQuiet(this.#window.samples.subarray(start - this.#window.start, end - this.#window.start));
  }

  /** Whether the piece starts the window and is as long as the encoder's input allows. */
  #isFirst(piece: Span): boolean {
    const { start, samples } = this.#window;
    const { length } = trimToEncoder(samples, this.#model.configuration.audioPositions);
    return piece.start === start && piece.end === start + length;
  }

  #encode(samples: Float32Array, positions: number, computed?: Float32Array): Promise<Audio> {
    return this.#model.encode(computed ?? this.#mel.compute(samples, 2 * positions));
  }

  #startSequence(language: string): number[] {
    const { special } = this.#tokenizer;
    if (!this.#model.configuration.multilingual) return [special.startOfTranscript];
    const token = special.languages.get(language);
    if (token === undefined) throw new HearsayError('unsupported_language', `Unsupported language: ${language}.`);
    return [special.startOfTranscript, token, special[this.#options.task]];
  }

  /**
   * Confident text counts as speech even if the model finds none, unless voice activity barely found any either. So little
   * speech needs text that does not fail.
   */
  #isSilent({ failed, noSpeechProbability, averageLogprob }: DecodingResult, piece: Span): boolean {
    const foundNone = noSpeechProbability > NO_SPEECH_THRESHOLD;
    if (speechWithin(this.#window.speech, piece) < MIN_SPEECH) return foundNone || failed;
    return foundNone && averageLogprob <= LOGPROB_THRESHOLD;
  }

  /** Whether text is too unsure for speech that an earlier decoding skipped. */
  #isUnclear({ failed, averageLogprob }: DecodingResult): boolean {
    return failed || averageLogprob < (this.#options.task === 'translate' ? LOGPROB_THRESHOLD : CLEAR_LOGPROB);
  }

  /** Mean log probability of a segment's text. */
  #logprobOf({ first, end }: SpokenSegment, { tokens, logprobs }: DecodingResult): number {
    const { endOfText } = this.#tokenizer.special;
    const text = logprobs.slice(first, end).filter((_, index) => tokens[first + index]! < endOfText);
    return mean(text);
  }
}

/** The first samples of some audio, as many as fit the encoder. */
export function trimToEncoder(samples: Float32Array, audioPositions: number): Float32Array {
  return samples.subarray(0, audioPositions * POSITION_SAMPLES);
}
