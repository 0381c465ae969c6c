import type { Segment } from '../../../contracts/transcription.ts';

/** Seconds by which an echo may outlast what it repeats. */
const SLACK = 0.3;
/** Fast speakers say 25 characters a second. The times of shorter texts are not exact enough to tell. */
const MAX_CHARACTERS_PER_SECOND = 25;
const MIN_CHARACTERS = 20;

/**
 * Segments without echoes: speech behind a closing timestamp is decoded again, although the segment holds its words. An echo
 * says what the segment before it ends with, within the time of that segment or faster than anybody speaks.
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
  const isTooFast = length > MIN_CHARACTERS && length > MAX_CHARACTERS_PER_SECOND * (end - start);
  return (isWithin || isTooFast) && lettersOf(before.text).endsWith(lettersOf(text));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
