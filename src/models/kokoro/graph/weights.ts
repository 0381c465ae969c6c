import { CheckpointError } from '../../../checkpoint/checkpoint-error.ts';
import { areFinite } from '../../../checkpoint/floats.ts';
import { readStateDictionary, type StoredTensor } from '../../../checkpoint/pytorch.ts';
import { HearsayError } from '../../../errors.ts';

/** Of modules that the published model has and never uses, and of tables that other versions of its libraries save. */
const UNUSED = /^(?:bert\.pooler\.(?:weight|bias)|bert\.embeddings\.position_ids)$/;
const MODULE_PREFIX = /^(bert|bert_encoder|predictor|decoder|text_encoder)\.module\./;

/** A weight and, where there is one, the bias added after it. */
export interface ConvolutionWeights {
  /** `[outputs, inputs / groups, kernel]`, or for a transposed one `[inputs, outputs / groups, kernel]`. */
  kernel: Float32Array;
  bias?: Float32Array;
}

/**
 * The tensors of a checkpoint by their names in the published modules. Each must be there, of the right shape and finite,
 * and none may be left over.
 */
export class KokoroWeights {
  readonly #tensors = new Map<string, StoredTensor>();
  readonly #used = new Set<string>();

  /**
   * @param file the bytes of a `kokoro-v1_0.pth`
   * @throws HearsayError `model_load_failed`
   */
  constructor(file: Uint8Array) {
    for (const [fullName, tensor] of asLoadFailure(() => readStateDictionary(file))) {
      const name = fullName.replace(MODULE_PREFIX, '$1.');
      if (this.#tensors.has(name)) throw failure(`The checkpoint holds the tensor ${name} twice.`);
      this.#tensors.set(name, tensor);
    }
    for (const name of this.#tensors.keys()) {
      const direction = /^(.*)weight_v$/.exec(name)?.[1];
      if (direction !== undefined && this.#tensors.has(`${direction}weight`)) {
        throw failure(`The checkpoint holds ${direction}weight both as it is and as magnitude and direction.`);
      }
    }
  }

  /** @throws HearsayError `model_load_failed` naming the tensor where it is missing, of another shape or not finite */
  read(name: string, shape: readonly number[]): Float32Array {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw failure(`The checkpoint lacks the tensor ${name}.`);
    if (tensor.dims.join() !== shape.join()) {
      throw failure(`The checkpoint's tensor ${name} is ${tensor.dims.join(' × ')} and not ${shape.join(' × ')}.`);
    }
    this.#used.add(name);
    const values = asLoadFailure(() => tensor.read(), `The checkpoint's tensor ${name} cannot be read: `);
    if (!areFinite(values)) throw failure(`The checkpoint's tensor ${name} holds values that are not finite.`);
    return values;
  }

  /** As `read`; where the tensor is missing, all its values are `otherwise`. */
  readOr(name: string, shape: readonly number[], otherwise: number): Float32Array {
    if (this.#tensors.has(name)) return this.read(name, shape);
    return new Float32Array(shape.reduce((product, dim) => product * dim, 1)).fill(otherwise);
  }

  /**
   * A convolution; one with weight normalization (Salimans & Kingma 2016, https://arxiv.org/abs/1602.07868) is kept as
   * magnitude and direction, w = g · v / ‖v‖ for each index of the first axis.
   * @param shape of the kernel
   * @param biases how many there are; none without it
   */
  convolution(name: string, shape: readonly [number, number, number], biases?: number): ConvolutionWeights {
    const kernel = this.#tensors.has(`${name}.weight_v`)
      ? this.#normalized(name, shape)
      : this.read(`${name}.weight`, shape);
    return biases === undefined ? { kernel } : { kernel, bias: this.read(`${name}.bias`, [biases]) };
  }

  #normalized(name: string, shape: readonly [number, number, number]): Float32Array {
    const kernel = this.read(`${name}.weight_v`, shape);
    const magnitudes = this.read(`${name}.weight_g`, [shape[0], 1, 1]);
    const length = shape[1] * shape[2];
    for (const [row, magnitude] of magnitudes.entries()) {
      const direction = kernel.subarray(row * length, (row + 1) * length);
      const norm = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
      if (norm === 0) throw failure(`The checkpoint's tensor ${name}.weight_v has a direction of no length.`);
      for (let index = 0; index < length; index++) direction[index]! *= magnitude / norm;
    }
    return kernel;
  }

  /** @throws HearsayError `model_load_failed` naming the first tensor that nothing has read */
  expectAllRead(): void {
    for (const name of this.#tensors.keys()) {
      if (!this.#used.has(name) && !UNUSED.test(name)) {
        throw failure(`The checkpoint holds a tensor ${name}, which a Kokoro of this configuration has not.`);
      }
    }
  }
}

function asLoadFailure<T>(read: () => T, prefix = ''): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CheckpointError) throw failure(prefix + error.message, error);
    throw error;
  }
}

function failure(message: string, cause?: unknown): HearsayError {
  return new HearsayError('model_load_failed', message, { cause });
}
