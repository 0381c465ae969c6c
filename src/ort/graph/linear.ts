import type { ComputeType } from '../device.ts';
import type { GraphBuilder, Value } from './builder.ts';
import type { DataType } from './schema.ts';

/**
 * `cpu`: work is split into parts that fit a core's cache, and the KV cache is written outside the graph. `gpu`: whole
 * windows at once, with operators that have WebGPU kernels in onnxruntime, and with keys and values as outputs that
 * stay on the device.
 */
export type GraphForm = 'cpu' | 'gpu';

export interface LinearOptions {
  /** Default: cpu */
  form?: GraphForm;
  computeType: ComputeType;
  /** Whether int8 weights are signed: exact only on a device with `int8DotProduct`. */
  signedWeights: boolean;
}

/** y = x · weightᵀ + bias, in the layout of checkpoints. */
export interface LinearWeights {
  /** `[outputs, inputs]`, row-major. */
  weight: Float32Array;
  outputs: number;
  inputs: number;
  /** `[outputs]` */
  bias?: Float32Array;
  /** Instead of a bias: `[outputs]`, 0, or minus infinity to suppress an output. */
  mask?: Value;
  /**
   * `[inputs]`: in int8, the inputs are divided by these and the weights multiplied. Layers of the same input have the same
   * ones.
   */
  inputScales?: Float32Array;
}

/** Largest magnitude of a quantized activation or weight: without −128 the range is symmetric. */
const LIMIT = 127;
/** Zero point of unsigned bytes. */
const MIDDLE = 128;
/**
 * Zero point of activations with a lower bound close to zero. Of 16 to 64, most precise for the feed-forward layers of
 * Whisper base and tiny: 4 to 5 dB above `MIDDLE`. A lower one makes steps finer for large rows and coarser for small ones.
 */
const LOW = 32;
const LARGEST_BYTE = 255;
/** Avoids a division by zero for a row of zeros. */
const SMALLEST_ROW = 1e-10;

/**
 * Linear layers of a graph. In int8 a weight has a scale per output, and its input one per row. With one scale for the
 * whole input, as in `DynamicQuantizeMatMul`, sequences of a batch and tokens of a prompt would influence each other,
 * and one large row would cost the others precision.
 */
export class LinearLayers {
  readonly #graph: GraphBuilder;
  readonly #options: LinearOptions;
  readonly #quantizedRows = new Map<Value, QuantizedRows>();
  readonly #constants = new Map<number, QuantizationConstants>();

  constructor(graph: GraphBuilder, options: LinearOptions) {
    this.#graph = graph;
    this.#options = options;
  }

  /** `x` [rows, inputs] → [rows, outputs]. @param known facts about `x` that save work in int8 */
  apply(x: Value, layer: LinearWeights, known: KnownRows = {}): Value {
    const graph = this.#graph;
    if (this.#options.form === 'gpu') return this.#multiplyOnGpu(x, layer);
    const bias = layer.bias ? [graph.constant({ type: 'float32', dims: [layer.outputs], data: layer.bias })] : [];
    if (this.#options.computeType === 'int8') {
      const product = this.#multiplyBytes(x, layer, known);
      return bias.length > 0 ? graph.op('Add', [product, ...bias]) : product;
    }
    const weight = graph.constant({ type: 'float32', dims: [layer.outputs, layer.inputs], data: layer.weight });
    return graph.op('Gemm', [x, weight, ...(layer.mask ? [layer.mask] : bias)], { transB: 1 });
  }

  /** onnxruntime's WebGPU kernels take half the time with weights `[inputs, outputs]`. */
  #multiplyOnGpu(x: Value, { weight, outputs, inputs, bias, mask }: LinearWeights): Value {
    const graph = this.#graph;
    const type = floatType(this.#options);
    const matrix = graph.constant({ type, dims: [inputs, outputs], data: transposed(weight, outputs, inputs) });
    const product = graph.op('MatMul', [x, matrix]);
    const added = bias ? graph.constant({ type, dims: [outputs], data: bias }) : mask;
    return added === undefined ? product : graph.op('Add', [product, added]);
  }

  #multiplyBytes(x: Value, layer: LinearWeights, known: KnownRows): Value {
    const graph = this.#graph;
    const { outputs, inputs } = layer;
    const { bytes, zero, scale, factor } = this.#quantizeRows(x, known, layer.inputScales);
    const quantized = quantizeWeight(layer);
    const scales = graph.constant({ type: 'float32', dims: [outputs], data: quantized.scales });
    const dims = [inputs, outputs];
    const [weight, zeros] = this.#options.signedWeights
      ? [graph.constant({ type: 'int8', dims, data: quantized.bytes }), '']
      : [
          graph.constant({ type: 'uint8', dims, data: unsigned(quantized.bytes) }),
          graph.constant({ type: 'uint8', dims: [outputs], data: new Uint8Array(outputs).fill(MIDDLE) }),
        ];
    // As the product's bias the mask is free, and infinity survives the scaling.
    const product = [bytes, weight, scale, scales, zero, zeros, layer.mask ?? ''];
    return graph.op('Mul', [graph.op('MatMulIntegerToFloat', product), factor]);
  }

  /** Quantizes once for all layers of an input. */
  #quantizeRows(unscaled: Value, { count, lowest }: KnownRows, inputScales?: Float32Array): QuantizedRows {
    const known = this.#quantizedRows.get(unscaled);
    if (known) return known;
    const graph = this.#graph;
    const x = inputScales ? this.#divide(unscaled, inputScales) : unscaled;
    const zeroPoint = lowest === undefined ? MIDDLE : LOW;
    const { unit, zero, one } = this.#constantsOf(zeroPoint);
    const smallest = lowest === undefined ? SMALLEST_ROW : (-lowest * (LARGEST_BYTE - LOW)) / LOW;
    const magnitudes = lowest === undefined ? graph.op('Abs', [x]) : x;
    const highest = graph.op('ReduceMax', [magnitudes, graph.ints(-1)], { keepdims: 1 });
    const largest = graph.op('Max', [highest, graph.scalar(smallest)]);
    let rows: QuantizedRows;
    if (count === undefined) {
      const bytes = graph.op('QuantizeLinear', [graph.op('Div', [x, largest]), unit, zero]);
      rows = { bytes, zero, scale: unit, factor: largest };
    } else {
      const steps = graph.op('Mul', [largest, unit]);
      const zeros = graph.op('Expand', [zero, count]);
      const bytes = graph.op('QuantizeLinear', [x, graph.op('Reshape', [steps, graph.ints(-1)]), zeros], { axis: 0 });
      rows = { bytes, zero, scale: one, factor: steps };
    }
    this.#quantizedRows.set(unscaled, rows);
    return rows;
  }

  #divide(x: Value, data: Float32Array): Value {
    return this.#graph.op('Div', [x, this.#graph.constant({ type: 'float32', dims: [data.length], data })]);
  }

  #constantsOf(zeroPoint: number): QuantizationConstants {
    const graph = this.#graph;
    const known = this.#constants.get(zeroPoint);
    if (known) return known;
    const constants = {
      unit: graph.scalar(1 / (LARGEST_BYTE - zeroPoint)),
      one: graph.scalar(1),
      zero: graph.constant({ type: 'uint8', dims: [], data: Uint8Array.of(zeroPoint) }),
    };
    this.#constants.set(zeroPoint, constants);
    return constants;
  }
}

/** Constants for rows divided by their largest value. */
interface QuantizationConstants {
  /** One step. */
  unit: Value;
  one: Value;
  zero: Value;
}

interface QuantizedRows {
  bytes: Value;
  /** Zero point. */
  zero: Value;
  /** Value of one step, before the row's `factor`. */
  scale: Value;
  /** `[rows, 1]` */
  factor: Value;
}

/** Facts about rows that make products faster or more precise. */
export interface KnownRows {
  /** Number of rows, int64 [1]. */
  count?: Value;
  /** Lower bound of the values, negative: more steps are left for those above. */
  lowest?: number;
}

/** The type of activations and weights between the operators of a graph. */
export function floatType({ computeType }: Pick<LinearOptions, 'computeType'>): Extract<DataType, `float${string}`> {
  return computeType === 'float16' ? 'float16' : 'float32';
}

/** Rows and columns transposed together, so that whole cache lines are read and written. */
const TILE = 64;

/** `[rows, columns]` → `[columns, rows]`. */
function transposed(matrix: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(matrix.length);
  for (let firstRow = 0; firstRow < rows; firstRow += TILE) {
    const endRow = Math.min(firstRow + TILE, rows);
    for (let column = 0; column < columns; column++) {
      for (let row = firstRow; row < endRow; row++) result[column * rows + row] = matrix[row * columns + column]!;
    }
  }
  return result;
}

/** Bytes `[inputs, outputs]`, in onnxruntime's layout, with a scale per output. */
function quantizeWeight(layer: LinearWeights): { bytes: Int8Array; scales: Float32Array } {
  const { weight, outputs, inputs, inputScales = new Float32Array(inputs).fill(1) } = layer;
  const bytes = new Int8Array(weight.length);
  const scales = new Float32Array(outputs);
  const factors = new Float64Array(outputs);
  for (let output = 0; output < outputs; output++) {
    let largest = 0;
    for (let input = 0; input < inputs; input++) {
      largest = Math.max(largest, Math.abs(weight[output * inputs + input]! * inputScales[input]!));
    }
    scales[output] = largest / LIMIT;
    factors[output] = largest > 0 ? LIMIT / largest : 0;
  }
  for (let firstOutput = 0; firstOutput < outputs; firstOutput += TILE) {
    const endOutput = Math.min(firstOutput + TILE, outputs);
    for (let firstInput = 0; firstInput < inputs; firstInput += TILE) {
      const endInput = Math.min(firstInput + TILE, inputs);
      for (let output = firstOutput; output < endOutput; output++) {
        const factor = factors[output]!;
        for (let input = firstInput; input < endInput; input++) {
          // Rounds by truncating a positive number: branching on a random sign takes three times as long.
          const scaled = weight[output * inputs + input]! * inputScales[input]!;
          const rounded = Math.trunc(scaled * factor + MIDDLE + 0.5);
          bytes[input * outputs + output] = rounded - MIDDLE;
        }
      }
    }
  }
  return { bytes, scales };
}

/** The same weights with zero point 128. */
function unsigned(bytes: Int8Array): Uint8Array {
  const flipped = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) flipped[index] = bytes[index]! + MIDDLE;
  return flipped;
}
