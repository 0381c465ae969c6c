import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { compiledKey, compiledModel } from '../inference/compiled-models.ts';
import { type Feeds, float32, hasInt8DotProduct, int64s, Session } from '../inference/session.ts';
import { ExternalData } from '../onnx/external-data.ts';
import { seededRandom } from '../random.ts';
import { frameSamples, type KokoroConfiguration, readKokoroConfiguration } from './configuration.ts';
import { type ConvolutionForm, correctEdges } from './generator.ts';
import { prosodyGraph, speechGraph, textGraph } from './graph.ts';
import { type HarmonicMix, normalNoise, readHarmonicMix, sourceSpectrum } from './harmonic-source.ts';
import { type ConvolutionRange, type ConvolutionRanges, collectRanges } from './quantization.ts';
import { VoicePacks } from './voices.ts';
import { KokoroWeights } from './weights.ts';

/** Name of the weights in a checkpoint's folder, beside its `config.json`. */
export const WEIGHTS_FILE = 'kokoro-v1_0.pth';

/** What a model is loaded from, and what it was compiled from. */
export interface CompiledKokoro {
  folder: string;
  configuration: KokoroConfiguration;
  checkpoint: string;
  modelsDir: string;
  form: KokoroForm;
}

/** How a model computes; `winograd` and `direct` compute the same. */
export type KokoroForm = 'winograd' | 'direct' | 'int8';

/**
 * Compiles a checkpoint of the official form, or finds it compiled under `<modelsDir>/compiled`.
 * @param checkpoint folder of `config.json` and `kokoro-v1_0.pth`
 * @param form of the generator's convolutions; for `int8` the model speaks a few sentences while it is compiled
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export async function compileKokoro(
  checkpoint: string,
  modelsDir: string,
  form: KokoroForm = 'winograd',
): Promise<CompiledKokoro> {
  const configuration = await readKokoroConfiguration(join(checkpoint, 'config.json'));
  const weightsFile = join(checkpoint, WEIGHTS_FILE);
  const fullWeights = form === 'int8' && (await hasInt8DotProduct());
  const key = compiledKey(
    'kokoro',
    JSON.stringify({ form, fullWeights }),
    await readFile(join(checkpoint, 'config.json')),
    await fileHash(weightsFile),
    // The builder's own code: whatever changes in it, the graphs are written anew.
    ...(await Promise.all(builderFiles.map((name) => readFile(new URL(name + extension, import.meta.url))))),
  );
  const folder = await compiledModel(modelsDir, key, async (to) => {
    const weights = new KokoroWeights(await readFile(weightsFile));
    if (form !== 'int8') return writeModel(weights, configuration, form, to);
    await writeModel(weights, configuration, 'observed', to);
    const ranges = await observedRanges(to, configuration);
    for (const file of await readdir(to)) await rm(join(to, file));
    await writeModel(weights, configuration, { ranges, fullWeights }, to);
  });
  return { folder, configuration, checkpoint, modelsDir, form };
}

const builderFiles = [
  './model',
  './configuration',
  './graph',
  './layers',
  './albert',
  './text-encoder',
  './prosody',
  './residual-block',
  './decoder',
  './generator',
  './quantization',
  './winograd',
  './harmonic-source',
  './weights',
  '../checkpoint/pytorch',
  '../onnx/external-data',
  '../onnx/graph',
  '../onnx/schema',
  '../random',
];
const extension = extname(import.meta.url);

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  } catch (cause) {
    throw new HearsayError('model_load_failed', `The Kokoro checkpoint's ${WEIGHTS_FILE} cannot be read.`, { cause });
  }
  return hash.digest('hex');
}

async function writeModel(
  weights: KokoroWeights,
  configuration: KokoroConfiguration,
  form: ConvolutionForm,
  folder: string,
): Promise<void> {
  const graphs = {
    text: (external: ExternalData) => textGraph({ weights, configuration, external }),
    prosody: (external: ExternalData) => prosodyGraph({ weights, configuration, external }),
    speech: (external: ExternalData) => speechGraph({ weights, configuration, external }, form),
  };
  for (const [name, build] of Object.entries(graphs)) {
    const external = new ExternalData(join(folder, `${name}.weights`));
    try {
      await writeFile(join(folder, `${name}.onnx`), build(external));
    } finally {
      external.close();
    }
  }
  await writeFile(join(folder, 'harmonic-mix.json'), JSON.stringify(readHarmonicMix(weights)));
  weights.expectAllRead();
}

/** What channels of the generator hold while a few voices speak. */
async function observedRanges(folder: string, configuration: KokoroConfiguration): Promise<ConvolutionRanges> {
  const ranges = new Map<string, ConvolutionRange>();
  const observer = (outputs: Feeds) => collectRanges(ranges, outputs);
  const model = await KokoroModel.open({ folder, configuration }, { threads: availableParallelism(), observer });
  const voices = new VoicePacks({}, 2 * configuration.style);
  const phonemes = [...OBSERVED_PHONEMES]
    .flatMap((symbol) => configuration.tokens.get(symbol) ?? [])
    .slice(0, model.longestRun);
  for (const name of OBSERVED_VOICES) {
    const style = await voices.style([{ name, weight: 1 }], phonemes.length);
    await model.speak(phonemes, style, { speed: OBSERVED_SPEED, seed: 1 });
  }
  return ranges;
}

/** Women and men, American and British. */
const OBSERVED_VOICES = ['af_heart', 'af_nicole', 'am_michael', 'bf_emma', 'bm_george'];
const OBSERVED_PHONEMES = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˌOvəɹ ðə lˈAzi dˈɔɡ, jˈu θˈɪŋk!';
/** So that it does not take long. */
const OBSERVED_SPEED = 2;

/** What is known of a run of phonemes before it has a length. */
export interface EncodedText {
  /** Frames of each token at a speed of 1, not rounded, both ends included. */
  durations: Float32Array;
  /** The graphs' `states` and `text`, whose rows stand for the tokens. */
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
  /** Of the noise in the sound: the same seed gives the same samples. Without one there is no noise. */
  seed?: number;
}

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
   * Loads a compiled model. One that cannot be loaded, because its files are damaged, is compiled again, once.
   * @param options.threads threads within one operator
   * @throws HearsayError `model_load_failed`
   */
  static async load(compiled: CompiledKokoro, options: { threads: number }): Promise<KokoroModel> {
    try {
      return await KokoroModel.open(compiled, options);
    } catch {
      await rm(compiled.folder, { recursive: true, force: true });
    }
    const again = await compileKokoro(compiled.checkpoint, compiled.modelsDir, compiled.form);
    try {
      return await KokoroModel.open(again, options);
    } catch (cause) {
      throw new HearsayError('model_load_failed', 'The compiled Kokoro model cannot be loaded.', { cause });
    }
  }

  /**
   * Loads a model from its folder as it is.
   * @param options.observer is given everything that the last graph puts out
   */
  static async open(
    { folder, configuration }: Pick<CompiledKokoro, 'folder' | 'configuration'>,
    { observer, ...options }: { threads: number; observer?: (outputs: Feeds) => void },
  ): Promise<KokoroModel> {
    const load = (name: string) => Session.load(join(folder, `${name}.onnx`), options);
    const mix = JSON.parse(await readFile(join(folder, 'harmonic-mix.json'), 'utf8')) as HarmonicMix;
    const sessions = { text: await load('text'), prosody: await load('prosody'), speech: await load('speech') };
    return new KokoroModel(configuration, sessions, mix, observer);
  }

  /** Most phonemes of one run. */
  get longestRun(): number {
    return this.configuration.albert.positions - 2;
  }

  /**
   * Speaks one run of phonemes.
   * @param phonemes tokens of 1 to `longestRun` phonemes, without those of the two ends
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

  /** The first stage of `speak`. @throws RangeError for no phonemes, too many, or one that there is no token for */
  async encode(phonemes: readonly number[], style: Float32Array): Promise<EncodedText> {
    const { vocabulary } = this.configuration;
    if (phonemes.length < 1 || phonemes.length > this.longestRun) {
      throw new RangeError(`A run has 1 to ${this.longestRun} phonemes, and not ${phonemes.length}`);
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
    if (style.length !== 2 * width) throw new RangeError(`A style has ${2 * width} values, and not ${style.length}`);
    return float32(style.subarray(index * width, (index + 1) * width), [width]);
  }
}

/** Frames of a phoneme: at least one; halves to the even number, as torch rounds. */
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
