import type { Batching, Segment, Span, SpeechWindow } from '../../../contracts/transcription.ts';
import { holdsSkippedSpeech, holdsSpeech, speechWithin, uncoveredSpans } from '../../../vad/coverage.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { BackgroundVoices, type SpeechLevels } from '../../common/background-voices.ts';
import { POSITION_SAMPLES } from '../configuration.ts';
import type { Tokenizer } from './decoding.ts';
import { withoutEchoes } from './echoes.ts';
import {
  type DecodedPiece,
  type DecodingOptions,
  PieceDecoder,
  type TranscribingModel,
  type TranscriptionParts,
} from './piece-decoder.ts';
import {
  isTooSlow,
  repeatedSegments,
  type SegmentContext,
  type SpokenSegment,
  spanOf,
  toSegments,
} from './segments.ts';

/** State that one window passes to the next of the same recording. */
export interface Context {
  /** Previous text as tokens, which conditions the decoding. */
  tokens: number[];
  /** Language of the tokens; absent if they are a prompt. */
  language?: string;
  /** End of the last segment, in seconds from the start of the recording. */
  lastSpeech: number;
  /** Levels of the last segments. */
  levels: SpeechLevels;
}

export interface TranscribeOptions extends DecodingOptions {
  /** Text to condition the first window on: names and spellings. */
  prompt?: string;
  /** Whether segments have the log probabilities of their tokens. Default: false. */
  logprobs?: boolean;
  /** Only detects the language. Default: false. */
  detectOnly?: boolean;
  /** Context from the previous window; absent for the first. */
  context?: Context;
}

export interface TranscribedWindow {
  segments: Segment[];
  /** ISO 639-1 code of the speech. */
  language: string;
  /** Probability of the language, 0 to 1, if only that was detected. */
  probability?: number;
  context: Context;
  batching?: Batching;
}

/** As in the reference's `transcribe()`: text sampled above this temperature does not condition what follows. */
const MAX_CONDITIONING_TEMPERATURE = 0.5;

/** Minimum remaining speech to decode, in samples: after unfinished text, and otherwise. */
const MIN_REST_UNFINISHED = 0.1 * SAMPLE_RATE;
const MIN_REST = 0.3 * SAMPLE_RATE;
/**
 * Minimum advance of each decoding, in samples: with the 20 ms that timestamps allow, a window might never end. After
 * a failure, a nearby start is unlikely to do better.
 */
const MIN_ADVANCE = 0.5 * SAMPLE_RATE;
const MIN_ADVANCE_AFTER_FAILURE = 2 * SAMPLE_RATE;

/** Speech that a piece must have on either side of the pause that splits it, in samples and as a share of all. */
const MIN_SIDE = 2 * SAMPLE_RATE;
const MIN_SIDE_SHARE = 0.25;

/**
 * Minimum speech, in samples, that is decoded in halves if its text is rejected or improbable: its beginning may mislead the
 * model.
 */
const MIN_HALVED = 5 * SAMPLE_RATE;

/**
 * How often a piece may be shortened: halves and quarters are enough to tell languages apart; shorter ones lack
 * context.
 */
const MAX_SHORTENINGS = 2;

/**
 * Transcribes one window, which may be longer than the encoder's: decoding continues from the last timestamp, as in
 * openai/whisper's `transcribe()`. Unlike there, it continues only if voice activity found more speech, from the timestamp
 * even with word times (attention drifts), and drops text hallucinated over silence.
 *
 * Decodes again the speech that no segment covers, and segments in another language than the rest. If the language is
 * unsure, or the text fails or is empty, shortens the piece to a pause and decodes it again: it may hold several
 * languages, or speech after music.
 * @throws HearsayError unsupported_language if the checkpoint has no token for the language
 */
export async function transcribeWindow<Audio>(
  parts: TranscriptionParts<Audio>,
  window: SpeechWindow,
  options: TranscribeOptions,
): Promise<TranscribedWindow> {
  const transcription = new WindowTranscription(parts, window, options);
  if (options.detectOnly) return { segments: [], ...(await transcription.detect()), context: transcription.context };
  const segments = await transcription.transcribe();
  const { language, context } = transcription;
  return { segments, language: language ?? context.language ?? 'en', context };
}

/** One window while it is transcribed. All positions are samples from the start of the recording. */
class WindowTranscription<Audio> {
  /** Language of the last piece. */
  language: string | undefined;
  context: Context;
  readonly #configuration: TranscribingModel<Audio>['configuration'];
  readonly #tokenizer: Tokenizer;
  readonly #window: SpeechWindow;
  readonly #options: TranscribeOptions;
  readonly #decoder: PieceDecoder<Audio>;
  readonly #backgroundVoices: BackgroundVoices;

  constructor(parts: TranscriptionParts<Audio>, window: SpeechWindow, options: TranscribeOptions) {
    this.#configuration = parts.model.configuration;
    this.#tokenizer = parts.tokenizer;
    this.#window = window;
    this.#options = options;
    this.#decoder = new PieceDecoder(parts, window, options);
    this.#backgroundVoices = new BackgroundVoices(window);
    this.context = options.context ?? promptContext(options.prompt, parts.tokenizer);
  }

  /** Detects the language of as much of the window as fits the encoder. */
  detect(): Promise<{ language: string; probability: number }> {
    const { start, end } = this.#window;
    const encoderLength = this.#configuration.audioPositions * POSITION_SAMPLES;
    return this.#decoder.detectLanguage({ start, end: Math.min(end, start + encoderLength) });
  }

  /** Transcribes all of the window. */
  async transcribe(): Promise<Segment[]> {
    const before = this.context.levels;
    const segments = withoutEchoes(await this.#transcribeSpan(this.#window));
    return this.#inFront(segments, before).segments;
  }

  /**
   * Transcribes a span of the window.
   * @param isPart whether the span lies between segments, which have already set language and context
   */
  async #transcribeSpan(span: Span, isPart = false): Promise<Segment[]> {
    const { speech } = this.#window;
    const encoderLength = this.#configuration.audioPositions * POSITION_SAMPLES;
    const segments: Segment[] = [];
    /** Ends of the span and of the pieces that are being shortened. */
    const limits = [span.end];
    let position = span.start;
    let minRest = 0;
    /** Where speech ends that an earlier decoding skipped, until some of it gives text. */
    let skippedEnd = 0;
    for (;;) {
      const limit = limits.at(-1)!;
      if (limit - position < POSITION_SAMPLES || speechWithin(speech, { start: position, end: limit }) <= minRest) {
        if (limits.length === 1) return segments;
        position = Math.max(position, limits.pop()!);
        continue;
      }
      const piece = { start: position, end: Math.min(limit, position + encoderLength) };
      const mayShorten = limits.length <= MAX_SHORTENINGS && !this.#options.isLive;
      const pause = mayShorten ? splittingPause(speech, piece) : undefined;
      const decoded = await this.#decoder.decode(piece, {
        tokens: this.context.tokens,
        language: this.language ?? this.context.language,
        isRetry: isPart || position < skippedEnd,
        isWhole: limits.length === 1,
        canShorten: pause !== undefined,
      });
      if (decoded === undefined) {
        limits.push(pause!);
        continue;
      }
      if (this.#mayHalve(decoded, piece)) {
        segments.push(...(await this.#transcribeHalves(piece)));
        position = piece.end;
        continue;
      }
      const { next, skipped } = continuation(decoded, piece, speech);
      segments.push(...(await this.#segmentsOf(decoded, { ...piece, next }, isPart)));
      position = next;
      minRest = decoded.split.unfinished ? MIN_REST_UNFINISHED : MIN_REST;
      if (decoded.spoken.length > 0) skippedEnd = skipped?.end ?? 0;
    }
  }

  /** Whether the halves of a piece may give better text. */
  #mayHalve({ isRejected, isImprobable }: DecodedPiece, piece: Span): boolean {
    const { isDraft, isLive } = this.#options;
    if (isDraft || speechWithin(this.#window.speech, piece) < MIN_HALVED) return false;
    return isRejected || (isImprobable && !isLive);
  }

  async #transcribeHalves({ start, end }: Span): Promise<Segment[]> {
    const middle = splittingPause(this.#window.speech, { start, end }) ?? Math.round((start + end) / 2);
    const first = await this.#transcribeSpan({ start, end: middle }, true);
    return [...first, ...(await this.#transcribeSpan({ start: middle, end }, true))];
  }

  /** Segments of a piece, including those of parts that it decodes again. */
  async #segmentsOf(
    decoded: DecodedPiece,
    piece: Span & Pick<SegmentContext, 'next'>,
    isPart: boolean,
  ): Promise<Segment[]> {
    if (isPart) return this.#timed(decoded, { ...piece, gaps: [] }).filter((segment) => segment !== undefined);
    let { spoken } = decoded;
    const spans = spoken.map(({ span }) => span);
    const { isDraft, isLive } = this.#options;
    const gaps = isDraft ? [] : uncoveredSpans(this.#window.speech, spans, piece.start);
    const parts: Segment[] = [];
    for (const gap of gaps) parts.push(...(await this.#transcribeSpan(gap, true)));
    const doubted = isLive ? [] : doubtedSegments(spoken, this.#window.speech);
    const others = spoken.filter((each) => !doubted.flat().includes(each));
    const foreign = isLive ? [] : await this.#decoder.foreignSegments({ ...decoded, spoken: others });
    for (const segments of [...doubted, ...foreign]) {
      const span = spanOf(segments);
      const part = await this.#transcribeSpan(span, true);
      if (part.length === 0 && !segments.every((each) => this.#repeatsTextBefore(each))) continue;
      parts.push(...part);
      gaps.push(span);
      spoken = spoken.filter((segment) => !segments.includes(segment));
    }
    const timed = this.#timed({ ...decoded, spoken }, { ...piece, gaps });
    for (const [index, segment] of timed.entries()) {
      if (!segment || isDraft) continue;
      // Less than a gap may precede the segment, and less than skipped speech its words: together they may hold a sentence.
      const { span } = spoken[index]!;
      const decodedEnds = [...gaps, ...spoken.slice(0, index).map((each) => each.span)].map(({ end }) => end);
      const start = Math.max(piece.start, ...decodedEnds.filter((end) => end <= span.start));
      const beforeWords = { start, end: Math.floor(segment.start * SAMPLE_RATE) };
      if (!holdsSkippedSpeech(this.#window.speech, beforeWords)) continue;
      parts.push(...(await this.#transcribeSpan(beforeWords, true)));
    }
    const segments = timed.filter((segment) => segment !== undefined);
    this.#follow(decoded, segments);
    return [...segments, ...parts].sort((a, b) => a.start - b.start);
  }

  /** Whether a segment repeats the end of the text before its piece. */
  #repeatsTextBefore({ text }: SpokenSegment): boolean {
    return this.#tokenizer.decode(this.context.tokens).trim().endsWith(text.trim());
  }

  #timed(
    { result, language, spoken, times }: DecodedPiece,
    { start, next, gaps }: Span & Pick<SegmentContext, 'next' | 'gaps'>,
  ): (Segment | undefined)[] {
    const isTranslation = this.#options.task === 'translate';
    return toSegments(spoken, result, {
      tokenizer: this.#tokenizer,
      // A translation is in English, whatever was spoken.
      language: isTranslation ? 'en' : language,
      isTranslation,
      times,
      offset: start / SAMPLE_RATE,
      lastSpeech: this.context.lastSpeech,
      window: this.#window,
      position: start,
      next,
      gaps,
      logprobs: this.#options.logprobs,
    });
  }

  /** Drops segments of background voices, except in live speech, whose words may have been shown already. */
  #inFront(segments: readonly Segment[], before: SpeechLevels): { segments: Segment[]; levels: SpeechLevels } {
    if (this.#options.isLive) return { segments: [...segments], levels: before };
    return this.#backgroundVoices.leaveOut(segments, before);
  }

  /** Updates the context for the next piece. As in the reference, silence neither adds to the context nor clears it. */
  #follow({ result, language, isSilent }: DecodedPiece, all: readonly Segment[]): void {
    this.language = language;
    if (isSilent) return;
    const { tokens: before, language: languageBefore, lastSpeech } = this.context;
    const { segments, levels } = this.#inFront(all, this.context.levels);
    const isReliable = !result.failed && result.temperature <= MAX_CONDITIONING_TEMPERATURE;
    const isForeign = languageBefore !== undefined && languageBefore !== language;
    const tokens = [...(isForeign ? [] : before), ...segments.flatMap((segment) => segment.tokens)];
    this.context = {
      tokens: isReliable ? tokens.slice(-this.#decoder.maxPreviousTokens) : [],
      language,
      lastSpeech: segments.at(-1)?.end ?? lastSpeech,
      levels,
    };
  }
}

/** Segments that the model has probably written instead of the speech, by run. */
function doubtedSegments(spoken: readonly SpokenSegment[], speech: readonly Span[]): SpokenSegment[][] {
  const repeated = repeatedSegments(spoken, speech);
  const slow = spoken.filter((each) => isTooSlow(each, speech) && !repeated.flat().includes(each));
  return [...slow.map((each) => [each]), ...repeated];
}

function promptContext(prompt: string | undefined, tokenizer: Tokenizer): Context {
  const text = prompt?.trim();
  return { tokens: text ? tokenizer.encode(` ${text}`) : [], lastSpeech: 0, levels: [] };
}

/**
 * Where decoding continues after a piece.
 * @returns also the speech before the end of its transcript that no segment covers, if any; it is decoded first
 */
function continuation(
  { result, split, spoken }: DecodedPiece,
  piece: Span,
  speech: readonly Span[],
): { next: number; skipped: Span | undefined } {
  const rest = {
    start: spoken.at(-1)?.span.end ?? piece.start,
    end: piece.start + Math.round(split.done * SAMPLE_RATE),
  };
  const skipped = spoken.length > 0 && holdsSpeech(speech, rest) ? rest : undefined;
  // Words that attention finds after their closing timestamp are not decoded again.
  const done = skipped ? rest.start : Math.max(rest.start, rest.end);
  const minAdvance = result.failed ? MIN_ADVANCE_AFTER_FAILURE : MIN_ADVANCE;
  return { next: Math.min(Math.max(done, piece.start + minAdvance), piece.end), skipped };
}

/** Middle of the longest pause that leaves enough speech on both sides, if there is one. */
function splittingPause(speech: readonly Span[], piece: Span): number | undefined {
  const all = speechWithin(speech, piece);
  const minSide = Math.max(MIN_SIDE, MIN_SIDE_SHARE * all);
  let longest: Span | undefined;
  for (const [index, { start: end }] of speech.slice(1).entries()) {
    const start = speech[index]!.end;
    const before = speechWithin(speech, { start: piece.start, end: start });
    if (before < minSide || all - before < minSide) continue;
    if (!longest || end - start > longest.end - longest.start) longest = { start, end };
  }
  return longest && Math.round((longest.start + longest.end) / 2);
}
