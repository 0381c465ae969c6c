import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { SafetensorsCheckpoint } from '../checkpoint/safetensors.ts';
import { HearsayError } from '../errors.ts';
import { compiledKey, compiledModel } from '../inference/compiled-models.ts';
import { float32, hasInt8DotProduct, Session } from '../inference/session.ts';
import { ExternalData } from '../onnx/external-data.ts';
import type { ComputeType } from '../onnx/linear.ts';
import { Batch, EncodedAudio, type StepRequest, type Streams } from './batch.ts';
import { readWhisperConfiguration, type WhisperConfiguration } from './configuration.ts';
import { Decoder, type StreamStep } from './decoder.ts';
import type { DecoderState, DecoderStep } from './decoder-state.ts';
import { EmbeddingRows, writeEmbeddingRows } from './embedding.ts';
import { attendsInBytes, decoderGraph, encoderGraph } from './graph.ts';
import type { KeyValueCache } from './key-value-cache.ts';
import { type Asker, Turns } from './turns.ts';
import { WhisperWeights } from './weights.ts';

export type { ComputeType, EncodedAudio };

/** What a model is loaded from, and what it was compiled from. */
export interface CompiledWhisper {
  folder: string;
  configuration: WhisperConfiguration;
  computeType: ComputeType;
  /** What the keys and values of one window's audio take, in bytes. */
  audioBytes: number;
  checkpoint: string;
  modelsDir: string;
}

/**
 * Compiles a checkpoint of the official form, or finds it compiled under `<modelsDir>/compiled`.
 * @param checkpoint folder of `config.json` and `model.safetensors`, or of its shards
 * @throws HearsayError `model_load_failed` naming the file or the tensor that is wrong
 */
export async function compileWhisper(
  checkpoint: string,
  computeType: ComputeType,
  modelsDir: string,
): Promise<CompiledWhisper> {
  const configuration = await readWhisperConfiguration(checkpoint);
  const options = { computeType, signedWeights: await hasInt8DotProduct() };
  const key = compiledKey(
    'whisper',
    JSON.stringify([options, configuration]),
    await weightsIdentity(checkpoint),
    // The builder's own code: whatever changes in it, the graphs are written anew.
    ...(await Promise.all(builderFiles.map((name) => readFile(new URL(name + extension, import.meta.url))))),
  );
  const folder = await compiledModel(modelsDir, key, async (to) => {
    const safetensors = await SafetensorsCheckpoint.open(checkpoint);
    try {
      await writeModel(new WhisperWeights(safetensors), configuration, options, to);
    } finally {
      await safetensors.close();
    }
  });
  const { decoderLayers, audioPositions, width } = configuration;
  const audioBytes = decoderLayers * 2 * audioPositions * width * (attendsInBytes(options) ? 1 : 4);
  return { folder, configuration, computeType, audioBytes, checkpoint, modelsDir };
}

const builderFiles = [
  './model',
  './graph',
  './cross-attention',
  './weights',
  './embedding',
  '../checkpoint/safetensors',
  '../onnx/external-data',
  '../onnx/graph',
  '../onnx/linear',
  '../onnx/schema',
];
const extension = extname(import.meta.url);

async function writeModel(
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  options: { computeType: ComputeType; signedWeights: boolean },
  folder: string,
): Promise<void> {
  const { width, vocabulary, textPositions } = configuration;
  await writeGraph(folder, 'encoder', (external) => encoderGraph(weights, configuration, { ...options, external }));
  const embedding = await weights.read('decoder.embed_tokens.weight', [vocabulary, width]);
  writeEmbeddingRows(folder, embedding);
  await writeGraph(folder, 'decoder', (external) =>
    decoderGraph(weights, configuration, embedding, { ...options, external }),
  );
  const positions = await weights.read('decoder.embed_positions.weight', [textPositions, width]);
  await writeFile(join(folder, 'positions.f32'), new Uint8Array(positions.buffer));
}

async function writeGraph(
  folder: string,
  name: string,
  build: (external: ExternalData) => Promise<Uint8Array>,
): Promise<void> {
  const external = new ExternalData(join(folder, `${name}.weights`));
  try {
    await writeFile(join(folder, `${name}.onnx`), await build(external));
  } finally {
    external.close();
  }
}

const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/**
 * Tells weights apart without reading 3 GB on every start: names, sizes and times of change of the files, and bytes from
 * all over them, so that another file in the place of this one is noticed whatever its date says.
 */
async function weightsIdentity(checkpoint: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(checkpoint)).filter((name) => /\.safetensors(\.index\.json)?$/.test(name)).sort();
  for (const name of names) {
    const file = await open(join(checkpoint, name));
    try {
      const { size, mtimeMs } = await file.stat();
      hash.update(JSON.stringify([name, size, mtimeMs]));
      for (let sample = 0; sample < SAMPLES; sample++) {
        const { buffer, bytesRead } = await file.read({
          buffer: new Uint8Array(SAMPLE_BYTES),
          position: Math.floor((size / SAMPLES) * sample),
        });
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex');
}

export interface WhisperOptions {
  /** Threads within one operator. */
  threads: number;
  /** How many windows are decoded together at most. */
  windows?: number;
}

/** Who asks where there is nobody else. */
const nobody: Asker = { owner: undefined };

export class WhisperModel {
  readonly configuration: WhisperConfiguration;
  readonly #encoder: Session;
  readonly #decoder: Decoder;
  readonly #batch: Batch;
  readonly #turns: Turns<StepRequest, StreamStep[]>;

  private constructor(encoder: Session, decoder: Decoder, windows: number) {
    this.configuration = decoder.configuration;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#batch = new Batch(decoder, windows);
    this.#turns = new Turns({
      most: windows,
      batches: ({ tokens }) => tokens.length === 1 && tokens[0]!.length === 1,
      run: (requests) => this.#batch.run(requests),
    });
  }

  /**
   * Loads a compiled model. One that cannot be loaded, because its files are damaged, is compiled again, once.
   * @throws HearsayError `model_load_failed`
   */
  static async load(compiled: CompiledWhisper, options: WhisperOptions): Promise<WhisperModel> {
    try {
      return await WhisperModel.#load(compiled, options);
    } catch {
      await rm(compiled.folder, { recursive: true, force: true });
    }
    const again = await compileWhisper(compiled.checkpoint, compiled.computeType, compiled.modelsDir);
    try {
      return await WhisperModel.#load(again, options);
    } catch (cause) {
      throw new HearsayError('model_load_failed', 'The compiled Whisper model cannot be loaded.', { cause });
    }
  }

  static async #load({ folder, configuration }: CompiledWhisper, { threads, windows = 1 }: WhisperOptions) {
    const { width, vocabulary, textPositions } = configuration;
    const encoder = await Session.load(join(folder, 'encoder.onnx'), { threads });
    const session = await Session.load(join(folder, 'decoder.onnx'), { threads });
    const positions = new Float32Array(new Uint8Array(await readFile(join(folder, 'positions.f32'))).buffer);
    if (positions.length !== textPositions * width) throw new Error('The table of positions is damaged');
    const tokens = new EmbeddingRows(folder, width);
    tokens.read(vocabulary - 1);
    return new WhisperModel(encoder, new Decoder({ configuration, session, tokens, positions }), windows);
  }

  /** @param mel log-mel spectrogram `[mels, 2 · audioPositions]` */
  encode(mel: Float32Array, asker: Asker = nobody): Promise<EncodedAudio> {
    const { mels, audioPositions } = this.configuration;
    return this.#turns.encode(asker, async () => {
      const cross = await this.#encoder.run({ mel: float32(mel, [1, mels, 2 * audioPositions]) });
      return new EncodedAudio(cross, asker);
    });
  }

  /** A decoder at its start over one encoded window. Steps of several windows are run together. */
  decode(audio: EncodedAudio): DecoderState {
    const { configuration } = this;
    return new CachedDecoder(audio, { configuration, batch: this.#batch, turns: this.#turns }, this.#decoder.cache(1));
  }

  /** Frees what an encoded window holds; its decoders are of no use any more. */
  release(audio: EncodedAudio): void {
    this.#batch.release(audio);
  }
}

interface Shared {
  configuration: WhisperConfiguration;
  batch: Batch;
  turns: Turns<StepRequest, StreamStep[]>;
}

class CachedDecoder implements DecoderState, Streams {
  readonly audio: EncodedAudio;
  own: KeyValueCache | undefined;
  readonly #shared: Shared;

  constructor(audio: EncodedAudio, shared: Shared, cache: KeyValueCache) {
    this.audio = audio;
    this.own = cache;
    this.#shared = shared;
  }

  get length(): number {
    const { cache, first } = this.#shared.batch.place(this);
    return cache.length(first);
  }

  get streams(): number {
    return this.own?.streams ?? 1;
  }

  keep(parents: readonly number[]): void {
    const wrong = parents.find((parent) => !(Number.isInteger(parent) && parent >= 0 && parent < this.streams));
    if (parents.length === 0 || wrong !== undefined) throw new RangeError(`There is no stream ${wrong} to keep`);
    // One stream that goes on as it is keeps its place among the others.
    if (this.streams > 1 || parents.length > 1) this.#shared.batch.standUp(this).keep(parents);
  }

  async step(tokens: readonly (readonly number[])[]): Promise<DecoderStep> {
    const { vocabulary, textPositions } = this.#shared.configuration;
    const count = tokens[0]?.length ?? 0;
    if (tokens.length !== this.streams || count === 0 || tokens.some(({ length }) => length !== count)) {
      throw new RangeError(`${this.streams} streams want the same number of tokens each`);
    }
    if (this.length + count > textPositions) throw new RangeError(`A sequence has ${textPositions} tokens at most`);
    const wrong = tokens.flat().find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary));
    if (wrong !== undefined) throw new RangeError(`The vocabulary has no token ${wrong}`);
    const steps = await this.#shared.turns.step(this.audio.asker, { streams: this, tokens });
    return {
      logits: steps.map(({ logits }) => logits),
      attention: steps.map(({ attention }) => attention),
    };
  }
}
