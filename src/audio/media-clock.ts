/** Smaller differences are rounding, jitter and encoder delay. Clock drift is corrected in steps of this size. */
const TOLERANCE = 0.1;
/** Where audio is known to be missing. */
const TOLERANCE_AFTER_LOSS = 0.01;
/** A longer gap counts as a reset clock. */
const MAX_GAP = 3600;
/** A longer step back counts as a reset clock, too, as in concatenated files. */
const MAX_OVERLAP = 1;
const MAX_OVERLAP_OF_ONE_CLOCK = 10;
/** A timestamp counts as a single outlier if the next one does not follow it within this. */
const MAX_STEP = 1;

export interface MediaClockOptions {
  /** Timestamp at which the recording starts, in seconds; undefined: that of its first frame. */
  start: number | undefined;
  /** Whether the container has one clock from start to end. */
  hasOneClock: boolean;
}

/** A decoded frame; times in seconds. */
export interface FrameTime {
  /** Of its first sample; undefined: it follows the last frame. */
  time: number | undefined;
  seconds: number;
  /** Timestamp after this frame, if known. */
  nextTime: number | undefined;
  /** Whether audio before this frame could not be decoded. */
  isAfterLoss: boolean;
}

/** Compares the timestamps of decoded audio with the audio so far, so that subtitles follow the media's clock. */
export class MediaClock {
  readonly #start: number | undefined;
  readonly #maxOverlap: number;
  /** Timestamp of position 0; differs from the start after a reset of the clock. */
  #zero: number | undefined;
  /** Seconds of output so far. */
  #position: number;

  /** @param position seconds of output before the recording starts */
  constructor({ start, hasOneClock }: MediaClockOptions, position = 0) {
    this.#start = start === undefined ? undefined : start - position;
    this.#zero = this.#start;
    this.#position = position;
    this.#maxOverlap = hasOneClock ? MAX_OVERLAP_OF_ONE_CLOCK : MAX_OVERLAP;
  }

  /**
   * Places a frame after those so far.
   * @returns the seconds of silence missing before it, or as a negative number, those of its start to drop
   */
  place(frame: FrameTime): number {
    const shift = Math.max(this.#shiftOf(frame), -frame.seconds);
    this.#position += frame.seconds + shift;
    return shift;
  }

  #shiftOf({ time, seconds, nextTime, isAfterLoss }: FrameTime): number {
    if (time === undefined) return 0;
    const zero = time - this.#position;
    this.#zero ??= zero;
    const shift = zero - this.#zero;
    const tolerance = isAfterLoss ? TOLERANCE_AFTER_LOSS : TOLERANCE;
    if (Math.abs(shift) <= tolerance) return 0;
    if (nextTime !== undefined && Math.abs(nextTime - time - seconds) > MAX_STEP) return 0;
    const isBack = this.#start !== undefined && Math.abs(zero - this.#start) <= tolerance;
    if (!isBack && shift <= MAX_GAP && shift >= -this.#maxOverlap) return shift;
    this.#zero = zero;
    return 0;
  }
}
