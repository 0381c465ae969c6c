import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VoiceActivityState } from '../contracts/transcription.ts';
import type { Device } from '../ort/device.ts';
import { ModelWeights } from '../ort/graph/weights.ts';
import { float32, Session } from '../ort/session.ts';
import { FRAME, SAMPLE_RATE } from './frames.ts';
import { isSilent } from './loudness.ts';
import { CONTEXT, HIDDEN, voiceActivityGraph } from './silero-graph.ts';

/** Frames of digital silence after which the model's state hardly changes: four seconds. */
const SETTLED_FRAMES = Math.ceil((4 * SAMPLE_RATE) / FRAME);

/** Path of the published model (https://github.com/snakers4/silero-vad) in an npm package. */
export function publishedModel(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('@ricky0123/vad-web/package.json')));
  return join(folder, 'dist/silero_vad_v6.onnx');
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

  /** A detector for one recording, at its start or going on from a state. */
  detector(state?: VoiceActivityState): VoiceActivityDetector {
    return new VoiceActivityDetector(this.#session, state);
  }
}

/** Voice activity of one recording, frame by frame in order. */
export class VoiceActivityDetector {
  readonly #session: Session;
  /** End of the last frame. */
  readonly #context = new Float32Array(CONTEXT);
  #hidden = float32(new Float32Array(HIDDEN), [1, 1, HIDDEN]);
  #cell = float32(new Float32Array(HIDDEN), [1, 1, HIDDEN]);
  /** Frames of digital silence in a row. */
  #silentFrames = 0;

  constructor(session: Session, state?: VoiceActivityState) {
    this.#session = session;
    if (!state) return;
    this.#context.set(state.context);
    this.#hidden = float32(state.hidden, [1, 1, HIDDEN]);
    this.#cell = float32(state.cell, [1, 1, HIDDEN]);
    this.#silentFrames = state.silentFrames;
  }

  /** The state from which another detector can continue. */
  get state(): Omit<VoiceActivityState, 'peak'> {
    const [hidden, cell] = [this.#hidden, this.#cell].map(({ data }) => data as Float32Array);
    return { context: this.#context.slice(), hidden: hidden!, cell: cell!, silentFrames: this.#silentFrames };
  }

  /**
   * Probabilities of speech in the next frames, 0 to 1. Many at once cost a fraction of single ones, and digital silence
   * costs nothing after four seconds.
   * @param samples whole frames of `FRAME` samples, at least one
   */
  async next(samples: Float32Array): Promise<Float32Array> {
    const count = samples.length / FRAME;
    const wasSettled = this.#silentFrames >= SETTLED_FRAMES;
    this.#silentFrames = isSilent(samples) ? this.#silentFrames + count : 0;
    if (wasSettled && this.#silentFrames > 0) return new Float32Array(count);
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
