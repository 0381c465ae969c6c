import type { Segment, Span, SpeechWindow, Word } from '../../../contracts/transcription.ts';
import { holdsSpeech, speechWithin } from '../../../vad/coverage.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { tokenLogprob } from '../../common/token-logprobs.ts';
import { lengthenInstants, snapToSpeech, spread } from '../../common/word-timing.ts';
import { POSITION_SAMPLES, POSITION_SECONDS } from '../configuration.ts';
import type { DecodingResult, Tokenizer } from './decoding.ts';
import { type AttendedText, type TimingContext, type TokenSegment, timeSegments, type WordTime } from './timing.ts';
import type { SpecialTokens } from './tokenizer.ts';

export interface TokenSegments {
  segments: TokenSegment[];
  /** Seconds of the decoded audio that the segments cover. */
  done: number;
  /** Whether text follows the last segment; it is decoded again. */
  unfinished: boolean;
}

/**
 * Splits a transcript where one timestamp closes a segment and the next opens another, as openai/whisper's `transcribe.py`
 * does. An open last segment is left for the next decoding, unless it is the only one.
 * @param seconds length of the decoded audio
 */
export function splitAtTimestamps(
  tokens: readonly number[],
  { timestampBegin, endOfText }: Pick<SpecialTokens, 'timestampBegin' | 'endOfText'>,
  seconds: number,
): TokenSegments {
  const isTimestamp = (index: number) => index >= 0 && index < tokens.length && tokens[index]! >= timestampBegin;
  const secondsAt = (index: number) => (tokens[index]! - timestampBegin) * POSITION_SECONDS;
  const last = tokens.length - 1;
  const isClosed = last > 0 && isTimestamp(last) && !isTimestamp(last - 1);
  const ends = [...tokens.keys()].filter((index) => isTimestamp(index - 1) && isTimestamp(index));
  if (ends.length === 0) {
    if (last < 0) return { segments: [], done: seconds, unfinished: false };
    // The reference starts it with the audio, and ends it with the first timestamp if that is the only one.
    const from = isTimestamp(0) && secondsAt(0) < seconds ? secondsAt(0) : 0;
    const whole = { first: 0, end: tokens.length, from, to: isClosed ? secondsAt(last) : seconds };
    return { segments: [whole], done: seconds, unfinished: false };
  }
  if (isClosed) ends.push(tokens.length);
  const segments = ends.map((end, index) => {
    const first = ends[index - 1] ?? 0;
    return { first, end, from: secondsAt(first), to: secondsAt(end - 1) };
  });
  if (isClosed) return { segments, done: seconds, unfinished: false };
  const finished = ends.at(-1)!;
  const unfinished = tokens.slice(finished).some((token) => token < endOfText);
  return { segments, done: Math.min(secondsAt(finished - 1), seconds), unfinished };
}

/** Tolerance of timestamps and of voice activity, in samples. */
const SLACK = 0.3 * SAMPLE_RATE;

export interface SegmentContext extends TimingContext {
  tokenizer: Tokenizer;
  window: SpeechWindow;
  /** Start of the decoded audio, in samples from the start of the recording. */
  position: number;
  /** Start of the next decoding, in samples from the start of the recording. */
  next: number;
  /** Speech between the segments, which is decoded separately. */
  gaps: readonly Span[];
  /** Whether segments have the log probabilities of their tokens. Default: false. */
  logprobs?: boolean;
  /** Whether the text is a translation, so that its last word need not be the last one spoken. Default: false. */
  isTranslation?: boolean;
}

export interface SpokenSegment extends TokenSegment {
  text: string;
  /** Span by its timestamps, in samples from the start of the recording. */
  span: Span;
}

/**
 * The segments that hold text and overlap speech.
 * @param piece the decoded audio; timestamps may lie after its end
 */
export function spokenSegments(
  segments: readonly TokenSegment[],
  { tokens }: Pick<DecodingResult, 'tokens'>,
  { tokenizer, window, piece }: Pick<SegmentContext, 'tokenizer' | 'window'> & { piece: Span },
): SpokenSegment[] {
  const textOf = ({ first, end }: TokenSegment) => tokenizer.decode(tokens.slice(first, end));
  const positionAt = (seconds: number) => Math.min(piece.start + Math.round(seconds * SAMPLE_RATE), piece.end);
  return joinSplitCharacters(segments, textOf)
    .map((segment) => ({
      ...segment,
      text: textOf(segment),
      span: { start: positionAt(segment.from), end: positionAt(segment.to) },
    }))
    .filter(({ text, span }) => text.trim() !== '' && overlapsSpeech(span, window));
}

/** Maximum lead of attention before the first word of a segment and the one after a pause, in samples. */
const LEAD = 0.5 * SAMPLE_RATE;

/**
 * Corrects segments whose timestamps are not where their text is: the model may skip speech, for example in another
 * language, and give the text after it the times of the skipped speech. If attention finds half of a text after its
 * end, uses the span by attention. If it finds the end of the last text there, the model has closed the segment before
 * its last words.
 * @param attended where attention finds each text
 * @param position of the decoded audio, in samples from the start of the recording
 */
export function moveToAttention(
  spoken: readonly SpokenSegment[],
  attended: readonly AttendedText[],
  position: number,
): SpokenSegment[] {
  return spoken.map((segment, index) => {
    const { firstEnd, middle, lastStart, end } = attended[index]!;
    const secondHalf = segment.text.slice(segment.text.length >> 1);
    // Attention that covers half of a text in one step has lost track.
    if (isTooFast(secondHalf, (end - middle) * SAMPLE_RATE)) return segment;
    if (middle <= segment.to) {
      if (index < spoken.length - 1 || lastStart <= segment.to) return segment;
      const span = { start: segment.span.start, end: position + Math.round(lastStart * SAMPLE_RATE) };
      return { ...segment, span, to: lastStart };
    }
    const start = position + Math.round(firstEnd * SAMPLE_RATE) - LEAD;
    const span = { start: Math.max(segment.span.start, start), end: position + Math.round(end * SAMPLE_RATE) };
    return { ...segment, span, from: (span.start - position) / SAMPLE_RATE, to: end };
  });
}

/** Maximum spill of a word's attention into a pause, in samples. */
const SPILL = 0.1 * SAMPLE_RATE;
/** Maximum length of a first token, in samples. */
const MAX_FIRST_TOKEN = SAMPLE_RATE;

/**
 * Excludes from segments the speech that their timestamps cover but their text does not: the model may skip speech,
 * and still start and end segments with the window. The new spans start and end in the pauses around the words.
 * @param attended where attention finds each text
 * @param speech as voice activity found it
 * @param position of the decoded audio, in samples from the start of the recording
 */
export function leaveOutSkippedSpeech(
  spoken: readonly SpokenSegment[],
  attended: readonly AttendedText[],
  speech: readonly Span[],
  position: number,
): SpokenSegment[] {
  const at = (seconds: number) => position + Math.round(seconds * SAMPLE_RATE);
  return spoken.map((segment, index) => {
    let { start, end } = segment.span;
    const wordsStart = at(attended[index]!.firstEnd) - MAX_FIRST_TOKEN;
    const wordsEnd = at(attended[index]!.wordsEnd);
    // Attention that finds the words before all speech has lost track.
    if (speechWithin(speech, { start, end: wordsEnd }) === 0) return segment;
    const before = speech.filter((span) => span.end > start && span.end < Math.min(wordsStart + SPILL, end));
    if (holdsSpeech(before, segment.span)) start = before.at(-1)!.end;
    const after = speech.filter((span) => span.start > wordsEnd - SPILL && span.start < end);
    if (holdsSpeech(after, segment.span)) end = Math.max(wordsEnd, after[0]!.start - LEAD);
    const seconds = (sample: number) => (sample - position) / SAMPLE_RATE;
    return { ...segment, span: { start, end }, from: seconds(start), to: seconds(end) };
  });
}

/** The rate of fast speakers, with a tolerance for inexact times and short texts. */
const MAX_CHARACTERS_PER_SECOND = 40;
const MAX_CHARACTERS_AT_ONCE = 20;

/** Whether a span is too short for anybody to say the text: the model repeats itself where the speech has ended. */
function isTooFast(text: string, samples: number): boolean {
  return text.trim().length > MAX_CHARACTERS_AT_ONCE + (MAX_CHARACTERS_PER_SECOND * samples) / SAMPLE_RATE;
}

/** The rate of slow speakers in bytes of UTF-8 per second, for any script. */
const MIN_BYTES_PER_SECOND = 5;
/** Minimum speech in samples; less may be a noise that voice activity took for speech. */
const MIN_SLOW_SPEECH = 10 * SAMPLE_RATE;

/**
 * Whether a segment covers much more speech than its text: the model has skipped the speech and repeats earlier text.
 */
export function isTooSlow({ text, span }: Pick<SpokenSegment, 'text' | 'span'>, speech: readonly Span[]): boolean {
  const spoken = speechWithin(speech, span);
  return spoken >= MIN_SLOW_SPEECH && Buffer.byteLength(text.trim()) < (MIN_BYTES_PER_SECOND * spoken) / SAMPLE_RATE;
}

/** How many segments in a row say the same before they are doubted. */
const MIN_REPEATED_SEGMENTS = 4;
/** Minimum speech in samples: somebody who says "no, no, no, no" is faster. */
const MIN_REPEATED_SPEECH = 3 * SAMPLE_RATE;

/**
 * Runs of segments that repeat the same words, over so much speech that the model has skipped it: "Okay." once a second.
 */
export function repeatedSegments(spoken: readonly SpokenSegment[], speech: readonly Span[]): SpokenSegment[][] {
  const runs: SpokenSegment[][] = [];
  for (const segment of spoken) {
    const last = runs.at(-1);
    if (last && last[0]!.text.trim() === segment.text.trim()) last.push(segment);
    else runs.push([segment]);
  }
  return runs.filter(
    (run) => run.length >= MIN_REPEATED_SEGMENTS && speechWithin(speech, spanOf(run)) >= MIN_REPEATED_SPEECH,
  );
}

/** From the first of several segments to the last one. */
export function spanOf(segments: readonly SpokenSegment[]): Span {
  return { start: segments[0]!.span.start, end: segments.at(-1)!.span.end };
}

/**
 * Gives segments their times and words.
 * @returns one entry for each; undefined for one that takes no time, or less than its text needs
 */
export function toSegments(
  spoken: readonly SpokenSegment[],
  result: DecodingResult,
  context: SegmentContext,
): (Segment | undefined)[] {
  const { window, position, next, gaps, isTranslation } = context;
  const timed = timeSegments(spoken, result, context);
  let earliest = position;
  return spoken.map((segment, index) => {
    const following = spoken[index + 1];
    // Attention may extend a segment far into the next one; leave time for that.
    const gapBefore = gaps.find((gap) => gap.end === segment.span.start);
    const gapAfter = gaps.find((gap) => gap.start === segment.span.end);
    if (gapBefore) earliest = gapBefore.end;
    const latest = gapAfter?.start ?? (following ? Math.min(next, following.span.end) - POSITION_SAMPLES : next);
    const attended = timed[index]?.words ?? [];
    const spread = isTranslation ? spreadOverSpeech(attended, segment.span, window.speech) : attended;
    const { start, end, words } = placeWords(spread, segment.span, window, { earliest, latest });
    // As in the reference, drop a segment without duration.
    if (end <= start) return undefined;
    const stamped = Math.min(segment.span.end, window.end) - segment.span.start;
    if (isTooFast(segment.text, Math.max(end - start, stamped))) return undefined;
    earliest = end;
    return {
      seek: Math.floor((position / SAMPLE_RATE) * 100),
      start: start / SAMPLE_RATE,
      end: end / SAMPLE_RATE,
      text: segment.text,
      tokens: result.tokens.slice(segment.first, segment.end),
      temperature: result.temperature,
      avg_logprob: result.averageLogprob,
      compression_ratio: result.compressionRatio,
      no_speech_prob: result.noSpeechProbability,
      words,
      ...(context.logprobs && { logprobs: logprobsOf(segment, result, context.tokenizer) }),
    };
  });
}

/** The text tokens of a segment. */
function logprobsOf({ first, end }: TokenSegment, { tokens, logprobs }: DecodingResult, tokenizer: Tokenizer) {
  return tokens
    .slice(first, end)
    .map((token, index) => tokenLogprob(tokenizer.bytes(token), logprobs[first + index]!))
    .filter(({ bytes }) => bytes.length > 0);
}

/** Joins segments that timestamps split within a character: neither part decodes to text by itself. */
function joinSplitCharacters(
  segments: readonly TokenSegment[],
  textOf: (segment: TokenSegment) => string,
): TokenSegment[] {
  const joined: TokenSegment[] = [];
  for (const segment of segments) {
    const previous = joined.at(-1);
    const both = previous && { ...previous, end: segment.end, to: segment.to };
    if (both && textOf(previous).endsWith('\uFFFD') && textOf(both) !== textOf(previous) + textOf(segment)) {
      joined[joined.length - 1] = both;
    } else {
      joined.push(segment);
    }
  }
  return joined;
}

function overlapsSpeech({ start, end }: Span, { speech }: SpeechWindow): boolean {
  return speech.some((span) => span.start < end + SLACK && span.end > start - SLACK);
}

/**
 * Stretches the words of a translation to the end of the speech that they translate: where the verb is spoken last, the last
 * English word attends to speech long before it.
 * @param words with times in seconds from the attention
 * @param stamped the segment's span by its timestamps
 */
function spreadOverSpeech(words: readonly WordTime[], stamped: Span, speech: readonly Span[]): readonly WordTime[] {
  const start = words[0]?.start ?? 0;
  const end = words.at(-1)?.end ?? 0;
  // Speech that begins just before the closing timestamp is that of the next segment.
  const last = speech.findLast((span) => span.start < stamped.end - SLACK);
  const spokenEnd = last ? Math.min(last.end, stamped.end) / SAMPLE_RATE : 0;
  if (end <= start || spokenEnd <= end) return words;
  const stretched = (seconds: number) => start + ((seconds - start) * (spokenEnd - start)) / (end - start);
  return words.map((word) => ({ ...word, start: stretched(word.start), end: stretched(word.end) }));
}

/**
 * A segment's span and words, moved off pauses and put in order. All spans in samples from the start of the recording.
 * @param words with times in seconds from the attention
 * @param stamped the segment's span by its timestamps
 */
function placeWords(
  words: readonly WordTime[],
  stamped: Span,
  window: SpeechWindow,
  { earliest, latest }: { earliest: number; latest: number },
): Span & { words: Word[] } {
  const clamp = (sample: number, min: number) => Math.min(Math.max(sample, min), latest);
  let previousEnd = earliest;
  const instants = words.map((word) => {
    const span = snapToSpeech({ start: word.start * SAMPLE_RATE, end: word.end * SAMPLE_RATE }, window, LEAD);
    const start = clamp(span.start, previousEnd);
    previousEnd = clamp(span.end, start);
    return { start, end: previousEnd };
  });
  const spans = lengthenInstants(instants, latest);
  let start = spans[0]?.start ?? latest;
  let end = spans.at(-1)?.end ?? earliest;
  if (previousEnd <= (instants[0]?.start ?? latest)) {
    // With attention on one moment only, timestamps are more reliable.
    start = Math.min(start, clamp(stamped.start, earliest));
    end = Math.max(end, clamp(stamped.end, earliest));
    spread(spans, { start, end });
  }
  const placed = spans.map((span, index) => ({
    word: words[index]!.text.trim(),
    start: span.start / SAMPLE_RATE,
    end: span.end / SAMPLE_RATE,
    probability: words[index]!.probability,
  }));
  return { start, end, words: placed.filter(({ word }) => word !== '') };
}
