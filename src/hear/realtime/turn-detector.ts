import { FRAME, SAMPLE_RATE } from '../../vad/frames.ts';

/** When a turn begins and ends, in the terms of the API. */
export interface TurnDetection {
  /** Probability of speech, 0 to 1, that begins a turn. */
  threshold: number;
  prefixPaddingMs: number;
  silenceDurationMs: number;
  /** Silence after which a turn without speech is due; absent: never. */
  idleTimeoutMs?: number;
}

/** Positions are in frames from the start of the session's audio. */
export type DetectedTurn =
  | { type: 'started'; at: number }
  | { type: 'stopped'; at: number }
  | { type: 'idle'; from: number; at: number };

/** Continuing speech takes this share of the probability of starting it, as in Silero's own segmentation. */
const CONTINUING = 0.7;
/** Minimum speech; a shorter blip is a click or a cough. */
const MIN_SPEECH_FRAMES = 3;

const framesIn = (milliseconds: number) => Math.ceil((milliseconds * SAMPLE_RATE) / 1000 / FRAME);

/** Finds turns in the probabilities of speech, frame by frame. */
export class TurnDetector {
  #position = 0;
  /** First frame that may belong to the next turn. */
  #earliest = 0;
  #speechFrames = 0;
  #quietFrames = 0;
  #isOpen = false;

  /** Ends the turn, if any, without an event; what follows belongs to the next one. */
  reset(): void {
    this.#isOpen = false;
    this.#speechFrames = 0;
    this.#quietFrames = 0;
    this.#earliest = this.#position;
  }

  /** Continues a turn that did not begin with detected speech. */
  resume(): void {
    this.#isOpen = true;
    this.#quietFrames = 0;
  }

  /** Adds the next frame. @param settings absent: it is only counted @returns the event that it triggers, if any */
  push(probability: number, settings?: TurnDetection): DetectedTurn | undefined {
    this.#position += 1;
    if (!settings) return undefined;
    return this.#isOpen ? this.#continue(probability, settings) : this.#wait(probability, settings);
  }

  #wait(probability: number, { threshold, prefixPaddingMs, idleTimeoutMs }: TurnDetection): DetectedTurn | undefined {
    const least = this.#speechFrames === 0 ? threshold : CONTINUING * threshold;
    this.#speechFrames = probability >= least ? this.#speechFrames + 1 : 0;
    if (this.#speechFrames >= MIN_SPEECH_FRAMES) {
      const at = Math.max(this.#earliest, this.#position - this.#speechFrames - framesIn(prefixPaddingMs));
      this.#isOpen = true;
      return { type: 'started', at };
    }
    if (idleTimeoutMs === undefined || this.#position - this.#earliest < framesIn(idleTimeoutMs)) return undefined;
    const from = this.#earliest;
    this.reset();
    return { type: 'idle', from, at: this.#position };
  }

  #continue(probability: number, { threshold, silenceDurationMs }: TurnDetection): DetectedTurn | undefined {
    this.#quietFrames = probability < CONTINUING * threshold ? this.#quietFrames + 1 : 0;
    if (this.#quietFrames < Math.max(1, framesIn(silenceDurationMs))) return undefined;
    this.reset();
    return { type: 'stopped', at: this.#position };
  }
}
