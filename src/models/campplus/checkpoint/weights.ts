import { basename } from 'node:path';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { areFinite } from '../../../checkpoint/floats.ts';
import { PyTorchFile } from '../../../checkpoint/pytorch-file.ts';

/** Sizes of the network, as the shapes of the tensors state them. */
export interface CampplusConfiguration {
  /** Channels of the two-dimensional convolutions over the spectrogram. */
  headChannels: number;
  /** Channels of the first layer over time. */
  initialChannels: number;
  /** Channels that each layer of a block adds. */
  growth: number;
  /** Channels within a layer. */
  bottleneck: number;
  /** Number of layers of each block. */
  blocks: readonly number[];
  /** Length of an embedding. */
  embedding: number;
}

/** A convolution with the batch norm after it folded into kernel and bias. */
export interface FoldedConvolution {
  kernel: Float32Array;
  bias: Float32Array;
}

/** A batch norm as scale and shift of each channel. */
export interface Affine {
  scale: Float32Array;
  shift: Float32Array;
}

/** The last convolution halves 80 bands for the third time. */
export const HEAD_ROWS = 10;
/** PyTorch's default, which the model uses. */
const BATCH_NORM_EPSILON = 1e-5;
const BLOCKS = 3;

/** The tensors of a checkpoint of 3D-Speaker's `DTDNN.py`, by their names there. Stays open until it is closed. */
export class CampplusWeights {
  readonly configuration: CampplusConfiguration;
  readonly #file: PyTorchFile;
  readonly #fileName: string;

  private constructor(file: PyTorchFile, fileName: string) {
    this.#file = file;
    this.#fileName = fileName;
    this.configuration = this.#readConfiguration();
  }

  /** @throws HearsayError `model_load_failed` naming the file and what is wrong or missing */
  static async open(path: string): Promise<CampplusWeights> {
    const file = await PyTorchFile.open(path);
    try {
      return new CampplusWeights(file, basename(path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** @throws HearsayError `model_load_failed` naming the tensor that is missing, damaged, or has another shape */
  async read(name: string, shape: readonly number[]): Promise<Float32Array> {
    const values = await this.#file.read(this.#existing(name), shape);
    if (!areFinite(values)) throw unusableFile(this.#fileName, `its tensor ${name} has values that are not finite`);
    return values;
  }

  /** A convolution and the batch norm after it. @param shape of the kernel, outputs first */
  async folded(convolution: string, norm: string, shape: readonly number[]): Promise<FoldedConvolution> {
    const kernel = await this.read(`${convolution}.weight`, shape);
    const outputs = shape[0]!;
    const { scale, shift } = await this.batchNorm(norm, outputs);
    const size = kernel.length / outputs;
    return { kernel: kernel.map((weight, index) => weight * scale[Math.floor(index / size)]!), bias: shift };
  }

  /** @param norm without tensors `weight` and `bias`, it only has statistics */
  async batchNorm(norm: string, channels: number): Promise<Affine> {
    const mean = await this.read(`${norm}.running_mean`, [channels]);
    const variance = await this.read(`${norm}.running_var`, [channels]);
    const scale = variance.map((value) => 1 / Math.sqrt(value + BATCH_NORM_EPSILON));
    if (!areFinite(scale)) throw unusableFile(this.#fileName, `its tensor ${norm}.running_var has negative values`);
    const isAffine = this.#file.names.includes(`${norm}.weight`);
    const weight = isAffine ? await this.read(`${norm}.weight`, [channels]) : undefined;
    const bias = isAffine ? await this.read(`${norm}.bias`, [channels]) : undefined;
    if (weight) for (let channel = 0; channel < channels; channel++) scale[channel]! *= weight[channel]!;
    return { scale, shift: mean.map((value, channel) => (bias?.[channel] ?? 0) - value * scale[channel]!) };
  }

  #readConfiguration(): CampplusConfiguration {
    const layer = 'xvector.block1.tdnnd1';
    const [headChannels] = this.#shape('head.conv1.weight', 4);
    const [initialChannels] = this.#shape('xvector.tdnn.linear.weight', 3);
    const [growth, bottleneck] = this.#shape(`${layer}.cam_layer.linear_local.weight`, 3);
    const [embedding] = this.#shape('xvector.dense.linear.weight', 3);
    const blocks = Array.from({ length: BLOCKS }, (_, index) => this.#layersOf(index + 1));
    return { headChannels, initialChannels, growth, bottleneck, blocks, embedding };
  }

  #layersOf(block: number): number {
    const names = new Set(this.#file.names);
    let layers = 0;
    while (names.has(`xvector.block${block}.tdnnd${layers + 1}.linear1.weight`)) layers++;
    if (layers === 0) this.#existing(`xvector.block${block}.tdnnd1.linear1.weight`);
    return layers;
  }

  #shape(name: string, dimensions: number): [number, number] {
    const shape = this.#file.shape(this.#existing(name));
    if (shape.length !== dimensions || shape.includes(0)) {
      throw unusableFile(this.#fileName, `its tensor ${name} has shape [${shape}], unlike a checkpoint of CAM++`);
    }
    return [shape[0]!, shape[1]!];
  }

  #existing(name: string): string {
    if (this.#file.names.includes(name)) return name;
    throw unusableFile(this.#fileName, `it has no tensor ${name}, unlike a checkpoint of CAM++`);
  }
}
