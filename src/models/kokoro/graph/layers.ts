import { float, type GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import { inOnnxGateOrder } from '../../../ort/graph/lstm.ts';
import type { ConvolutionWeights, KokoroWeights } from './weights.ts';

export interface ConvolutionOptions {
  inputs: number;
  outputs: number;
  kernel: number;
  stride?: number;
  dilation?: number;
  /** Zeros on either side; the default keeps the length. */
  padding?: number;
  hasBias?: boolean;
  /** Factors of the input channels, folded into the kernel. */
  inputScale?: Float32Array;
}

export interface TransposedConvolutionOptions {
  inputs: number;
  outputs: number;
  kernel: number;
  stride: number;
  padding: number;
  outputPadding: number;
  groups: number;
}

export interface UpsamplingOptions {
  inputs: number;
  outputs: number;
  kernel: number;
  /** Output samples per input sample. */
  rate: number;
  /** Factor of all inputs, folded into the kernel. */
  inputScale: number;
}

/** Scale and shift of a normalized signal, `[channels]` each. */
export interface Affine {
  scale: Value;
  shift: Value;
}

export interface StyledSize {
  channels: number;
  /** Channels of the style. */
  style: number;
}

/** Negative slope of LeakyReLU in most published modules; torch's default is 0.01. */
export const SLOPE = 0.2;
/** Of instance and layer normalization. */
const EPSILON = 1e-5;

/**
 * Kokoro's layers in one graph, by the names of their modules. Sequences are `[n, channels]` or, for recurrent layers,
 * `[n, 1, channels]`. Signals are `[1, channels, 1, length]`, images of one row: onnxruntime's blocked kernels are
 * two-dimensional.
 */
export class Layers {
  readonly graph: GraphBuilder;
  readonly weights: KokoroWeights;

  constructor(graph: GraphBuilder, weights: KokoroWeights) {
    this.graph = graph;
    this.weights = weights;
  }

  /** A constant `[n]`. */
  vector(data: Float32Array): Value {
    return this.graph.constant({ type: 'float32', dims: [data.length], data });
  }

  /** `[n, inputs]` → `[n, outputs]`. */
  linear(x: Value, name: string, inputs: number, outputs: number): Value {
    const weight = this.weights.read(`${name}.weight`, [outputs, inputs]);
    const bias = this.weights.read(`${name}.bias`, [outputs]);
    return this.graph.op(
      'Gemm',
      [x, this.graph.constant({ type: 'float32', dims: [outputs, inputs], data: weight }), this.vector(bias)],
      { transB: 1 },
    );
  }

  /** Over the last axis. @param names of the scale and the shift */
  layerNorm(x: Value, channels: number, [scale, shift]: readonly [string, string], epsilon = EPSILON): Value {
    const scales = this.vector(this.weights.read(scale, [channels]));
    const shifts = this.vector(this.weights.read(shift, [channels]));
    return this.graph.op('LayerNormalization', [x, scales, shifts], { axis: -1, epsilon: float(epsilon) });
  }

  /** max(x, slope · x). */
  leakyRelu(x: Value, slope: number): Value {
    return this.graph.op('LeakyRelu', [x], { alpha: float(slope) });
  }

  /** A recurrent layer in both directions: `[n, 1, inputs]` → `[n, 1, 2 · hidden]`. */
  bidirectionalLstm(x: Value, name: string, inputs: number, hidden: number): Value {
    const { graph } = this;
    const both = (part: string, columns: number) =>
      concatenated(
        ['', '_reverse'].map((direction) => {
          const dims = columns > 1 ? [4 * hidden, columns] : [4 * hidden];
          return inOnnxGateOrder(this.weights.read(`${name}.${part}_l0${direction}`, dims));
        }),
      );
    const matrix = (part: string, columns: number) =>
      graph.constant({ type: 'float32', dims: [2, 4 * hidden, columns], data: both(part, columns) });
    const [fromInput, fromState] = [both('bias_ih', 1), both('bias_hh', 1)];
    const biases = concatenated([
      fromInput.subarray(0, 4 * hidden),
      fromState.subarray(0, 4 * hidden),
      fromInput.subarray(4 * hidden),
      fromState.subarray(4 * hidden),
    ]);
    const states = graph.op(
      'LSTM',
      [
        x,
        matrix('weight_ih', inputs),
        matrix('weight_hh', hidden),
        graph.constant({ type: 'float32', dims: [2, 8 * hidden], data: biases }),
      ],
      { hidden_size: hidden, direction: 'bidirectional' },
    );
    // [n, directions, 1, hidden]: a batch of one needs no transposition.
    return graph.op('Reshape', [states, graph.ints(-1, 1, 2 * hidden)]);
  }

  /** `[1, inputs, 1, length]` → `[1, outputs, 1, length / stride]` with the default padding. */
  convolution(x: Value, name: string, options: ConvolutionOptions): Value {
    const { inputs, outputs, kernel, stride = 1, dilation = 1, hasBias = true, inputScale } = options;
    const { padding = ((kernel - 1) * dilation) / 2 } = options;
    const weights = this.weights.convolution(name, [outputs, inputs, kernel], hasBias ? outputs : undefined);
    if (inputScale) scaleInputs(weights.kernel, inputScale, kernel);
    return this.graph.op('Conv', [x, ...this.#kernel(weights, [outputs, inputs, 1, kernel])], {
      kernel_shape: [1, kernel],
      strides: [1, stride],
      dilations: [1, dilation],
      pads: [0, padding, 0, padding],
    });
  }

  /** `[1, inputs, 1, length]` → `[1, outputs, 1, stride · length]` with a padding to match. */
  transposedConvolution(x: Value, name: string, options: TransposedConvolutionOptions): Value {
    const { inputs, outputs, kernel, stride, padding, outputPadding, groups } = options;
    const weights = this.weights.convolution(name, [inputs, outputs / groups, kernel], outputs);
    return this.graph.op('ConvTranspose', [x, ...this.#kernel(weights, [inputs, outputs / groups, 1, kernel])], {
      kernel_shape: [1, kernel],
      strides: [1, stride],
      pads: [0, padding, 0, padding],
      output_padding: [0, outputPadding],
      group: groups,
    });
  }

  /**
   * A transposed convolution `[1, inputs, 1, length]` → `[1, outputs, 1, rate · length]`, as a faster convolution with
   * `rate` times the outputs, which are then interleaved.
   */
  upsampling(x: Value, name: string, { inputs, outputs, kernel, rate, inputScale }: UpsamplingOptions): Value {
    const { graph } = this;
    const original = this.weights.convolution(name, [inputs, outputs, kernel], outputs);
    const taps = Math.ceil(kernel / rate);
    const weights = new Float32Array(outputs * rate * inputs * taps);
    for (let input = 0; input < inputs; input++) {
      for (let output = 0; output < outputs; output++) {
        for (let index = 0; index < kernel; index++) {
          const row = (output * rate + (index % rate)) * inputs + input;
          const tap = taps - 1 - Math.floor(index / rate);
          weights[row * taps + tap] = inputScale * original.kernel[(input * outputs + output) * kernel + index]!;
        }
      }
    }
    const bias = Float32Array.from({ length: outputs * rate }, (_, index) => original.bias![Math.floor(index / rate)]!);
    const convolved = graph.op(
      'Conv',
      [x, ...this.#kernel({ kernel: weights, bias }, [outputs * rate, inputs, 1, taps])],
      { kernel_shape: [1, taps], pads: [0, taps - 1, 0, taps - 1] },
    );
    const split = graph.op('Reshape', [convolved, graph.ints(1, outputs, rate, -1)]);
    const samples = graph.op('Reshape', [
      graph.op('Transpose', [split], { perm: [0, 1, 3, 2] }),
      graph.ints(1, outputs, 1, -1),
    ]);
    // Negative padding trims the ends.
    const before = (kernel - rate) / 2;
    const behind = (taps - 1) * rate - before;
    return graph.op('Pad', [samples, graph.ints(0, 0, 0, -before, 0, 0, 0, -behind)]);
  }

  #kernel({ kernel, bias }: ConvolutionWeights, dims: number[]): Value[] {
    return [this.graph.constant({ type: 'float32', dims, data: kernel }), ...(bias ? [this.vector(bias)] : [])];
  }

  /**
   * Adaptive normalization's scale 1 + γ and shift β, both linear in the style.
   * @param style `[style]`
   */
  adaptiveAffine(style: Value, name: string, channels: number, width: number): Affine {
    const { weights } = this;
    return this.#styled(style, width, {
      weight: weights.read(`${name}.fc.weight`, [2 * channels, width]),
      bias: weights.read(`${name}.fc.bias`, [2 * channels]),
      channels,
      scale: new Float32Array(channels).fill(1),
      shift: new Float32Array(channels),
    });
  }

  /** Adaptive instance normalization (Huang & Belongie 2017, https://arxiv.org/abs/1703.06868) of a signal. */
  adaptiveInstanceNorm(x: Value, style: Value, name: string, size: StyledSize): Value {
    return this.instanceNorm(x, this.styledAffine(style, name, size));
  }

  /** Normalizes each channel of `[1, channels, …]`. */
  instanceNorm(x: Value, { scale, shift }: Affine): Value {
    return this.graph.op('InstanceNormalization', [x, scale, shift], { epsilon: float(EPSILON) });
  }

  /**
   * Scale and shift of an adaptive instance normalization. The norm's own scale and shift and the factors are folded
   * into the style's projection, so that one operator applies all.
   * @param factors per channel of the result
   */
  styledAffine(style: Value, name: string, size: StyledSize, factors?: Float32Array): Affine {
    const { weights } = this;
    const { channels } = size;
    const weight = weights.read(`${name}.fc.weight`, [2 * channels, size.style]);
    const bias = weights.read(`${name}.fc.bias`, [2 * channels]);
    const scale = weights.readOr(`${name}.norm.weight`, [channels], 1);
    const shift = weights.readOr(`${name}.norm.bias`, [channels], 0);
    return this.#styled(style, size.style, { weight, bias, channels, scale, shift, ...(factors && { factors }) });
  }

  /**
   * (1 + γ)(scale · n + shift) + β, times the factors, as one scale and one shift of n; γ and β linear in the style.
   */
  #styled(style: Value, width: number, projection: StyleProjection): Affine {
    const { graph } = this;
    const { weight, bias, channels, scale, shift, factors } = projection;
    const columns = 2 * channels;
    const matrix = new Float32Array(width * columns);
    const offsets = new Float32Array(columns);
    for (let channel = 0; channel < channels; channel++) {
      const factor = factors?.[channel] ?? 1;
      const [scaling, shifting] = [scale[channel]! * factor, shift[channel]! * factor];
      const beta = channels + channel;
      offsets[channel] = (1 + bias[channel]!) * scaling;
      offsets[beta] = (1 + bias[channel]!) * shifting + bias[beta]! * factor;
      for (let index = 0; index < width; index++) {
        const gamma = weight[channel * width + index]!;
        matrix[index * columns + channel] = gamma * scaling;
        matrix[index * columns + beta] = gamma * shifting + weight[beta * width + index]! * factor;
      }
    }
    const weights = graph.constant({ type: 'float32', dims: [width, columns], data: matrix });
    const both = graph.op('Add', [graph.op('MatMul', [style, weights]), this.vector(offsets)]);
    const [styledScale, styledShift] = graph.ops('Split', [both], 2, { axis: 0, num_outputs: 2 }) as [Value, Value];
    return { scale: styledScale, shift: styledShift };
  }

  /** Layer normalization of `[n, 1, channels]` with the style's scale and shift. */
  adaptiveLayerNorm(x: Value, style: Value, name: string, channels: number, width: number): Value {
    const { scale, shift } = this.adaptiveAffine(style, name, channels, width);
    return this.graph.op('LayerNormalization', [x, scale, shift], { axis: -1, epsilon: float(EPSILON) });
  }
}

interface StyleProjection {
  /** `[2 · channels, style]`: γ of all channels, then β. */
  weight: Float32Array;
  bias: Float32Array;
  channels: number;
  scale: Float32Array;
  shift: Float32Array;
  factors?: Float32Array;
}

/** Multiplies the inputs of a kernel `[outputs, inputs, kernel]` in place. */
export function scaleInputs(kernel: Float32Array, factors: Float32Array, size: number): void {
  for (let index = 0; index < kernel.length; index++) {
    kernel[index]! *= factors[Math.floor(index / size) % factors.length]!;
  }
}

function concatenated(arrays: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const array of arrays) {
    result.set(array, offset);
    offset += array.length;
  }
  return result;
}
