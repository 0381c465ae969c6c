import type { Segment } from '../../contracts/transcription.ts';
import { guessedWords } from './guessed-words.ts';

/** The words of a segment whose middle is not before a moment, as a segment; undefined if there are none. */
export function segmentAfter(segment: Segment, seconds: number): Segment | undefined {
  const isAfter = ({ start, end }: { start: number; end: number }) => (start + end) / 2 >= seconds;
  const words = guessedWords([segment]);
  const first = words.findIndex(isAfter);
  if (first < 0) return undefined;
  if (first === 0) return segment;
  const kept = words.slice(first);
  return {
    ...segment,
    start: kept[0]!.start,
    text: kept.map(({ text, after }) => text + after).join(''),
    words: segment.words.filter(isAfter),
    ...(segment.logprobs && {
      logprobs: kept.flatMap(({ tokens = [], tokensAfter = [] }) => [...tokens, ...tokensAfter]),
    }),
  };
}

/** A segment that begins later by so many seconds, with its words. */
export function later(segment: Segment, seconds: number): Segment {
  const moved = <Timed extends { start: number; end: number }>(timed: Timed): Timed => ({
    ...timed,
    start: timed.start + seconds,
    end: timed.end + seconds,
  });
  return { ...moved(segment), words: segment.words.map(moved) };
}
