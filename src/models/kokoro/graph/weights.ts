import { CheckpointError, refusePointer } from '../../../checkpoint/checkpoint-error.ts';
import { areFinite } from '../../../checkpoint/floats.ts';
import { readStateDictionary, type StoredTensor } from '../../../checkpoint/pytorch-buffer.ts';
import { HearsayError } from '../../../errors.ts';

/** Name of the file in a checkpoint. */
export const WEIGHTS_FILE = 'kokoro-v1_0.pth';
const UNUSABLE = `The checkpoint's ${WEIGHTS_FILE} cannot be used. `;
/** Tensors of modules that the published model never uses, and tables that some versions of its libraries save. */
const UNUSED = /^(?:bert\.pooler\.(?:weight|bias)|bert\.embeddings\.position_ids)$/;
const MODULE_PREFIX = /^(bert|bert_encoder|predictor|decoder|text_encoder)\.module\./;

/** A weight and its optional bias. */
export interface ConvolutionWeights {
  /** `[outputs, inputs / groups, kernel]`, or for a transposed one `[inputs, outputs / groups, kernel]`. */
  kernel: Float32Array;
  bias?: Float32Array;
}

/** The tensors of a checkpoint by their names in the published modules: complete, finite, and none unknown. */
export class KokoroWeights {
  readonly #tensors = new Map<string, StoredTensor>();
  readonly #used = new Set<string>();

  /**
   * @param file the bytes of a `kokoro-v1_0.pth`
   * @throws HearsayError `model_load_failed`
   */
  constructor(file: Uint8Array) {
    refusePointer(WEIGHTS_FILE, file);
    for (const [fullName, tensor] of asLoadFailure(() => readStateDictionary(file), UNUSABLE)) {
      const name = fullName.replace(MODULE_PREFIX, '$1.');
      if (this.#tensors.has(name)) throw failure(`The checkpoint has the tensor ${name} twice.`);
      this.#tensors.set(name, tensor);
    }
    for (const name of this.#tensors.keys()) {
      const direction = /^(.*)weight_v$/.exec(name)?.[1];
      if (direction !== undefined && this.#tensors.has(`${direction}weight`)) {
        throw failure(`The checkpoint has ${direction}weight both plain and as magnitude and direction.`);
      }
    }
  }

  /** @throws HearsayError `model_load_failed` naming the tensor if it is missing, not finite or of another shape */
  read(name: string, shape: readonly number[]): Float32Array {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw failure(`The checkpoint lacks the tensor ${name}.`);
    if (tensor.dims.join() !== shape.join()) {
      throw failure(`The checkpoint's tensor ${name} is ${tensor.dims.join(' × ')} and not ${shape.join(' × ')}.`);
    }
    this.#used.add(name);
    const values = asLoadFailure(() => tensor.read(), `The checkpoint's tensor ${name} cannot be read: `);
    if (!areFinite(values)) throw failure(`The checkpoint's tensor ${name} has values that are not finite.`);
    return values;
  }

  /** Like `read`; a missing tensor is filled with `fallback`. */
  readOr(name: string, shape: readonly number[], fallback: number): Float32Array {
    if (this.#tensors.has(name)) return this.read(name, shape);
    return new Float32Array(shape.reduce((product, dim) => product * dim, 1)).fill(fallback);
  }

  /**
   * A convolution. Weight normalization (Salimans & Kingma 2016, https://arxiv.org/abs/1602.07868) stores magnitude and
   * direction, w = g · v / ‖v‖ for each index of the first axis.
   * @param shape of the kernel
   * @param biases number of biases; default: none
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
      if (norm === 0) throw failure(`The checkpoint's tensor ${name}.weight_v has a direction of length zero.`);
      for (let index = 0; index < length; index++) direction[index]! *= magnitude / norm;
    }
    return kernel;
  }

  /** @throws HearsayError `model_load_failed` naming the first tensor that was not read */
  expectAllRead(): void {
    for (const name of this.#tensors.keys()) {
      if (!this.#used.has(name) && !UNUSED.test(name)) {
        throw failure(`The checkpoint has a tensor ${name}, which Kokoro with this configuration has not.`);
      }
    }
  }
}

function asLoadFailure<T>(read: () => T, prefix = ''): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CheckpointError) throw failure(prefix + error.message);
    throw error;
  }
}

function failure(message: string): HearsayError {
  return new HearsayError('model_load_failed', message);
}
