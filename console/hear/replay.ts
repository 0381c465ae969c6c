import { SAMPLE_RATE } from './microphone.ts';

/** Audio kept for another session: while a service restarts, nothing should be lost. */
const MAX_SAMPLES = 300 * SAMPLE_RATE;

/** The audio of a recording that has no text yet. */
export class Replay {
  #blocks: { at: number; samples: Int16Array }[] = [];
  /** Samples so far, kept or not. */
  #position = 0;
  /** Whether audio was dropped that may not have been transcribed. */
  hasLost = false;

  /** Seconds of the recording so far. */
  get seconds(): number {
    return this.#position / SAMPLE_RATE;
  }

  /** Seconds of the recording before the first kept block. */
  get start(): number {
    return (this.#blocks[0]?.at ?? this.#position) / SAMPLE_RATE;
  }

  get blocks(): readonly Int16Array[] {
    return this.#blocks.map(({ samples }) => samples);
  }

  /** @param isHeard whether a session hears it at once */
  push(samples: Int16Array, isHeard: boolean): void {
    this.#blocks.push({ at: this.#position, samples });
    this.#position += samples.length;
    while (this.#position - this.#blocks[0]!.at > MAX_SAMPLES) {
      this.#blocks.shift();
      if (!isHeard) this.hasLost = true;
    }
  }

  /** Drops the blocks that lie wholly before a second of the recording. */
  dropUntil(seconds: number): void {
    const until = seconds * SAMPLE_RATE;
    const kept = this.#blocks.findIndex(({ at, samples }) => at + samples.length > until);
    this.#blocks.splice(0, kept < 0 ? this.#blocks.length : kept);
  }
}
