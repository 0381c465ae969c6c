import type { Segment, Span } from '../contracts/transcription.ts';
import { SAMPLE_RATE } from './frames.ts';

// Spans are in samples from the start of the recording, and speech is as voice activity found it.

/** Samples of speech within a span. */
export function speechWithin(speech: readonly Span[], { start: from, end: to }: Span): number {
  return speech.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
}

/** Minimum speech without text, in samples; less may be a breath or a laugh. */
const MIN_UNCOVERED = SAMPLE_RATE;
/** Tolerance for segments that begin late or end early, in samples. */
const MARGIN = 0.2 * SAMPLE_RATE;

/** Whether so much speech lies within a span that it should have given text. */
export function holdsSpeech(speech: readonly Span[], span: Span): boolean {
  return speechWithin(speech, span) > MIN_UNCOVERED;
}

/**
 * Spans with speech before and between segments, which none of them covers.
 * @param segments in order
 * @param start where the first segment could have started
 */
export function uncoveredSpans(speech: readonly Span[], segments: readonly Span[], start: number): Span[] {
  const gaps = segments.map((segment, index) => ({ start: segments[index - 1]?.end ?? start, end: segment.start }));
  return gaps.filter((gap) => holdsSpeech(speech, { start: gap.start + MARGIN, end: gap.end - MARGIN }));
}

/** Minimum speech between a segment's timestamp and its first word, in samples; less may be drift of the attention. */
const MIN_WORDLESS = 3 * SAMPLE_RATE;

/** Whether so much speech precedes the first word of a segment that the words before it were skipped. */
export function holdsSkippedSpeech(speech: readonly Span[], beforeWords: Span): boolean {
  return speechWithin(speech, beforeWords) > MIN_WORDLESS;
}

/** Seconds of a window's speech that no segment covers. */
export function missedSpeech(speech: readonly Span[], segments: readonly Pick<Segment, 'start' | 'end'>[]): number {
  if (speech.length === 0) return 0;
  const end = speech.at(-1)!.end;
  const spans = segments.map(({ start, end }) => ({ start: start * SAMPLE_RATE, end: end * SAMPLE_RATE }));
  const gaps = uncoveredSpans(speech, [...spans, { start: end + MARGIN, end }], speech[0]!.start - MARGIN);
  return gaps.reduce((sum, gap) => sum + speechWithin(speech, gap), 0) / SAMPLE_RATE;
}
