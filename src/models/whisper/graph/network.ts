import { float, GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { ExternalData } from '../../../ort/graph/external-data.ts';
import { type KnownRows, LinearLayers, type LinearOptions } from '../../../ort/graph/linear.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { ByteCrossAttention, type CrossAttention, FloatCrossAttention } from './cross-attention.ts';
import { GpuCrossAttention } from './gpu-attention.ts';
import type { WhisperWeights } from './weights.ts';

// Whisper (Radford et al. 2022, https://arxiv.org/abs/2212.04356) as two ONNX graphs, built from the tensors of an official
// checkpoint. Activations between blocks are `[rows, width]`, a row for each position of each sequence; only attention tells
// sequences apart.

/** A graph under construction, and what it is built from. */
export interface Network {
  graph: GraphBuilder;
  linear: LinearLayers;
  weights: WhisperWeights;
  configuration: WhisperConfiguration;
  cross: CrossAttention;
  form: GraphForm;
}

/**
 * `cpu`: work goes in parts that fit a core's cache, and the KV cache is written outside the graph. `gpu`: whole windows at
 * once, by operators that onnxruntime has WebGPU kernels for, with keys and values as outputs that stay on the device.
 */
export type GraphForm = 'cpu' | 'gpu';

export interface GraphOptions extends LinearOptions {
  form: GraphForm;
  /** Receives the weights; the caller closes it. */
  external: ExternalData;
}

/** Byte cross-attention multiplies unsigned by signed bytes, which only dot-product instructions do without saturating. */
export function attendsInBytes({ computeType, signedWeights }: LinearOptions): boolean {
  return computeType === 'int8' && signedWeights;
}

/** An empty graph. */
export function network(
  name: string,
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  options: GraphOptions,
): Network {
  const graph = new GraphBuilder(name, options.external);
  const { decoderHeads: heads, width } = configuration;
  const shape = { heads, headSize: width / heads };
  const { form } = options;
  const FloatForm = form === 'gpu' ? GpuCrossAttention : FloatCrossAttention;
  const cross = attendsInBytes(options) ? new ByteCrossAttention(graph, shape) : new FloatForm(graph, shape);
  return { graph, linear: new LinearLayers(graph, options), weights, configuration, cross, form };
}

/** The minimum of GELU, x · Φ(x), is −0.16997 at −0.7518. */
const GELU_LOWEST = -0.17;

/**
 * The feed-forward half of a block, [rows, width] → [rows, width], without its residual connection.
 * @param hiddenWidth channels between its two linear layers
 */
export async function feedForward(
  net: Network,
  x: Value,
  block: string,
  hiddenWidth: number,
  known: KnownRows = {},
): Promise<Value> {
  const { graph, linear, weights, configuration } = net;
  const { width } = configuration;
  const normed = await layerNorm(net, x, `${block}.final_layer_norm`);
  const hidden = linear.apply(normed, await weights.linear(width, hiddenWidth, { name: `${block}.fc1` }), known);
  const activated = graph.op('Gelu', [hidden]);
  const last = await weights.linear(hiddenWidth, width, { name: `${block}.fc2` });
  return linear.apply(activated, last, { ...known, lowest: GELU_LOWEST });
}

/** Normalizes the channels of each row. */
export async function layerNorm({ graph, weights, configuration }: Network, x: Value, name: string): Promise<Value> {
  const { width } = configuration;
  const constant = async (part: string) =>
    graph.constant({ type: 'float32', dims: [width], data: await weights.read(`${name}.${part}`, [width]) });
  return graph.op('LayerNormalization', [x, await constant('weight'), await constant('bias')], {
    axis: -1,
    epsilon: float(1e-5),
  });
}
