import type { Value } from '../../../ort/graph/builder.ts';
import { type Layers, scaleInputs } from './layers.ts';

/** Largest magnitudes of the channels that go into a convolution and of those that come out of it. */
export interface ConvolutionRange {
  input: Float32Array;
  output: Float32Array;
}

/** Of each convolution by its name. */
export type ConvolutionRanges = ReadonlyMap<string, ConvolutionRange>;

/** What 8-bit convolutions are made from. */
export interface Quantization {
  ranges: ConvolutionRanges;
  /**
   * Whether weights may take all of a signed byte. A CPU without the dot product of bytes adds up pairs of products in 16
   * bits, which hold no more than 7 bits of a weight.
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
/** Room above what was seen in a few voices and sentences; what is louder is clipped. */
const HEADROOM = 1.2;
/** Instead of nothing, which cannot be divided by. */
const LEAST = 1e-12;
/** The zero point of unsigned bytes. */
const MIDDLE = 128;

const PARTS = ['input', 'output'] as const;
const SEPARATOR = '#';

/** Makes the largest magnitude of each channel an output of the graph, for `collectRanges`. */
export function observe({ graph }: Layers, name: string, signals: Record<(typeof PARTS)[number], Value>): void {
  for (const part of PARTS) {
    const largest = graph.op('ReduceMax', [graph.op('Abs', [signals[part]]), graph.ints(0, 2, 3)], { keepdims: 0 });
    graph.output(`${name}${SEPARATOR}${part}`, largest, 'float32', ['channels']);
  }
}

/** Widens ranges by what one run of a graph with `observe` has put out. */
export function collectRanges(ranges: Map<string, ConvolutionRange>, outputs: Record<string, { data: unknown }>): void {
  for (const [key, { data }] of Object.entries(outputs)) {
    const [name, part] = key.split(SEPARATOR) as [string, (typeof PARTS)[number] | undefined];
    if (part === undefined) continue;
    const values = data as Float32Array;
    const known = ranges.get(name) ?? {
      input: new Float32Array(values.length),
      output: new Float32Array(values.length),
    };
    known[part] = known[part].map((value, channel) => Math.max(value, values[channel]!));
    ranges.set(name, known);
  }
}

/**
 * A convolution in bytes. Each channel has a scale of its own, on both sides: those of the inputs are multiplied into the
 * weights, so that the bytes of a sum are of one scale, and those of the outputs divide it.
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
  const step = (largest: number) => (HEADROOM * Math.max(largest, LEAST)) / LEVELS;
  const [inputSteps, outputSteps] = [range.input.map(step), range.output.map(step)];
  const given = weights.convolution(name, [channels, channels, kernel], channels);
  scaleInputs(
    given.kernel,
    inputScale.map((scale, channel) => scale * inputSteps[channel]!),
    kernel,
  );

  const { bytes, scales, biases } = quantizedWeights(
    given.kernel,
    given.bias!,
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
 * @param kernel `[outputs, …]`, on inputs that are in bytes
 * @param outputSteps what one step of each output is worth
 * @param levels largest magnitude of a weight
 * @returns `scales`: by which each output's sum of products becomes its steps
 */
function quantizedWeights(kernel: Float32Array, bias: Float32Array, outputSteps: Float32Array, levels: number) {
  const bytes = new Int8Array(kernel.length);
  const scales = new Float32Array(bias.length);
  const biases = new Int32Array(bias.length);
  const size = kernel.length / bias.length;
  for (let output = 0; output < bias.length; output++) {
    const row = kernel.subarray(output * size, (output + 1) * size);
    const scale = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), LEAST) / levels;
    for (const [index, value] of row.entries()) bytes[output * size + index] = Math.round(value / scale);
    scales[output] = scale / outputSteps[output]!;
    biases[output] = Math.round(bias[output]! / scale);
  }
  return { bytes, scales, biases };
}
