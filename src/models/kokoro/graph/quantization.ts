import type { Value } from '../../../ort/graph/builder.ts';
import { type Layers, scaleInputs } from './layers.ts';

/** Largest magnitude of each input and output channel of a convolution. */
export interface ConvolutionRange {
  input: Float32Array;
  output: Float32Array;
}

/** By the name of the convolution. */
export type ConvolutionRanges = ReadonlyMap<string, ConvolutionRange>;

/** Parameters of 8-bit convolutions. */
export interface Quantization {
  ranges: ConvolutionRanges;
  /**
   * Whether weights use all 8 bits. Without `int8DotProduct` pairs of products are summed in 16 bits, which overflow
   * with weights of more than 7.
   */
  fullWeights: boolean;
}

/** A convolution of a signal `[1, channels, 1, length]` that keeps channels and length. */
export interface SquareConvolution {
  channels: number;
  kernel: number;
  dilation: number;
  inputScale: Float32Array;
}

const LEVELS = 127;
const SEVEN_BITS = 63;
/** Headroom above the measured ranges; louder values are clipped. */
const HEADROOM = 1.2;
/** Avoids a division by zero. */
const EPSILON = 1e-12;
/** The zero point of unsigned bytes. */
const MIDDLE = 128;

const SIDES = ['input', 'output'] as const;
const SEPARATOR = '#';

/** Adds the largest magnitude of each channel to the graph's outputs, for `collectRanges`. */
export function outputRanges({ graph }: Layers, name: string, signals: Record<(typeof SIDES)[number], Value>): void {
  for (const side of SIDES) {
    const largest = graph.op('ReduceMax', [graph.op('Abs', [signals[side]]), graph.ints(0, 2, 3)], { keepdims: 0 });
    graph.output(`${name}${SEPARATOR}${side}`, largest, 'float32', ['channels']);
  }
}

/** Widens ranges by the outputs of one run of a graph with `outputRanges`. */
export function collectRanges(ranges: Map<string, ConvolutionRange>, outputs: Record<string, { data: unknown }>): void {
  for (const [key, { data }] of Object.entries(outputs)) {
    const [name, side] = key.split(SEPARATOR) as [string, (typeof SIDES)[number] | undefined];
    if (side === undefined) continue;
    const values = data as Float32Array;
    const known = ranges.get(name) ?? {
      input: new Float32Array(values.length),
      output: new Float32Array(values.length),
    };
    known[side] = known[side].map((value, channel) => Math.max(value, values[channel]!));
    ranges.set(name, known);
  }
}

/**
 * A convolution in bytes, with a scale per input and output channel. The inputs' scales are multiplied into the
 * weights, so that all products of a sum have one scale.
 */
export function byteConvolution(
  layers: Layers,
  x: Value,
  name: string,
  { ranges, fullWeights }: Quantization,
  { channels, kernel, dilation, inputScale }: SquareConvolution,
): Value {
  const { graph, weights } = layers;
  const range = ranges.get(name);
  if (!range) throw new Error(`No ranges were measured for ${name}`);
  const step = (largest: number) => (HEADROOM * Math.max(largest, EPSILON)) / LEVELS;
  const [inputSteps, outputSteps] = [range.input.map(step), range.output.map(step)];
  const original = weights.convolution(name, [channels, channels, kernel], channels);
  scaleInputs(
    original.kernel,
    inputScale.map((scale, channel) => scale * inputSteps[channel]!),
    kernel,
  );

  const { bytes, scales, biases } = quantizedWeights(
    original.kernel,
    original.bias!,
    outputSteps,
    fullWeights ? LEVELS : SEVEN_BITS,
  );
  const middle = (dims: number[]) =>
    graph.constant({ type: 'uint8', dims, data: new Uint8Array(dims[0] ?? 1).fill(MIDDLE) });
  const one = graph.scalar(1);
  const padding = ((kernel - 1) * dilation) / 2;
  const quantized = graph.op('QuantizeLinear', [x, layers.vector(inputSteps), middle([channels])], { axis: 1 });
  const convolved = graph.op(
    'QLinearConv',
    [
      quantized,
      one,
      middle([]),
      graph.constant({ type: 'int8', dims: [channels, channels, 1, kernel], data: bytes }),
      layers.vector(scales),
      graph.constant({ type: 'int8', dims: [channels], data: new Int8Array(channels) }),
      one,
      middle([]),
      graph.constant({ type: 'int32', dims: [channels], data: biases }),
    ],
    { kernel_shape: [1, kernel], dilations: [1, dilation], pads: [0, padding, 0, padding] },
  );
  return graph.op('DequantizeLinear', [convolved, layers.vector(outputSteps), middle([channels])], { axis: 1 });
}

/**
 * Weights and biases as integers.
 * @param kernel `[outputs, …]`, for inputs in bytes
 * @param outputSteps value of one step of each output
 * @param levels largest magnitude of a weight
 * @returns `scales`: factors from each output's sum of products to its steps
 */
function quantizedWeights(kernel: Float32Array, bias: Float32Array, outputSteps: Float32Array, levels: number) {
  const bytes = new Int8Array(kernel.length);
  const scales = new Float32Array(bias.length);
  const biases = new Int32Array(bias.length);
  const size = kernel.length / bias.length;
  for (let output = 0; output < bias.length; output++) {
    const row = kernel.subarray(output * size, (output + 1) * size);
    const scale = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), EPSILON) / levels;
    for (const [index, value] of row.entries()) bytes[output * size + index] = Math.round(value / scale);
    scales[output] = scale / outputSteps[output]!;
    biases[output] = Math.round(bias[output]! / scale);
  }
  return { bytes, scales, biases };
}
