import { GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { ExternalData } from '../../../ort/graph/external-data.ts';
import type { CampplusWeights, FoldedConvolution } from '../checkpoint/weights.ts';
import { HEAD_ROWS } from '../checkpoint/weights.ts';
import { BANDS, POOLED_STRIDE } from './shapes.ts';

// CAM++ (Wang et al. 2023, https://arxiv.org/abs/2303.00332) as one ONNX graph. Everything over time is computed as images
// of height 1, for which onnxruntime has blocked kernels.

/** Dilation of the convolutions in each block. */
const DILATIONS = [1, 2, 2];

interface Context {
  graph: GraphBuilder;
  weights: CampplusWeights;
}

/**
 * The network: `features` `[pieces, 1, 80, frames]`, of mean 0 over the frames, to `embedding` `[pieces, size]`. Exact for
 * pieces of 3 to 200 frames: the published network also pools its context over stretches of 100 of its own frames, of which
 * each covers two, and the standard deviation needs two.
 */
export async function speakerGraph(weights: CampplusWeights, external?: ExternalData): Promise<Uint8Array> {
  const graph = new GraphBuilder('campplus', external);
  const context = { graph, weights };
  const { configuration } = weights;
  let x = graph.input('features', 'float32', ['pieces', 1, BANDS, 'frames']);
  x = await head(context, x);
  let channels = configuration.initialChannels;
  for (const [index, layers] of configuration.blocks.entries()) {
    x = await denseBlock(context, x, { block: index + 1, layers, channels, dilation: DILATIONS[index]! });
    channels += layers * configuration.growth;
    const isLast = index === configuration.blocks.length - 1;
    x = await transition(context, x, { block: index + 1, channels, isLast });
    channels = Math.floor(channels / 2);
  }
  const dense = await weights.folded('xvector.dense.linear', 'xvector.dense.nonlinear.batchnorm', [
    configuration.embedding,
    2 * channels,
    1,
  ]);
  const voice = convolve(graph, statistics(graph, x), dense, [configuration.embedding, 2 * channels, 1, 1]);
  const flat = graph.op('Flatten', [voice], { axis: 1 });
  graph.output('embedding', flat, 'float32', ['pieces', configuration.embedding]);
  return graph.build();
}

/** Residual convolutions over the spectrogram, then the first layer over time. */
async function head({ graph, weights }: Context, features: Value): Promise<Value> {
  const { headChannels: width, initialChannels } = weights.configuration;
  const square = [width, width, 3, 3];
  const norm = async (convolution: string, batchNorm: string, shape: number[], x: Value, stride = 1) => {
    const folded = await weights.folded(`head.${convolution}`, `head.${batchNorm}`, shape);
    return convolve(graph, x, folded, shape, { strides: [stride, 1] });
  };
  let x = graph.op('Relu', [await norm('conv1', 'bn1', [width, 1, 3, 3], features)]);
  for (const layer of ['layer1.0', 'layer1.1', 'layer2.0', 'layer2.1']) {
    const halves = layer.endsWith('.0');
    const inner = graph.op('Relu', [await norm(`${layer}.conv1`, `${layer}.bn1`, square, x, halves ? 2 : 1)]);
    const outer = await norm(`${layer}.conv2`, `${layer}.bn2`, square, inner);
    const beside = halves ? await norm(`${layer}.shortcut.0`, `${layer}.shortcut.1`, [width, width, 1, 1], x, 2) : x;
    x = graph.op('Relu', [graph.op('Add', [outer, beside])]);
  }
  x = graph.op('Relu', [await norm('conv2', 'bn2', square, x, 2)]);
  // The published layer runs over channels and rows flattened: a kernel as high as the image is the same.
  const folded = await weights.folded('xvector.tdnn.linear', 'xvector.tdnn.nonlinear.batchnorm', [
    initialChannels,
    width * HEAD_ROWS,
    5,
  ]);
  const shape = [initialChannels, width, HEAD_ROWS, 5];
  const first = convolve(graph, x, folded, shape, { strides: [1, POOLED_STRIDE], pads: [0, 2, 0, 2] });
  return graph.op('Relu', [first]);
}

/** Layers that each add channels to those before (Huang et al. 2017, https://arxiv.org/abs/1608.06993). */
async function denseBlock(
  { graph, weights }: Context,
  x: Value,
  { block, layers, channels, dilation }: { block: number; layers: number; channels: number; dilation: number },
): Promise<Value> {
  const { growth, bottleneck } = weights.configuration;
  for (let layer = 0; layer < layers; layer++) {
    const name = `xvector.block${block}.tdnnd${layer + 1}`;
    const inputs = channels + layer * growth;
    const active = await normRelu({ graph, weights }, x, `${name}.nonlinear1.batchnorm`, inputs);
    const folded = await weights.folded(`${name}.linear1`, `${name}.nonlinear2.batchnorm`, [bottleneck, inputs, 1]);
    const inner = graph.op('Relu', [convolve(graph, active, folded, [bottleneck, inputs, 1, 1])]);
    const added = await maskedConvolution({ graph, weights }, inner, `${name}.cam_layer`, dilation);
    x = graph.op('Concat', [x, added], { axis: 1 });
  }
  return x;
}

/** A convolution whose channels are weighted by the context of the piece: context-aware masking. */
async function maskedConvolution(
  { graph, weights }: Context,
  x: Value,
  name: string,
  dilation: number,
): Promise<Value> {
  const { growth, bottleneck } = weights.configuration;
  const half = Math.floor(bottleneck / 2);
  const local = await weights.read(`${name}.linear_local.weight`, [growth, bottleneck, 3]);
  const convolved = graph.op(
    'Conv',
    [x, graph.constant({ type: 'float32', dims: [growth, bottleneck, 1, 3], data: local })],
    { kernel_shape: [1, 3], dilations: [1, dilation], pads: [0, dilation, 0, dilation] },
  );
  // The context is the mean of the piece plus the mean of each 100 frames, of which a piece has no more: twice the mean.
  const narrow = await weights.read(`${name}.linear1.weight`, [half, bottleneck, 1]);
  const context = convolve(
    graph,
    graph.op('GlobalAveragePool', [x]),
    { kernel: narrow.map((value) => 2 * value), bias: await weights.read(`${name}.linear1.bias`, [half]) },
    [half, bottleneck, 1, 1],
  );
  const wide = {
    kernel: await weights.read(`${name}.linear2.weight`, [growth, half, 1]),
    bias: await weights.read(`${name}.linear2.bias`, [growth]),
  };
  const mask = graph.op('Sigmoid', [convolve(graph, graph.op('Relu', [context]), wide, [growth, half, 1, 1])]);
  return graph.op('Mul', [convolved, mask]);
}

/** Halves the channels. The last one is followed by a norm, which is folded into it. */
async function transition(
  { graph, weights }: Context,
  x: Value,
  { block, channels, isLast }: { block: number; channels: number; isLast: boolean },
): Promise<Value> {
  const name = `xvector.transit${block}`;
  const outputs = Math.floor(channels / 2);
  const active = await normRelu({ graph, weights }, x, `${name}.nonlinear.batchnorm`, channels);
  const shape = [outputs, channels, 1];
  if (isLast) {
    const folded = await weights.folded(`${name}.linear`, 'xvector.out_nonlinear.batchnorm', shape);
    return graph.op('Relu', [convolve(graph, active, folded, [...shape, 1])]);
  }
  const kernel = await weights.read(`${name}.linear.weight`, shape);
  return graph.op('Conv', [active, graph.constant({ type: 'float32', dims: [...shape, 1], data: kernel })]);
}

async function normRelu({ graph, weights }: Context, x: Value, name: string, channels: number): Promise<Value> {
  const { scale, shift } = await weights.batchNorm(name, channels);
  const constant = (data: Float32Array) => graph.constant({ type: 'float32', dims: [channels], data });
  const zero = constant(new Float32Array(channels));
  const one = constant(new Float32Array(channels).fill(1));
  return graph.op('Relu', [
    graph.op('BatchNormalization', [x, constant(scale), constant(shift), zero, one], { epsilon: { float: 0 } }),
  ]);
}

/** Mean and unbiased standard deviation over time, `[pieces, 2 · channels, 1, 1]`. */
function statistics(graph: GraphBuilder, x: Value): Value {
  const time = graph.ints(3);
  const mean = graph.op('ReduceMean', [x, time]);
  const squares = graph.op('ReduceSumSquare', [graph.op('Sub', [x, mean]), time]);
  const frames = graph.op('Cast', [graph.op('Shape', [x], { start: 3, end: 4 })], { to: 1 });
  const variance = graph.op('Div', [squares, graph.op('Sub', [frames, graph.scalar(1)])]);
  return graph.op('Concat', [mean, graph.op('Sqrt', [variance])], { axis: 1 });
}

function convolve(
  graph: GraphBuilder,
  x: Value,
  { kernel, bias }: FoldedConvolution,
  shape: readonly number[],
  { strides = [1, 1], pads }: { strides?: readonly number[]; pads?: readonly number[] } = {},
): Value {
  const [outputs, , height, width] = shape as [number, number, number, number];
  const rows = (height - 1) / 2;
  const columns = (width - 1) / 2;
  return graph.op(
    'Conv',
    [
      x,
      graph.constant({ type: 'float32', dims: shape, data: kernel }),
      graph.constant({ type: 'float32', dims: [outputs], data: bias }),
    ],
    { kernel_shape: [height, width], strides, pads: pads ?? [rows, columns, rows, columns] },
  );
}
