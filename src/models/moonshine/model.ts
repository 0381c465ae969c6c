import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledKey, compiledModel, sourceHash } from '../../ort/compiled-models.ts';
import type { ComputeType, Device } from '../../ort/device.ts';
import { ModelWeights } from '../../ort/graph/weights.ts';
import { type Feeds, float32, int64, Session } from '../../ort/session.ts';
import { decoderGraph, type EmbeddingTable, embeddingTable, encoderGraph, moonshineTiny } from './graph/networks.ts';

const { layers, heads, headSize, width } = moonshineTiny;

/**
 * The cross-attention heads whose weights follow the speech most closely, found by comparing every head's alignment with
 * the phone times that a synthesizer states for its own speech: half of the word starts lay within 31 ms of it, on the
 * 20 sentences that were also chosen by (those of 36 that were transcribed without an error).
 */
const alignmentHeads = [
  [3, 5],
  [3, 7],
  [4, 6],
] as const;

/** What the graphs are compiled for. */
export interface MoonshineSource {
  /** Parent of the folder of compiled models. */
  modelsDir: string;
  device: Device;
  computeType: ComputeType;
}

/** What a model is loaded from: two graphs on disk and the embedding table. */
export interface CompiledMoonshine {
  /** With one thread: several windows side by side use the cores better than one window's small operators do. */
  device: Device;
  /** Paths of `.onnx` files: loading from a path takes less memory than loading from bytes. */
  encoder: string;
  decoder: string;
  embedding: EmbeddingTable;
}

/** The code that compiles the model. */
const SOURCES = ['models/moonshine/graph', 'models/moonshine/model', 'ort/graph'];

/**
 * Compiles our graphs from the weights that ship in npm, which takes about half a second, or finds them under
 * `<modelsDir>/compiled`.
 */
export async function compileMoonshine({
  modelsDir,
  device,
  computeType,
}: MoonshineSource): Promise<CompiledMoonshine> {
  const packageFolder = join(dirname(fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))), '..');
  const options = { computeType, signedWeights: device.int8DotProduct };
  const key = compiledKey(
    'moonshine-tiny',
    JSON.stringify([device.name, options]),
    await readFile(join(packageFolder, 'package.json')),
    await sourceHash(SOURCES),
  );
  const folder = await compiledModel(modelsDir, key, async (to) => {
    const read = async (name: string) =>
      new ModelWeights(await readFile(join(packageFolder, 'dist/model/tiny/quantized', name)));
    const [encoder, decoder] = await Promise.all([read('encoder_model.onnx'), read('decoder_model_merged.onnx')]);
    const { weight, scale, zeroPoint } = embeddingTable(decoder);
    await writeFile(join(to, 'encoder.onnx'), encoderGraph(encoder, decoder, options));
    await writeFile(join(to, 'decoder.onnx'), decoderGraph(decoder, options, alignmentHeads));
    await writeFile(join(to, 'embedding.bin'), weight);
    await writeFile(join(to, 'embedding.json'), JSON.stringify({ scale, zeroPoint }));
  });
  const table = await readFile(join(folder, 'embedding.bin'));
  // In shared memory, so that every thread reads the same table.
  const weight = new Uint8Array(new SharedArrayBuffer(table.length));
  weight.set(table);
  return {
    device: { ...device, threads: 1 },
    encoder: join(folder, 'encoder.onnx'),
    decoder: join(folder, 'decoder.onnx'),
    embedding: { weight, ...JSON.parse(await readFile(join(folder, 'embedding.json'), 'utf8')) },
  };
}

/** The loaded graphs: windows are encoded, and decoded token by token. */
export class MoonshineModel {
  readonly #encoder: Session;
  readonly #decoder: Session;
  readonly #embedding: EmbeddingTable;

  private constructor(encoder: Session, decoder: Session, embedding: EmbeddingTable) {
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#embedding = embedding;
  }

  static async load(compiled: CompiledMoonshine): Promise<MoonshineModel> {
    const encoder = await Session.load(compiled.encoder, compiled.device);
    const decoder = await Session.load(compiled.decoder, compiled.device);
    return new MoonshineModel(encoder, decoder, compiled.embedding);
  }

  /** Encodes one window (mono, 16 kHz, at most 30 s) and returns a decoder at its first step. */
  async encode(samples: Float32Array): Promise<DecoderState> {
    const outputs = await this.#encoder.run({ audio: float32(samples, [1, samples.length]) });
    return new DecoderState(this.#decoder, this.#embedding, outputs);
  }
}

/** What one step of the decoder gives. */
export interface Step {
  token: number;
  /** Natural logarithm of the token's probability. */
  logprob: number;
  /** Cross-attention weights over the encoder's frames, averaged over the alignment heads. */
  attention: Float32Array;
}

const MASKED = -1e9;
const FIRST_CAPACITY = 64;

/** One sequence being decoded: its caches, and how far they are filled. */
export class DecoderState {
  readonly #decoder: Session;
  readonly #embedding: EmbeddingTable;
  readonly #feeds: Feeds = {};
  readonly frames: number;
  #length = 0;
  #capacity = 0;
  #keys = new Float32Array(0);
  #values = new Float32Array(0);
  #mask = new Float32Array(0);

  constructor(decoder: Session, embedding: EmbeddingTable, cross: Feeds) {
    this.#decoder = decoder;
    this.#embedding = embedding;
    this.frames = cross.cross_keys!.dims[2]!;
    this.#view('cross_key', cross.cross_keys!.data as Float32Array, this.frames);
    this.#view('cross_value', cross.cross_values!.data as Float32Array, this.frames);
    this.#grow(FIRST_CAPACITY);
  }

  /**
   * Decodes one more token.
   * @param last the token before, or the begin token
   * @param forbidEnd take the best token that does not end the sequence
   */
  async step(last: number, { forbidEnd = false } = {}): Promise<Step> {
    if (this.#length === this.#capacity) this.#grow(2 * this.#capacity);
    const outputs = await this.#decoder.run({
      ...this.#feeds,
      embedding: this.#embed(last),
      position: int64(this.#length, [1]),
      mask: float32(this.#mask, [1, this.#capacity]),
      end_bias: float32(Float32Array.of(forbidEnd ? MASKED : 0), [1]),
    });
    this.#append(this.#keys, outputs.key!.data as Float32Array);
    this.#append(this.#values, outputs.value!.data as Float32Array);
    this.#mask[this.#length++] = 0;
    return {
      token: Number(outputs.token!.data[0]),
      logprob: Number(outputs.logprob!.data[0]),
      attention: outputs.attention!.data as Float32Array,
    };
  }

  /** Forgets all tokens, to decode the same window again. */
  reset(): void {
    this.#length = 0;
    this.#mask.fill(MASKED);
  }

  #embed(token: number) {
    const { weight, scale, zeroPoint } = this.#embedding;
    const row = weight.subarray(token * width, (token + 1) * width);
    return float32(
      Float32Array.from(row, (value) => (value - zeroPoint) * scale),
      [1, 1, width],
    );
  }

  /** The cache is padded, because every new length would cost onnxruntime a new plan; the mask hides the padding. */
  #grow(capacity: number): void {
    const copy = (from: Float32Array) => {
      const to = new Float32Array(layers * heads * capacity * headSize);
      const row = this.#capacity * headSize;
      for (let head = 0; head < layers * heads; head++) {
        to.set(from.subarray(head * row, (head + 1) * row), head * capacity * headSize);
      }
      return to;
    };
    this.#keys = copy(this.#keys);
    this.#values = copy(this.#values);
    this.#mask = new Float32Array(capacity).fill(MASKED).fill(0, 0, this.#length);
    this.#capacity = capacity;
    this.#view('past_key', this.#keys, capacity);
    this.#view('past_value', this.#values, capacity);
  }

  /** Feeds each layer its part of `[layers, heads, positions, headSize]`, without a copy. */
  #view(name: string, data: Float32Array, positions: number): void {
    const size = heads * positions * headSize;
    for (let layer = 0; layer < layers; layer++) {
      const part = data.subarray(layer * size, (layer + 1) * size);
      this.#feeds[`${name}.${layer}`] = float32(part, [heads, positions, headSize]);
    }
  }

  #append(cache: Float32Array, rows: Float32Array): void {
    for (let head = 0; head < layers * heads; head++) {
      const row = rows.subarray(head * headSize, (head + 1) * headSize);
      cache.set(row, (head * this.#capacity + this.#length) * headSize);
    }
  }
}
