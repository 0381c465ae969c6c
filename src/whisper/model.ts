import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { SafetensorsCheckpoint } from '../checkpoint/safetensors.ts';
import { HearsayError } from '../errors.ts';
import { compiledKey, compiledModel } from '../inference/compiled-models.ts';
import { type Feeds, float32, hasInt8DotProduct, Session } from '../inference/session.ts';
import { ExternalData } from '../onnx/external-data.ts';
import type { ComputeType } from '../onnx/linear.ts';
import { readWhisperConfiguration, type WhisperConfiguration } from './configuration.ts';
import type { DecoderState, DecoderStep } from './decoder-state.ts';
import { EmbeddingRows, writeEmbeddingRows } from './embedding.ts';
import { decoderGraph, encoderGraph } from './graph.ts';
import { KeyValueCache } from './key-value-cache.ts';
import { WhisperWeights } from './weights.ts';

export type { ComputeType };

/** What a model is loaded from, and what it was compiled from. */
export interface CompiledWhisper {
  folder: string;
  configuration: WhisperConfiguration;
  computeType: ComputeType;
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
  return { folder, configuration, computeType, checkpoint, modelsDir };
}

const builderFiles = [
  './model',
  './graph',
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

/** One encoded window: keys and values of every decoder layer's cross-attention. */
export interface EncodedAudio {
  /** The decoder's inputs `cross_key.l` and `cross_value.l`. */
  cross: Feeds;
}

interface ModelParts {
  configuration: WhisperConfiguration;
  decoder: Session;
  tokens: EmbeddingRows;
  /** `[textPositions, width]` */
  positions: Float32Array;
}

export class WhisperModel {
  readonly configuration: WhisperConfiguration;
  readonly #encoder: Session;
  readonly #parts: ModelParts;

  private constructor(encoder: Session, parts: ModelParts) {
    this.configuration = parts.configuration;
    this.#encoder = encoder;
    this.#parts = parts;
  }

  /**
   * Loads a compiled model. One that cannot be loaded, because its files are damaged, is compiled again, once.
   * @param options.threads threads within one operator
   * @throws HearsayError `model_load_failed`
   */
  static async load(compiled: CompiledWhisper, options: { threads: number }): Promise<WhisperModel> {
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

  static async #load({ folder, configuration }: CompiledWhisper, { threads }: { threads: number }) {
    const { width, vocabulary, textPositions } = configuration;
    const encoder = await Session.load(join(folder, 'encoder.onnx'), { threads });
    const decoder = await Session.load(join(folder, 'decoder.onnx'), { threads });
    const positions = new Float32Array(new Uint8Array(await readFile(join(folder, 'positions.f32'))).buffer);
    if (positions.length !== textPositions * width) throw new Error('The table of positions is damaged');
    const tokens = new EmbeddingRows(folder, width);
    tokens.read(vocabulary - 1);
    return new WhisperModel(encoder, { configuration, decoder, tokens, positions });
  }

  /** @param mel log-mel spectrogram `[mels, 2 · audioPositions]` */
  async encode(mel: Float32Array): Promise<EncodedAudio> {
    const { mels, audioPositions } = this.configuration;
    return { cross: await this.#encoder.run({ mel: float32(mel, [1, mels, 2 * audioPositions]) }) };
  }

  /** A decoder at its start over one encoded window. */
  decode(audio: EncodedAudio): DecoderState {
    return new CachedDecoder(this.#parts, audio);
  }
}

const MASKED = -1e9;

class CachedDecoder implements DecoderState {
  readonly #parts: ModelParts;
  readonly #cross: Feeds;
  readonly #cache: KeyValueCache;

  constructor(parts: ModelParts, { cross }: EncodedAudio) {
    const { decoderLayers, decoderHeads, width } = parts.configuration;
    this.#parts = parts;
    this.#cross = cross;
    this.#cache = new KeyValueCache({
      layers: decoderLayers,
      heads: decoderHeads,
      headSize: width / decoderHeads,
    });
  }

  get length(): number {
    return this.#cache.length;
  }

  get streams(): number {
    return this.#cache.streams;
  }

  keep(parents: readonly number[]): void {
    const wrong = parents.find((parent) => !(Number.isInteger(parent) && parent >= 0 && parent < this.streams));
    if (parents.length === 0 || wrong !== undefined) throw new RangeError(`There is no stream ${wrong} to keep`);
    this.#cache.keep(parents);
  }

  async step(tokens: readonly (readonly number[])[]): Promise<DecoderStep> {
    const { configuration, decoder } = this.#parts;
    const { vocabulary, audioPositions, alignmentHeads, textPositions, width } = configuration;
    const count = tokens[0]?.length ?? 0;
    if (tokens.length !== this.streams || count === 0 || tokens.some(({ length }) => length !== count)) {
      throw new RangeError(`${this.streams} streams want the same number of tokens each`);
    }
    if (this.length + count > textPositions) throw new RangeError(`A sequence has ${textPositions} tokens at most`);
    const outputs = await decoder.run({
      ...this.#cross,
      ...this.#cache.feeds,
      x: float32(this.#embed(tokens, count), [tokens.length, count, width]),
      mask: float32(this.#mask(count), [count, this.#cache.capacity + count]),
    });
    this.#cache.append(outputs, count);
    return {
      logits: rows(outputs.logits!.data as Float32Array, vocabulary),
      attention: rows(outputs.attention!.data as Float32Array, alignmentHeads.length * audioPositions),
    };
  }

  #embed(tokens: readonly (readonly number[])[], count: number): Float32Array {
    const { tokens: table, positions, configuration } = this.#parts;
    const { width, vocabulary } = configuration;
    const x = new Float32Array(tokens.length * count * width);
    let to = 0;
    for (const stream of tokens) {
      for (const [index, token] of stream.entries()) {
        if (!(token < vocabulary)) throw new RangeError(`The vocabulary has no token ${token}`);
        const row = table.read(token);
        const position = (this.length + index) * width;
        for (let channel = 0; channel < width; channel++) x[to++] = row[channel]! + positions[position + channel]!;
      }
    }
    return x;
  }

  /** A token looks at all that were before it and at itself; not at the cache's padding. */
  #mask(count: number): Float32Array {
    const { capacity } = this.#cache;
    const columns = capacity + count;
    const mask = new Float32Array(count * columns);
    for (let row = 0; row < count; row++) {
      const start = row * columns;
      mask.fill(MASKED, start + this.length, start + capacity);
      mask.fill(MASKED, start + capacity + row + 1, start + columns);
    }
    return mask;
  }
}

/** Each stream's part of an output, without a copy. */
function rows(data: Float32Array, size: number): Float32Array[] {
  return Array.from({ length: data.length / size }, (_, index) => data.subarray(index * size, (index + 1) * size));
}
