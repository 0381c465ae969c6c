import { FRAME, joinSamples, SAMPLE_RATE } from './frames.ts';

/** How quiet passages are raised for voice activity. */
export interface Leveling {
  /** Peak that quiet sound is raised to, in dBFS. */
  peak: number;
  /** Maximum gain in decibels. */
  maxGain: number;
  /** How far before and after a frame its loudness is measured, in seconds. */
  lookBehind: number;
  lookAhead: number;
  /** Decibels per second by which earlier sound counts less. */
  fade: number;
}

/**
 * Silero misses half of speech at −30 dBFS after louder speech or noise, and some of it at −15 dBFS. Anything below −70
 * dBFS is noise. A second is longer than pauses within speech; a speaker 40 dB below the previous voice is detected
 * after 1.5 s. Without look-ahead, noise before the first words would be amplified, and Silero would miss words that
 * are not louder.
 */
const OF_RECORDING: Leveling = { peak: -6, maxGain: 64, lookBehind: 1, lookAhead: 1, fade: 80 };
/** Live speech cannot wait, and voices far behind the speaker must not start turns in the pauses of a conversation. */
export const OF_CONVERSATION: Leveling = { peak: -30, maxGain: 40, lookBehind: 0, lookAhead: 0, fade: 1 };

const ratioOf = (decibels: number) => 10 ** (decibels / 20);
const framesIn = (seconds: number) => Math.round((seconds * SAMPLE_RATE) / FRAME);

/** Whole frames, in order: as they were given, and the same or a louder copy. */
export interface LeveledFrames {
  frames: Float32Array;
  raised: Float32Array;
}

/** Amplifies quiet passages, frame by frame. The gain follows the loudest sound nearby. */
export class QuietPassages {
  readonly #peak: number;
  readonly #maxGain: number;
  readonly #lookBehind: number;
  readonly #lookAhead: number;
  /** Decay factor per frame. */
  readonly #fade: number;
  /** Frames heard so far. */
  #heard = 0;
  /** Frames whose surroundings are not known yet. */
  #pending = new Float32Array(0);
  /** Frames that no later one exceeds, with their peaks. */
  #loud: { peak: number; frame: number }[];

  /** @param remembered peak of the sound before */
  constructor({ peak, maxGain, lookBehind, lookAhead, fade } = OF_RECORDING, remembered = 0) {
    this.#peak = ratioOf(peak);
    this.#maxGain = ratioOf(maxGain);
    this.#lookBehind = framesIn(lookBehind);
    this.#lookAhead = framesIn(lookAhead);
    this.#fade = ratioOf((-fade * FRAME) / SAMPLE_RATE);
    this.#loud = [{ peak: remembered, frame: 0 }];
  }

  /** Peak of the sound up to now, fading. */
  get remembered(): number {
    return this.#loudestNear(this.#heard);
  }

  /**
   * @param frames whole frames of `FRAME` samples
   * @returns frames up to `lookAhead` before the end of these
   */
  raise(frames: Float32Array): LeveledFrames {
    const gains: number[] = [];
    const isSilence = isSilent(frames);
    for (let start = 0; start < frames.length; start += FRAME) {
      this.#hear(isSilence ? 0 : peakOf(frames.subarray(start, start + FRAME)));
      if (this.#heard > this.#lookAhead) gains.push(this.#gainAt(this.#heard - this.#lookAhead));
    }
    return this.#take(gains, frames);
  }

  /** @returns the last frames */
  finish(): LeveledFrames {
    const count = this.#pending.length / FRAME;
    const gains = Array.from({ length: count }, (_, index) => this.#gainAt(this.#heard - count + index + 1));
    return this.#take(gains, new Float32Array(0));
  }

  #take(gains: readonly number[], more: Float32Array): LeveledFrames {
    const samples = this.#lookAhead === 0 ? more : joinSamples(this.#pending, more);
    const frames = samples.subarray(0, gains.length * FRAME);
    this.#pending = samples.slice(frames.length);
    if (gains.every((gain) => gain === 1)) return { frames, raised: frames };
    return { frames, raised: frames.map((sample, index) => sample * gains[Math.floor(index / FRAME)]!) };
  }

  #hear(peak: number): void {
    this.#heard += 1;
    const at = this.#heard - this.#lookAhead;
    this.#loud = this.#loud.filter((each) => this.#fadedPeak(each, at) > peak);
    this.#loud.push({ peak, frame: this.#heard });
  }

  #gainAt(frame: number): number {
    return gainFor(this.#loudestNear(frame), this.#peak, this.#maxGain);
  }

  #loudestNear(at: number): number {
    return this.#loud.reduce((loudest, each) => Math.max(loudest, this.#fadedPeak(each, at)), 0);
  }

  #fadedPeak({ peak, frame }: { peak: number; frame: number }, at: number): number {
    return peak * this.#fade ** Math.max(0, at - frame - this.#lookBehind);
  }
}

const MODEL_PEAK = ratioOf(-30);
const MODEL_MAX_GAIN = ratioOf(40);
/**
 * Speech models lose words below this level, and Whisper's mel drops everything 80 dB below the loudest bin of a
 * window.
 */
const MODEL_LOST_PEAK = ratioOf(-40);

/**
 * The same samples, or a louder copy for the speech model if all of them or single passages are quiet.
 * @param cuts where a passage ends and the next one begins, in ascending order
 */
export function raiseIfQuiet(samples: Float32Array, cuts: readonly number[] = []): Float32Array {
  const passages = [...cuts, samples.length].map((end, index) => ({ start: cuts[index - 1] ?? 0, end }));
  const peaks = passages.map(({ start, end }) => peakOf(samples.subarray(start, end)));
  const whole = gainFor(Math.max(...peaks), MODEL_PEAK, MODEL_MAX_GAIN);
  const gains = peaks.map((peak) =>
    whole * peak < MODEL_LOST_PEAK ? gainFor(peak, MODEL_PEAK, MODEL_MAX_GAIN) : whole,
  );
  if (gains.every((gain) => gain === 1)) return samples;
  const raised = samples.slice();
  for (const [index, { start, end }] of passages.entries()) {
    for (let at = start; at < end; at++) raised[at]! *= gains[index]!;
  }
  return raised;
}

function gainFor(peak: number, wanted: number, max: number): number {
  return Math.min(max, Math.max(1, wanted / peak));
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

const SILENCE = new Uint8Array(16 * FRAME * Float32Array.BYTES_PER_ELEMENT);

/** Whether all samples are 0. Comparing bytes takes a tenth of a loop over samples. */
export function isSilent({ buffer, byteOffset, byteLength }: Float32Array): boolean {
  for (let at = 0; at < byteLength; at += SILENCE.length) {
    const part = new Uint8Array(buffer, byteOffset + at, Math.min(SILENCE.length, byteLength - at));
    if (Buffer.compare(part, SILENCE.subarray(0, part.length)) !== 0) return false;
  }
  return true;
}
