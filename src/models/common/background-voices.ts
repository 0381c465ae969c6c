import type { Segment, SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { mean } from './mean.ts';

/** Samples of a frame, 50 ms: shorter than a syllable. */
const FRAME = 0.05 * SAMPLE_RATE;
/** Frames per second, and the step between the seconds that are measured, in frames. */
const SECOND = 20;
const STEP = 5;
/** Quantiles of the levels of frames: that of a sound, and that of the noise floor. */
const LEVEL = 0.8;
const FLOOR = 0.1;

/**
 * Decibels by which the quietest second of a window exceeds its floor if there are background voices: 3 to 6 for four
 * voices. For steady noise it is 1, and for speech in a quiet room, with its quiet pauses, 15 and more.
 */
const MURMUR = { min: 2, max: 8 };
/** Maximum level of a background voice above the murmur, in decibels. */
const MAX_ABOVE_MURMUR = 4;
/** Minimum decibels by which it is quieter than the loudest speech around it. */
const MIN_BELOW_SPEECH = 8;
/** Mean log probability of words. Real speech is mostly above it, even that of a quiet speaker. */
const UNCLEAR_LOGPROB = -0.3;
/** Maximum pause, in seconds, and difference in level, in decibels, at which a speaker goes on speaking. */
const SAME_SPEAKER = { pause: 0.1, level: 3 };
/** Number of earlier segments whose levels count. */
const REMEMBERED = 5;

/** Levels of the last segments, in dBFS. */
export type SpeechLevels = readonly number[];

/** A segment, and its level in dBFS. */
interface LeveledSegment {
  segment: Segment;
  level: number;
}

/** The background voices of a window, which the model transcribes in the pauses of a speaker. */
export class BackgroundVoices {
  readonly #window: Pick<SpeechWindow, 'samples' | 'start'>;
  #levels: number[] | undefined;

  constructor(window: Pick<SpeechWindow, 'samples' | 'start'>) {
    this.#window = window;
  }

  /**
   * Drops segments of background voices: much quieter than the speech around, no louder than the murmur of the window, and
   * unclear or the same as a dropped one. A segment stays if its speaker goes on from a remaining one. Measurements are in
   * docs/decisions/0034-background-voices.md.
   * @param segments of the window, in order
   * @param before levels of the segments before them
   * @returns the remaining segments, and the levels of the last ones
   */
  leaveOut(segments: readonly Segment[], before: SpeechLevels): { segments: Segment[]; levels: SpeechLevels } {
    if (segments.length === 0) return { segments: [], levels: before };
    const frames = this.#frames;
    const levels = segments.map(({ start, end }) => {
      const frameAt = (seconds: number) => Math.round((seconds * SAMPLE_RATE - this.#window.start) / FRAME);
      const first = Math.min(Math.max(0, frameAt(start)), frames.length - 1);
      return quantile(frames.slice(first, Math.max(frameAt(end), first + 1)), LEVEL);
    });
    const limit = Math.min(murmurOf(frames) + MAX_ABOVE_MURMUR, Math.max(...before, ...levels) - MIN_BELOW_SPEECH);
    const leftOut = new Set<string>();
    const kept: LeveledSegment[] = [];
    /** The segment before, if it is kept. */
    let last: LeveledSegment | undefined;
    for (const [index, segment] of segments.entries()) {
      const each = { segment, level: levels[index]! };
      const logprob = mean(segment.words.map(({ probability }) => Math.log(probability)));
      const isUnclear = logprob <= UNCLEAR_LOGPROB || leftOut.has(segment.text);
      if (each.level < limit && isUnclear && !goesOn(last, each)) {
        leftOut.add(segment.text);
        last = undefined;
      } else {
        kept.push(each);
        last = each;
      }
    }
    return {
      segments: kept.map(({ segment }) => segment),
      levels: [...before, ...kept.map(({ level }) => level)].slice(-REMEMBERED),
    };
  }

  /** Levels of the window's frames in dBFS. */
  get #frames(): readonly number[] {
    this.#levels ??= frameLevels(this.#window.samples);
    return this.#levels;
  }
}

/** Whether a segment is the same speaker as the one before it: there is no pause, and the level is about the same. */
function goesOn(before: LeveledSegment | undefined, { segment, level }: LeveledSegment): boolean {
  if (before === undefined) return false;
  const isClose = segment.start - before.segment.end <= SAME_SPEAKER.pause;
  return isClose && Math.abs(level - before.level) <= SAME_SPEAKER.level;
}

/** Level of the voices that murmur throughout the window, in dBFS; minus infinity if there are none. */
function murmurOf(frames: readonly number[]): number {
  const seconds: number[] = [];
  for (let start = 0; start + SECOND <= frames.length; start += STEP) {
    seconds.push(quantile(frames.slice(start, start + SECOND), LEVEL));
  }
  const quietest = Math.min(...seconds);
  const range = quietest - quantile(frames, FLOOR);
  return range >= MURMUR.min && range <= MURMUR.max ? quietest : Number.NEGATIVE_INFINITY;
}

/** Levels of whole frames in dBFS. */
function frameLevels(samples: Float32Array): number[] {
  return Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) => {
    const energy = samples.subarray(frame * FRAME, (frame + 1) * FRAME).reduce((sum, sample) => sum + sample ** 2, 0);
    return 10 * Math.log10(energy / FRAME);
  });
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NEGATIVE_INFINITY;
}
