import type { SpecialTokens } from './tokenizer.ts';

/** Each timestamp stands for so many seconds more than the one before, and so does each frame of the encoder. */
export const FRAME_SECONDS = 0.02;

/** A range of a transcript's tokens that is one segment, its timestamps included. */
export interface Cut {
  /** Index of its first token. */
  first: number;
  /** Index after its last token. */
  end: number;
  /** Seconds from the start of the audio that was decoded. */
  from: number;
  to: number;
}

export interface Cuts {
  segments: Cut[];
  /** Up to where the audio is dealt with: seconds from its start. */
  done: number;
  /** Whether there is text after the last segment, which was not finished and is to be decoded again. */
  unfinished: boolean;
}

/**
 * Cuts a transcript where one timestamp closes a segment and the next opens another, as openai/whisper's `transcribe.py`
 * does. A segment that is not closed is left for the next time, except where it is all there is.
 * @param seconds length of the audio that was decoded
 */
export function cutAtTimestamps(
  tokens: readonly number[],
  { timestampBegin, endOfText }: Pick<SpecialTokens, 'timestampBegin' | 'endOfText'>,
  seconds: number,
): Cuts {
  const isTimestamp = (index: number) => index >= 0 && index < tokens.length && tokens[index]! >= timestampBegin;
  const at = (index: number) => (tokens[index]! - timestampBegin) * FRAME_SECONDS;
  const last = tokens.length - 1;
  const closed = last > 0 && isTimestamp(last) && !isTimestamp(last - 1);
  const ends = [...tokens.keys()].filter((index) => isTimestamp(index - 1) && isTimestamp(index));
  if (ends.length === 0) {
    if (last < 0) return { segments: [], done: seconds, unfinished: false };
    // The reference starts it with the audio, and ends it with the first timestamp if that is the only one.
    const from = isTimestamp(0) && at(0) < seconds ? at(0) : 0;
    const whole = { first: 0, end: tokens.length, from, to: closed ? at(last) : seconds };
    return { segments: [whole], done: seconds, unfinished: false };
  }
  if (closed) ends.push(tokens.length);
  const segments = ends.map((end, index) => {
    const first = ends[index - 1] ?? 0;
    return { first, end, from: at(first), to: at(end - 1) };
  });
  if (closed) return { segments, done: seconds, unfinished: false };
  const finished = ends.at(-1)!;
  const unfinished = tokens.slice(finished).some((token) => token < endOfText);
  return { segments, done: Math.min(at(finished - 1), seconds), unfinished };
}
