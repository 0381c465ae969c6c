import { GraphBuilder, type Tensor, type Value } from '../ort/graph/builder.ts';
import { inOnnxGateOrder } from '../ort/graph/lstm.ts';
import type { ModelWeights } from '../ort/graph/weights.ts';
import { FRAME } from './frames.ts';

/** Samples of the frame before, which the model reads in front of each frame. */
export const CONTEXT = 64;
/** Width of the recurrent layer. */
export const HIDDEN = 128;

/** Samples of a window of the short-time Fourier transform. */
const WINDOW = 256;
/** Samples from one window to the next. */
const HOP = 128;
const FREQUENCIES = WINDOW / 2 + 1;
/** Mirrored samples appended to a frame, so that four windows fit. */
const REFLECTED = 64;
const WINDOWS = 4;

interface EncoderLayer {
  /** Input windows of a frame. */
  windows: number;
  /** Input and output channels. */
  from: number;
  to: number;
  stride: number;
}

/** Convolutions over the windows of a frame, down to one. */
const encoderLayers: readonly EncoderLayer[] = [
  { windows: WINDOWS, from: FREQUENCIES, to: 128, stride: 1 },
  { windows: WINDOWS, from: 128, to: 64, stride: 2 },
  { windows: WINDOWS / 2, from: 64, to: 64, stride: 2 },
  { windows: 1, from: 64, to: HIDDEN, stride: 1 },
];

/**
 * Silero VAD 6 at 16 kHz for any number of frames in one run. The published graph takes one frame at a time; here only the
 * recurrent layer does.
 *
 * Inputs: `frames` [frames, CONTEXT + FRAME], each after the end of the one before; `hidden` and `cell` [1, 1, HIDDEN],
 * state of the recurrent layer, initially zeros.
 * Outputs: `probabilities` [frames] of speech, 0 to 1; `hiddenNext` and `cellNext`, the state for the next frames.
 * @param weights of `silero_vad_v6.onnx`
 */
export function voiceActivityGraph(weights: ModelWeights): Uint8Array {
  const graph = new GraphBuilder('silero-voice-activity');
  let x = spectrum(graph, graph.input('frames', 'float32', ['frames', CONTEXT + FRAME]), weights);
  for (const [index, layer] of encoderLayers.entries()) x = convolution(graph, x, layer, `encoder.${index}`, weights);
  const states = recurrent(graph, graph.op('Reshape', [x, graph.ints(-1, 1, HIDDEN)]), weights);
  const active = graph.op('Relu', [graph.op('Reshape', [states, graph.ints(-1, HIDDEN)])]);
  const logits = linear(graph, active, weight(weights, 'decoder.decoder.2.weight'), {
    bias: weight(weights, 'decoder.decoder.2.bias'),
    inputs: HIDDEN,
  });
  const probabilities = graph.op('Reshape', [graph.op('Sigmoid', [logits]), graph.ints(-1)]);
  graph.output('probabilities', probabilities, 'float32', ['frames']);
  return graph.build();
}

/** Magnitudes of each frame's short-time Fourier transform, `[frames, WINDOWS, FREQUENCIES]`. */
function spectrum(graph: GraphBuilder, frames: Value, weights: ModelWeights): Value {
  const padded = graph.op('Pad', [frames, graph.ints(0, 0, 0, REFLECTED)], { mode: 'reflect' });
  const windows = Array.from({ length: WINDOWS }, (_, index) =>
    graph.op('Slice', [padded, graph.ints(index * HOP), graph.ints(index * HOP + WINDOW), graph.ints(1)]),
  );
  const rows = graph.op('Reshape', [graph.op('Concat', windows, { axis: 1 }), graph.ints(-1, WINDOW)]);
  const parts = linear(graph, rows, weight(weights, 'stft.forward_basis_buffer'), { inputs: WINDOW });
  const squares = graph.op('Reshape', [graph.op('Mul', [parts, parts]), graph.ints(-1, WINDOWS, 2, FREQUENCIES)]);
  return graph.op('Sqrt', [graph.op('ReduceSum', [squares, graph.ints(2)], { keepdims: 0 })]);
}

/**
 * A convolution of kernel 3 over the windows of each frame, `[frames, windows, channels]`. One product of all windows, each
 * concatenated with its neighbours, is faster than many small convolutions.
 */
function convolution(
  graph: GraphBuilder,
  x: Value,
  { windows, from, to, stride }: EncoderLayer,
  name: string,
  weights: ModelWeights,
): Value {
  const padded = graph.op('Pad', [x, graph.ints(0, 1, 0, 0, 1, 0)]);
  const neighbours = [0, 1, 2].map((at) =>
    graph.op('Slice', [padded, graph.ints(at), graph.ints(at + windows), graph.ints(1), graph.ints(stride)]),
  );
  const rows = graph.op('Reshape', [graph.op('Concat', neighbours, { axis: 2 }), graph.ints(-1, 3 * from)]);
  const kernel = weight(weights, `${name}.reparam_conv.weight`);
  const convolved = linear(graph, rows, byNeighbour(kernel, from), {
    bias: weight(weights, `${name}.reparam_conv.bias`),
    inputs: 3 * from,
  });
  return graph.op('Reshape', [graph.op('Relu', [convolved]), graph.ints(-1, windows / stride, to)]);
}

/** `[outputs, channels, 3]` → `[outputs, 3, channels]` */
function byNeighbour({ type, data }: Tensor, channels: number): Tensor {
  const kernel = data as Float32Array;
  const size = 3 * channels;
  const ordered = kernel.map((_, index) => {
    const place = index % size;
    return kernel[index - place + 3 * (place % channels) + Math.floor(place / channels)]!;
  });
  return { type, dims: [ordered.length / size, 3, channels], data: ordered };
}

/** @param weight `[outputs, inputs]`, in any shape */
function linear(graph: GraphBuilder, x: Value, weight: Tensor, { bias, inputs }: { bias?: Tensor; inputs: number }) {
  const matrix = { ...weight, dims: [weight.data.length / inputs, inputs] };
  return graph.op('Gemm', [x, graph.constant(matrix), ...(bias ? [graph.constant(bias)] : [])], { transB: 1 });
}

/** LSTM (Hochreiter and Schmidhuber 1997) over the frames in order. */
function recurrent(graph: GraphBuilder, x: Value, weights: ModelWeights): Value {
  const gates = (name: string, dims: readonly number[]): Tensor => ({
    type: 'float32',
    dims,
    data: inOnnxGateOrder(weight(weights, name).data as Float32Array),
  });
  const bias = ['ih', 'hh'].map((kind) => graph.constant(gates(`decoder.rnn.bias_${kind}`, [1, 4 * HIDDEN])));
  const [states, hidden, cell] = graph.ops(
    'LSTM',
    [
      x,
      graph.constant(gates('decoder.rnn.weight_ih', [1, 4 * HIDDEN, HIDDEN])),
      graph.constant(gates('decoder.rnn.weight_hh', [1, 4 * HIDDEN, HIDDEN])),
      graph.op('Concat', bias, { axis: 1 }),
      '',
      graph.input('hidden', 'float32', [1, 1, HIDDEN]),
      graph.input('cell', 'float32', [1, 1, HIDDEN]),
    ],
    3,
    { hidden_size: HIDDEN },
  ) as [Value, Value, Value];
  graph.output('hiddenNext', hidden, 'float32', [1, 1, HIDDEN]);
  graph.output('cellNext', cell, 'float32', [1, 1, HIDDEN]);
  return states;
}

/** A weight of the 16 kHz branch: the published graph has one for each sampling rate. */
function weight(weights: ModelWeights, name: string): Tensor {
  return weights.tensor(`If_0_then_branch__Inline_0__${name}`);
}
