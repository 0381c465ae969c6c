import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VoiceActivityState } from '../contracts/transcription.ts';
import type { Device } from '../ort/device.ts';
import { ModelWeights } from '../ort/graph/weights.ts';
import { float32, Session } from '../ort/session.ts';
import { FRAME, SAMPLE_RATE } from './frames.ts';
import { CONTEXT, HIDDEN, voiceActivityGraph } from './silero-graph.ts';

export { FRAME, SAMPLE_RATE };

/** Frames of digital silence after which the model's state hardly changes: four seconds. */
const SETTLED_FRAMES = Math.ceil((4 * SAMPLE_RATE) / FRAME);

/** Quiet sound is raised to this peak, −30 dBFS: below −40 dBFS voice activity and speech models lose words. */
const MIN_PEAK = 10 ** (-30 / 20);
/** 40 dB: what is quieter than −70 dBFS is noise. */
const MAX_GAIN = 10 ** (40 / 20);
/** Memory of loud sound fades by 1 dB a second: by less than a usual pause takes, and before the next speaker is missed. */
const DECAY = 10 ** (-1 / 20 / (SAMPLE_RATE / FRAME));

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

  /** To go on from, in another detector. */
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

/** Raises quiet passages of a recording, frame by frame. The gain follows the loudest sound of the last half minute. */
export class QuietPassages {
  #peak: number;

  /** @param peak of the sound before */
  constructor(peak = 0) {
    this.#peak = peak;
  }

  get peak(): number {
    return this.#peak;
  }

  /** @param frames whole frames of `FRAME` samples. @returns the same samples, or a louder copy */
  raise(frames: Float32Array): Float32Array {
    if (isSilent(frames)) {
      this.#peak *= DECAY ** (frames.length / FRAME);
      return frames;
    }
    let raised: Float32Array | undefined;
    for (let start = 0; start < frames.length; start += FRAME) {
      const frame = frames.subarray(start, start + FRAME);
      this.#peak = Math.max(this.#peak * DECAY, peakOf(frame));
      const gain = gainFor(this.#peak);
      if (gain === 1) continue;
      raised ??= frames.slice();
      for (let index = 0; index < frame.length; index++) raised[start + index]! *= gain;
    }
    return raised ?? frames;
  }
}

/** Raises the samples in place if they are quiet throughout. */
export function raiseIfQuiet(samples: Float32Array): Float32Array {
  const gain = gainFor(peakOf(samples));
  if (gain > 1) for (let index = 0; index < samples.length; index++) samples[index]! *= gain;
  return samples;
}

function gainFor(peak: number): number {
  return Math.min(MAX_GAIN, Math.max(1, MIN_PEAK / peak));
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

const SILENCE = new Uint8Array(16 * FRAME * Float32Array.BYTES_PER_ELEMENT);

/** Whether all samples are 0. Comparing bytes takes a tenth of a loop over samples. */
function isSilent({ buffer, byteOffset, byteLength }: Float32Array): boolean {
  for (let at = 0; at < byteLength; at += SILENCE.length) {
    const part = new Uint8Array(buffer, byteOffset + at, Math.min(SILENCE.length, byteLength - at));
    if (Buffer.compare(part, SILENCE.subarray(0, part.length)) !== 0) return false;
  }
  return true;
}
