import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';
import { toActivations } from './activations.ts';
import type { CrossAttention, CrossAttentionShape } from './cross-attention.ts';
import type { Network } from './network.ts';

// Attention by operators that onnxruntime has WebGPU kernels for. Keys and values stay on the device: graphs
// return them as outputs that the next run takes as inputs.

/** Audios of one run have the same number of positions. */
const POSITIONS = 'audio positions';

/** Dimensions of one audio's keys and values. */
export function crossDims({ heads, headSize }: CrossAttentionShape): Record<'key' | 'value', (string | number)[]> {
  return { key: [heads, headSize, POSITIONS], value: [heads, POSITIONS, headSize] };
}

/** Cross-attention over keys `[audios, heads, headSize, positions]` and values `[audios, heads, positions, headSize]`. */
export class GpuCrossAttention implements CrossAttention {
  readonly #graph: GraphBuilder;
  readonly #floats: Network['floats'];
  readonly #dims: Record<'key' | 'value', (string | number)[]>;

  constructor(graph: GraphBuilder, shape: CrossAttentionShape, floats: Network['floats']) {
    this.#graph = graph;
    this.#floats = floats;
    const { key, value } = crossDims(shape);
    this.#dims = { key: ['audios', ...key], value: ['audios', ...value] };
  }

  write(layer: number, key: Value, value: Value): void {
    const graph = this.#graph;
    const keys = graph.op('Transpose', [key], { perm: [0, 2, 3, 1] });
    const values = graph.op('Transpose', [value], { perm: [0, 2, 1, 3] });
    graph.output(`cross_key.${layer}`, keys, this.#floats, this.#dims.key);
    graph.output(`cross_value.${layer}`, values, this.#floats, this.#dims.value);
  }

  attend(layer: number, query: Value): { attended: Value; probabilities: Value } {
    const graph = this.#graph;
    const key = graph.input(`cross_key.${layer}`, this.#floats, this.#dims.key);
    const value = graph.input(`cross_value.${layer}`, this.#floats, this.#dims.value);
    const byHead = graph.op('Transpose', [query], { perm: [0, 2, 1, 3] });
    const probabilities = graph.op('Softmax', [graph.op('MatMul', [byHead, key])], { axis: -1 });
    const attended = graph.op('MatMul', [probabilities, value]);
    return { attended: graph.op('Transpose', [attended], { perm: [0, 2, 1, 3] }), probabilities };
  }
}

/** The decoder graph's inputs for its KV cache on the device. */
export interface GpuCache {
  /** `[streams, 1, tokens, capacity]`: 1 at the position of the cache that a token goes to, 0 elsewhere. */
  places: Value;
  /** `[streams, 1, capacity, tokens]`: the same, transposed. */
  placesByPosition: Value;
}

/** Adds the input `places` [streams, 1, tokens, capacity]. */
export function gpuCache(net: Network): GpuCache {
  const { graph } = net;
  const places = toActivations(net, graph.input('places', 'float32', ['streams', 1, 'tokens', 'capacity']));
  return { places, placesByPosition: graph.op('Transpose', [places], { perm: [0, 1, 3, 2] }) };
}

/**
 * Self-attention over a KV cache of fixed capacity, of which unused positions are 0 and masked. Inputs for layer l:
 * `past_key.l` [streams, heads, headSize, capacity], `past_value.l` [streams, heads, capacity, headSize].
 * Outputs: `present_key.l`, `present_value.l`, the same with the new tokens. A product with `places` writes them: it is exact,
 * and its shapes do not change from step to step.
 * @param joined query, key and value side by side, `[rows, 3 · width]`; the query is scaled
 * @param options.byStream the shape `[streams, tokens, 3, heads, headSize]`
 * @param options.mask `[streams, 1, tokens, capacity]`, added to scores
 * @returns `[streams, heads, tokens, headSize]`
 */
export function gpuSelfAttention(
  { graph, configuration, floats }: Network,
  layer: number,
  joined: Value,
  { byStream, cache, mask }: { byStream: Value; cache: GpuCache; mask: Value },
): Value {
  const { width, decoderHeads, textPositions } = configuration;
  const headSize = width / decoderHeads;
  const dims = {
    key: [decoderHeads, headSize, textPositions],
    value: [decoderHeads, textPositions, headSize],
  };
  const extend = (kind: 'key' | 'value', added: Value) => {
    const past = graph.input(`past_${kind}.${layer}`, floats, ['streams', ...dims[kind]]);
    const extended = graph.op('Add', [past, added]);
    graph.output(`present_${kind}.${layer}`, extended, floats, ['streams', ...dims[kind]]);
    return extended;
  };
  const byKind = graph.op('Transpose', [graph.op('Reshape', [joined, byStream])], { perm: [2, 0, 3, 1, 4] });
  const parts = graph.ops('Split', [byKind], 3, { axis: 0, num_outputs: 3 });
  // [streams, heads, tokens, headSize]
  const [query, key, value] = parts.map((part) => graph.op('Squeeze', [part, graph.ints(0)])) as [Value, Value, Value];
  const newKeys = graph.op('Transpose', [key], { perm: [0, 1, 3, 2] });
  const keys = extend('key', graph.op('MatMul', [newKeys, cache.places]));
  const values = extend('value', graph.op('MatMul', [cache.placesByPosition, value]));
  const scores = graph.op('Add', [graph.op('MatMul', [query, keys]), mask]);
  return graph.op('MatMul', [graph.op('Softmax', [scores], { axis: -1 }), values]);
}

/**
 * Self-attention of the encoder. In single operators: onnxruntime's flash attention for WebGPU shuffles values between more
 * threads than a subgroup may have, and its results are wrong where subgroups are small.
 * @param sequences query, key and value, `[audios, positions, width]` each
 * @returns `[audios, positions, width]`
 */
export function gpuEncoderAttention({ graph, configuration, floats }: Network, sequences: readonly Value[]): Value {
  const { width, encoderHeads } = configuration;
  const headSize = width / encoderHeads;
  const shape = graph.ints(0, 0, encoderHeads, headSize);
  const [query, key, value] = sequences.map((x) => graph.op('Reshape', [x, shape])) as [Value, Value, Value];
  const scale = graph.constant({ type: floats, dims: [], data: Float32Array.of(headSize ** -0.5) });
  const scaled = graph.op('Mul', [query, scale]);
  const rows = (x: Value) => graph.op('Transpose', [x], { perm: [0, 2, 1, 3] });
  const scores = graph.op('MatMul', [rows(scaled), graph.op('Transpose', [key], { perm: [0, 2, 3, 1] })]);
  const attended = graph.op('MatMul', [graph.op('Softmax', [scores], { axis: -1 }), rows(value)]);
  return graph.op('Reshape', [rows(attended), graph.ints(0, 0, width)]);
}
