import type { Segment } from '../../../contracts/transcription.ts';
import { MAX_REPETITION_RATE } from '../../common/repetition.ts';

/** Seconds by which an echo may end after the text it repeats. */
const SLACK = 0.3;
/** The length below which times are too inexact to judge the rate. */
const MIN_CHARACTERS = 20;

/**
 * Drops echoes: speech after a closing timestamp is decoded again, although the segment may already hold its words. An
 * echo repeats the end of the segment before it, within the time of that segment or faster than anybody speaks.
 * @param segments by start
 */
export function withoutEchoes(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  for (const segment of segments) {
    const before = kept.at(-1);
    if (!before || !isEcho(segment, before)) kept.push(segment);
  }
  return kept;
}

function isEcho({ start, end, text }: Segment, before: Segment): boolean {
  const isWithin = start < before.end && end <= before.end + SLACK;
  const { length } = text.trim();
  const isTooFast = length > MIN_CHARACTERS && length > MAX_REPETITION_RATE * (end - start);
  return (isWithin || isTooFast) && lettersOf(before.text).endsWith(lettersOf(text));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
