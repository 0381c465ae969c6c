import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Device } from '../ort/device.ts';
import { ModelWeights } from '../ort/graph/weights.ts';
import { float32, Session } from '../ort/session.ts';
import { CONTEXT, FRAME, HIDDEN, voiceActivityGraph } from './silero-graph.ts';

export { FRAME };
/** Samples per second of the input of speech models and voice activity. */
export const SAMPLE_RATE = 16_000;

/** Path of the published model (https://github.com/snakers4/silero-vad) in an npm package. */
export function publishedModel(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('@ricky0123/vad-web'))), 'silero_vad_v6.onnx');
}

/** Silero VAD in a graph of our own. */
export class VoiceActivityModel {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Builds the graph, which is quick enough for every start, and loads it. */
  static async load(device: Device): Promise<VoiceActivityModel> {
    const graph = voiceActivityGraph(new ModelWeights(await readFile(publishedModel())));
    return new VoiceActivityModel(await Session.load(graph, { ...device, threads: 1 }));
  }

  /** A detector for one recording, with its state. */
  detector(): VoiceActivityDetector {
    return new VoiceActivityDetector(this.#session);
  }
}

/** Voice activity of one recording, frame by frame in order. */
export class VoiceActivityDetector {
  readonly #session: Session;
  /** End of the last frame. */
  readonly #context = new Float32Array(CONTEXT);
  #hidden = float32(new Float32Array(HIDDEN), [1, 1, HIDDEN]);
  #cell = float32(new Float32Array(HIDDEN), [1, 1, HIDDEN]);

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Probabilities of speech in the next frames, 0 to 1. Many at once cost a fraction of single ones.
   * @param samples whole frames of `FRAME` samples, at least one
   */
  async next(samples: Float32Array): Promise<Float32Array> {
    const count = samples.length / FRAME;
    const row = CONTEXT + FRAME;
    const frames = new Float32Array(count * row);
    for (let frame = 0; frame < count; frame++) {
      const start = frame * FRAME;
      frames.set(frame === 0 ? this.#context : samples.subarray(start - CONTEXT, start), frame * row);
      frames.set(samples.subarray(start, start + FRAME), frame * row + CONTEXT);
    }
    this.#context.set(samples.subarray(-CONTEXT));
    const { probabilities, hiddenNext, cellNext } = await this.#session.run({
      frames: float32(frames, [count, row]),
      hidden: this.#hidden,
      cell: this.#cell,
    });
    this.#hidden = hiddenNext!;
    this.#cell = cellNext!;
    return probabilities!.data as Float32Array;
  }
}
