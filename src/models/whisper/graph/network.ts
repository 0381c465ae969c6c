import { float, GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { ExternalData } from '../../../ort/graph/external-data.ts';
import {
  floatType,
  type GraphForm,
  type KnownRows,
  LinearLayers,
  type LinearOptions,
} from '../../../ort/graph/linear.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import {
  ByteCrossAttention,
  type CrossAttention,
  type CrossAttentionShape,
  FloatCrossAttention,
} from './cross-attention.ts';
import { GpuCrossAttention } from './gpu-attention.ts';
import type { WhisperWeights } from './weights.ts';

// Whisper (Radford et al. 2022, https://arxiv.org/abs/2212.04356) as two ONNX graphs, built from the tensors of an official
// checkpoint. Activations between blocks are `[rows, width]`, a row for each position of each sequence; only attention
// distinguishes sequences.

/** A graph under construction, with its builders and weights. */
export interface Network {
  graph: GraphBuilder;
  linear: LinearLayers;
  /** The output projection; in float32 even for float16, which is too imprecise for logits. */
  logits: LinearLayers;
  weights: WhisperWeights;
  configuration: WhisperConfiguration;
  cross: CrossAttention;
  form: GraphForm;
  /** The type of activations. Inputs and outputs outside the device's memory are float32. */
  floats: ReturnType<typeof floatType>;
}

export interface GraphOptions extends LinearOptions {
  form: GraphForm;
  /** Receives the weights; the caller closes it. */
  external: ExternalData;
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
  const floats = floatType(options);
  const linear = new LinearLayers(graph, options);
  const logits = floats === 'float16' ? new LinearLayers(graph, { ...options, computeType: 'float32' }) : linear;
  return { graph, linear, logits, weights, configuration, cross: crossAttention(graph, shape, options), form, floats };
}

function crossAttention(graph: GraphBuilder, shape: CrossAttentionShape, options: GraphOptions): CrossAttention {
  if (options.form === 'gpu') return new GpuCrossAttention(graph, shape, floatType(options));
  if (options.computeType === 'int8') return new ByteCrossAttention(graph, shape, options);
  return new FloatCrossAttention(graph, shape);
}

/** The minimum of GELU, x · Φ(x), is −0.16997 at −0.7518. */
const GELU_LOWEST = -0.17;

/**
 * The feed-forward half of a block, [rows, width] → [rows, width], without its normalization and residual connection.
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
  const hidden = linear.apply(x, await weights.linear(width, hiddenWidth, { name: `${block}.fc1` }), known);
  const activated = graph.op('Gelu', [hidden]);
  const last = await weights.linear(hiddenWidth, width, { name: `${block}.fc2` });
  return linear.apply(activated, last, { ...known, lowest: GELU_LOWEST });
}

const EPSILON = float(1e-5);

/** Normalizes the channels of each row. */
export async function layerNorm(net: Network, x: Value, name: string): Promise<Value> {
  return net.graph.op('LayerNormalization', [x, ...(await scaleAndShift(net, name))], { axis: -1, epsilon: EPSILON });
}

/** `x` + `added`, if there is something to add, and its normalization; on a GPU as one operator. */
export async function addAndNorm(
  net: Network,
  x: Value,
  added: Value | undefined,
  name: string,
): Promise<{ sum: Value; normed: Value }> {
  const { graph, form } = net;
  if (added === undefined) return { sum: x, normed: await layerNorm(net, x, name) };
  if (form === 'cpu') {
    const sum = graph.op('Add', [x, added]);
    return { sum, normed: await layerNorm(net, sum, name) };
  }
  const outputs = graph.ops(
    'SkipLayerNormalization',
    [x, added, ...(await scaleAndShift(net, name))],
    [true, false, false, true],
    { epsilon: EPSILON },
  );
  return { sum: outputs[3]!, normed: outputs[0]! };
}

async function scaleAndShift({ graph, weights, configuration, floats }: Network, name: string): Promise<Value[]> {
  const { width } = configuration;
  const constant = async (part: string) =>
    graph.constant({ type: floats, dims: [width], data: await weights.read(`${name}.${part}`, [width]) });
  return [await constant('weight'), await constant('bias')];
}
