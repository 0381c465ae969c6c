import type { Span, SpeechWindow } from '../../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { FRAME_SAMPLES, framesIn, HOP_SAMPLES, samplesUnder } from './filter-banks.ts';

// How the lengths were chosen: docs/decisions/0032-speakers.md.

/** 1.5 s. */
const PIECE_FRAMES = 148;
/** 0.75 s. */
const SHIFT_FRAMES = 75;
/** Half a second: less is not enough to recognize a voice. */
const MIN_FRAMES = framesIn(0.5 * SAMPLE_RATE);
/** Voice activity detects speech a little late, and ends it a little early. */
const PADDING = 0.05 * SAMPLE_RATE;
/** Frames on each side over which the energy of a frame is averaged, to find a dip. */
const DIP_FRAMES = 2;

/** Speech without a pause that voice activity notices: 0.16 s. */
export interface Stretch {
  /** The speech. */
  speech: Span;
  /** The audio to embed: the speech, and audio around it if it is very short. */
  heard: Span;
}

/** A piece of a stretch of speech to embed. */
export interface Piece {
  /** From the start of what is heard. */
  firstFrame: number;
  frames: number;
  /** The part of the speech whose speaker the piece identifies. The parts of a stretch are consecutive. */
  part: Span;
}

/** The stretches of a window, in order; empty for a window that is too short. */
export function stretchesOf({ start, samples, speech }: Pick<SpeechWindow, 'start' | 'samples' | 'speech'>): Stretch[] {
  const end = start + samples.length;
  const least = samplesUnder(MIN_FRAMES);
  if (samples.length < least) return [];
  return speech.map((span, index) => {
    const pauseBefore = span.start - (speech[index - 1]?.end ?? start);
    const pauseAfter = (speech[index + 1]?.start ?? end) - span.end;
    const padded = {
      start: Math.max(start, span.start - Math.min(PADDING, Math.floor(pauseBefore / 2))),
      end: Math.min(end, span.end + Math.min(PADDING, Math.floor(pauseAfter / 2))),
    };
    const missing = least - (padded.end - padded.start);
    if (missing <= 0) return { speech: padded, heard: padded };
    const from = Math.min(Math.max(start, Math.round(padded.start - missing / 2)), end - least);
    return { speech: padded, heard: { start: from, end: from + least } };
  });
}

/**
 * Cuts a stretch into pieces that overlap; the last ends where the stretch does. Their parts of the speech begin and end
 * halfway between the middles of two pieces, or at a quieter moment nearby: there speakers change.
 * @param samples of what is heard
 */
export function piecesOf(samples: Float32Array, { speech, heard }: Stretch): Piece[] {
  const frames = framesIn(samples.length);
  const length = Math.min(PIECE_FRAMES, frames);
  const count = 1 + Math.ceil((frames - length) / SHIFT_FRAMES);
  const firsts = Array.from({ length: count }, (_, index) => Math.min(index * SHIFT_FRAMES, frames - length));
  const ends = firsts.slice(1).map((first, index) => {
    const before = firsts[index]!;
    return heard.start + quietest(samples, (before + first + length) / 2, (first - before) / 3);
  });
  return firsts.map((firstFrame, index) => ({
    firstFrame,
    frames: length,
    part: { start: ends[index - 1] ?? speech.start, end: ends[index] ?? speech.end },
  }));
}

/** The sample in the middle of the quietest frame at most `range` frames from the middle one. */
function quietest(samples: Float32Array, middle: number, range: number): number {
  let best = Math.round(middle);
  let least = Number.POSITIVE_INFINITY;
  for (let frame = Math.ceil(middle - range); frame <= middle + range; frame++) {
    const from = Math.max(0, (frame - DIP_FRAMES) * HOP_SAMPLES);
    const to = Math.min(samples.length, (frame + DIP_FRAMES) * HOP_SAMPLES + FRAME_SAMPLES);
    let energy = 0;
    for (let index = from; index < to; index++) energy += samples[index]! ** 2;
    if (energy >= least) continue;
    least = energy;
    best = frame;
  }
  return best * HOP_SAMPLES + FRAME_SAMPLES / 2;
}
