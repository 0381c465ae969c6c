import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Feeds, float32, int64s, Session } from '../../../ort/session.ts';
import { seededRandom } from '../../common/random.ts';
import { frameSamples, type KokoroConfiguration } from '../configuration.ts';
import type { CompiledKokoro } from '../graph/compile.ts';
import { correctEdges } from '../graph/generator.ts';
import type { HarmonicMix } from '../graph/harmonic-mix.ts';
import { normalNoise, sourceSpectrum } from './harmonic-source.ts';

/** An encoded chunk, before the speed determines its length. */
export interface EncodedText {
  /** Frames of each token at a speed of 1, unrounded, both ends included. */
  durations: Float32Array;
  /** The graphs' `states` and `text`, a row for each token. */
  rows: Feeds;
}

export interface Speech {
  /** Mono, at `SAMPLE_RATE`. */
  samples: Float32Array;
  /** Samples of each token, both ends included; they add up to all samples. */
  durations: number[];
}

export interface SpeechOptions {
  /** Divides the durations. */
  speed: number;
  /** Seed of the noise: the same seed gives the same samples. Without one there is no noise. */
  seed?: number;
}

/** A loaded checkpoint, which speaks one chunk at a time. */
export class KokoroModel {
  readonly configuration: KokoroConfiguration;
  readonly #text: Session;
  readonly #prosody: Session;
  readonly #speech: Session;
  readonly #mix: HarmonicMix;
  readonly #observer: ((outputs: Feeds) => void) | undefined;

  private constructor(
    configuration: KokoroConfiguration,
    sessions: { text: Session; prosody: Session; speech: Session },
    mix: HarmonicMix,
    observer?: (outputs: Feeds) => void,
  ) {
    this.configuration = configuration;
    this.#text = sessions.text;
    this.#prosody = sessions.prosody;
    this.#speech = sessions.speech;
    this.#mix = mix;
    this.#observer = observer;
  }

  /**
   * Loads a compiled model from its directory.
   * @param observer is given everything that the last graph puts out
   */
  static async load(
    { folder, configuration, device }: Pick<CompiledKokoro, 'folder' | 'configuration' | 'device'>,
    observer?: (outputs: Feeds) => void,
  ): Promise<KokoroModel> {
    const load = (name: string) => Session.load(join(folder, `${name}.onnx`), device);
    const mix = JSON.parse(await readFile(join(folder, 'harmonic-mix.json'), 'utf8')) as HarmonicMix;
    const sessions = { text: await load('text'), prosody: await load('prosody'), speech: await load('speech') };
    return new KokoroModel(configuration, sessions, mix, observer);
  }

  /** Maximum phonemes of a chunk. */
  get maxPhonemes(): number {
    return this.configuration.albert.positions - 2;
  }

  /**
   * Speaks one chunk.
   * @param phonemes tokens of 1 to `maxPhonemes` phonemes, without those of the two ends
   * @param style `[2 · style]`: the decoder's, then the prosody's
   */
  async speak(phonemes: readonly number[], style: Float32Array, { speed, seed }: SpeechOptions): Promise<Speech> {
    const encoded = await this.encode(phonemes, style);
    const frames = [...encoded.durations].map((duration) => roundedFrames(duration, speed));
    const alignment = alignmentOf(frames);
    const { pitch, energy } = await this.prosody(encoded, alignment, style);
    const noise = seed === undefined ? undefined : normalNoise(seededRandom(seed));
    const harmonics = sourceSpectrum(pitch, this.#mix, this.configuration.generator, noise);
    const samples = await this.generate(encoded, alignment, { pitch, energy, harmonics: harmonics.values }, style);
    const perFrame = frameSamples(this.configuration);
    return { samples, durations: frames.map((count) => count * perFrame) };
  }

  /** The first stage of `speak`. @throws RangeError for no phonemes, too many, or an unknown one */
  async encode(phonemes: readonly number[], style: Float32Array): Promise<EncodedText> {
    const { vocabulary } = this.configuration;
    if (phonemes.length < 1 || phonemes.length > this.maxPhonemes) {
      throw new RangeError(`A chunk has 1 to ${this.maxPhonemes} phonemes, got ${phonemes.length}`);
    }
    const unknown = phonemes.find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary));
    if (unknown !== undefined) throw new RangeError(`The vocabulary has no token ${unknown}`);
    const tokens = int64s([0, ...phonemes, 0]);
    const { durations, ...rows } = await this.#text.run({ tokens, style: this.#half(style, 1) });
    return { durations: durations!.data as Float32Array, rows };
  }

  /**
   * The second stage: pitch in Hz and energy, two values a frame.
   * @param alignment the token of each frame
   */
  async prosody(
    { rows }: EncodedText,
    alignment: readonly number[],
    style: Float32Array,
  ): Promise<{ pitch: Float32Array; energy: Float32Array }> {
    const outputs = await this.#prosody.run({
      states: rows.states!,
      alignment: int64s(alignment),
      style: this.#half(style, 1),
    });
    return { pitch: outputs.pitch!.data as Float32Array, energy: outputs.energy!.data as Float32Array };
  }

  /** The third stage: the sound of a source, `[2 · bins, pitch samples / hop + 1]` of magnitudes and phases. */
  async generate(
    { rows }: EncodedText,
    alignment: readonly number[],
    { pitch, energy, harmonics }: { pitch: Float32Array; energy: Float32Array; harmonics: Float32Array },
    style: Float32Array,
  ): Promise<Float32Array> {
    const { generator } = this.configuration;
    const channels = generator.fourierSize + 2;
    const outputs = await this.#speech.run({
      text: rows.text!,
      alignment: int64s(alignment),
      pitch: float32(pitch, [pitch.length]),
      energy: float32(energy, [energy.length]),
      harmonics: float32(harmonics, [channels, harmonics.length / channels]),
      style: this.#half(style, 0),
    });
    this.#observer?.(outputs);
    const samples = outputs.samples!.data as Float32Array;
    correctEdges(samples, generator);
    return samples;
  }

  #half(style: Float32Array, index: 0 | 1): Feeds[string] {
    const { style: width } = this.configuration;
    if (style.length !== 2 * width) throw new RangeError(`A style has ${2 * width} values, got ${style.length}`);
    return float32(style.subarray(index * width, (index + 1) * width), [width]);
  }
}

/** Frames of a phoneme, at least one. Rounds halves to even, as torch does. */
export function roundedFrames(duration: number, speed: number): number {
  const frames = Math.fround(duration / speed);
  const below = Math.floor(frames);
  const rest = frames - below;
  const rounded = rest === 0.5 ? below + (below % 2) : Math.round(frames);
  return Math.max(1, rounded);
}

/** The index of each frame's token. */
export function alignmentOf(frames: readonly number[]): number[] {
  return frames.flatMap((count, index) => new Array<number>(count).fill(index));
}
