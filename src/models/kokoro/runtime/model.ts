import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpu } from '../../../ort/device.ts';
import { type Feeds, float32, int64s, Session } from '../../../ort/session.ts';
import { seededRandom } from '../../common/random.ts';
import { frameSamples, type KokoroConfiguration } from '../configuration.ts';
import type { CompiledKokoro } from '../graph/compile.ts';
import { correctEdges } from '../graph/generator.ts';
import type { HarmonicMix } from '../graph/harmonic-mix.ts';
import { normalNoise, sourceSpectrum } from './harmonic-source.ts';

/** An encoded phrase, before the speed determines its length. */
export interface EncodedText {
  /** Frames of each token at a speed of 1, unrounded, both ends included. */
  durations: Float32Array;
  /** The graphs' `states` and `text`, a row for each token. */
  rows: Feeds;
}

/** Everything about a phrase but its samples, so that parts of it can be generated one by one. */
export interface Phrase {
  encoded: EncodedText;
  style: Float32Array;
  /** Frames of each token, both ends included. */
  frames: number[];
  /** The token of each frame. */
  alignment: number[];
  /** In Hz, two values per frame, like the energy. */
  pitch: Float32Array;
  energy: Float32Array;
  /** Spectrum of the harmonic source, see `generate`. */
  harmonics: Float32Array;
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

/** A loaded checkpoint, which speaks one phrase at a time. */
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
   * @param observer receives all outputs of the last graph
   */
  static async load(
    { folder, configuration, device }: Pick<CompiledKokoro, 'folder' | 'configuration' | 'device'>,
    observer?: (outputs: Feeds) => void,
  ): Promise<KokoroModel> {
    const load = (name: string, on = device) => Session.load(join(folder, `${name}.onnx`), on);
    // Recurrent layers have no kernel for WebGPU; these two graphs take a tenth of the time.
    const host = device.name === 'cpu' ? device : cpu({ threads: device.threads });
    const mix = JSON.parse(await readFile(join(folder, 'harmonic-mix.json'), 'utf8')) as HarmonicMix;
    const sessions = {
      text: await load('text', host),
      prosody: await load('prosody', host),
      speech: await load('speech'),
    };
    return new KokoroModel(configuration, sessions, mix, observer);
  }

  /** Samples of a frame of prosody. */
  get frameSamples(): number {
    return frameSamples(this.configuration);
  }

  /** Maximum phonemes of a phrase. */
  get maxPhonemes(): number {
    return this.configuration.albert.positions - 2;
  }

  /**
   * Speaks one phrase.
   * @param phonemes tokens of 1 to `maxPhonemes` phonemes, without those of the two ends
   * @param style `[2 · style]`: the decoder's, then the prosody's
   */
  async speak(phonemes: readonly number[], style: Float32Array, options: SpeechOptions): Promise<Speech> {
    const phrase = await this.prepare(phonemes, style, options);
    const { encoded, alignment, frames } = phrase;
    const samples = await this.generate(encoded, alignment, phrase, style);
    return { samples, durations: frames.map((count) => count * this.frameSamples) };
  }

  /** All stages of `speak` before the last, which takes nine tenths of the time. Parameters as there. */
  async prepare(phonemes: readonly number[], style: Float32Array, { speed, seed }: SpeechOptions): Promise<Phrase> {
    const encoded = await this.encode(phonemes, style);
    const frames = spokenFrames(encoded.durations, speed);
    const alignment = alignmentOf(frames);
    const { pitch, energy } = await this.prosody(encoded, alignment, style);
    const noise = seed === undefined ? undefined : normalNoise(seededRandom(seed));
    const { values } = sourceSpectrum(pitch, this.#mix, this.configuration.generator, noise);
    return { encoded, style, frames, alignment, pitch, energy, harmonics: values };
  }

  /**
   * Generates some frames of a phrase as if they were contiguous.
   * @param chosen indices of frames, ascending
   * @returns `frameSamples` samples for each
   */
  async generateFrames(phrase: Phrase, chosen: readonly number[]): Promise<Float32Array> {
    const { alignment, pitch, energy, harmonics } = phrase;
    // Columns of the source's spectrum in a frame, and one more at the end.
    const columns = this.frameSamples / this.configuration.generator.fourierHop;
    const length = alignment.length * columns + 1;
    const kept = chosen.length * columns + 1;
    const rows = harmonics.length / length;
    const spectrum = new Float32Array(rows * kept);
    for (let row = 0; row < rows; row++) {
      for (const [index, frame] of chosen.entries()) {
        const from = row * length + frame * columns;
        spectrum.set(harmonics.subarray(from, from + columns + 1), row * kept + index * columns);
      }
    }
    const twoEach = (values: Float32Array) =>
      Float32Array.from(chosen.flatMap((frame) => [values[2 * frame]!, values[2 * frame + 1]!]));
    const contours = { pitch: twoEach(pitch), energy: twoEach(energy), harmonics: spectrum };
    return this.generate(
      phrase.encoded,
      chosen.map((frame) => alignment[frame]!),
      contours,
      phrase.style,
    );
  }

  /** The first stage of `speak`. @throws RangeError for no phonemes, too many, or an unknown one */
  async encode(phonemes: readonly number[], style: Float32Array): Promise<EncodedText> {
    const { vocabulary } = this.configuration;
    if (phonemes.length < 1 || phonemes.length > this.maxPhonemes) {
      throw new RangeError(`A phrase has 1 to ${this.maxPhonemes} phonemes, got ${phonemes.length}`);
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

  /**
   * The third stage: samples from the spectrum of a source, `[2 · bins, pitch samples / hop + 1]` of magnitudes and
   * phases.
   */
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

/**
 * Frames of each phoneme. At another speed than 1 their ends are rounded, not their lengths: the published pipeline rounds
 * each length, which makes sentences up to 7 % too long at 1.2.
 */
export function spokenFrames(durations: ArrayLike<number>, speed: number): number[] {
  const usual = Array.from(durations, (duration) => roundedFrames(duration, 1));
  if (speed === 1) return usual;
  let exact = 0;
  let spoken = 0;
  return usual.map((count) => {
    exact += count / speed;
    const frames = Math.max(1, Math.round(exact - spoken));
    spoken += frames;
    return frames;
  });
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
