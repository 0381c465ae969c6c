import { float, GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { LinearOptions } from '../../../ort/graph/linear.ts';
import type { ModelWeights } from '../../../ort/graph/weights.ts';
import { joinColumns, linear, linears, quantizedMatMul, quantizedWeight } from './quantized-linear.ts';

// Moonshine tiny (Jeffries et al. 2024, https://arxiv.org/abs/2410.15608) as two graphs of our own, from the weights of
// the export that ships in npm. That export spends most of a decoding step on dequantizing the whole embedding table and
// on reshaping the caches; these graphs compute the same tokens, a step in about a third of the time (docs/benchmarks.md).

/** The model's sizes and special tokens, which its files do not state. */
export const moonshineTiny = {
  layers: 6,
  heads: 8,
  headSize: 36,
  width: 288,
  vocabulary: 32768,
  /** Leading channels of each head that rotary position embedding turns. */
  rotaryChannels: 32,
  rotaryBase: 10000,
  /** Samples from one encoder frame to the next: the strides of the three convolutions. */
  frameStride: 64 * 3 * 2,
  beginToken: 1,
  endToken: 2,
} as const;

const { layers, heads, headSize, width, vocabulary, rotaryChannels } = moonshineTiny;
/** Longest sequence that the rotary tables cover: 49 s of encoder frames, far more than any transcript of them. */
const MAX_POSITIONS = 2048;

/**
 * The audio encoder, and what of the decoder depends on the audio alone.
 *
 * Input: `audio` [1, samples], at 16 kHz.
 * Outputs: `cross_keys`, `cross_values` [layers, heads, frames, headSize] of the decoder's cross-attention.
 * @param decoder weights of the decoder, for its projections of the encoder's states
 */
export function encoderGraph(encoder: ModelWeights, decoder: ModelWeights, options: LinearOptions): Uint8Array {
  const graph = new GraphBuilder('moonshine-encoder');
  const audio = graph.input('audio', 'float32', [1, 'samples']);
  const rotary = rotaryTables(graph);
  const start = graph.ints(0);
  let x = convolutionStem(graph, encoder, audio);
  for (let layer = 0; layer < layers; layer++) {
    const name = `/layers.${layer}`;
    const normed = layerNorm(graph, encoder, x, `layers.${layer}.input_layernorm.weight`);
    const [query, key, value] = linears(graph, encoder, normed, options, [
      `${name}/self_attn/q_proj/MatMul`,
      `${name}/self_attn/k_proj/MatMul`,
      `${name}/self_attn/v_proj/MatMul`,
    ]) as [Value, Value, Value];
    const attended = graph.op(
      'MultiHeadAttention',
      [rotate(graph, query, start, rotary), rotate(graph, key, start, rotary), value],
      { num_heads: heads },
    );
    x = graph.op('Add', [x, linear(graph, encoder, attended, options, `${name}/self_attn/dense/MatMul`)]);
    const hidden = linear(
      graph,
      encoder,
      layerNorm(graph, encoder, x, `layers.${layer}.post_attention_layernorm.weight`),
      options,
      `${name}/mlp/fc1/MatMul`,
      `layers.${layer}.mlp.fc1.bias`,
    );
    const activated = graph.op('Gelu', [hidden]);
    const contracted = linear(
      graph,
      encoder,
      activated,
      options,
      `${name}/mlp/fc2/MatMul`,
      `layers.${layer}.mlp.fc2.bias`,
    );
    x = graph.op('Add', [x, contracted]);
  }
  const states = layerNorm(graph, encoder, x, 'layer_norm.weight');
  crossAttentionCache(graph, decoder, states, options);
  return graph.build();
}

/** The three strided convolutions; as 2-D ones with a height of 1, for which onnxruntime has its blocked kernels. */
function convolutionStem(graph: GraphBuilder, weights: ModelWeights, audio: Value): Value {
  const image = graph.op('Reshape', [audio, graph.ints(1, 1, 1, -1)]);
  const first = graph.op('Tanh', [convolution(graph, weights, image, 'conv1', 64)]);
  // One group over channels and time: an instance norm of the flattened tensor.
  const flat = graph.op('Reshape', [first, graph.ints(1, 1, -1)]);
  const one = graph.constant({ type: 'float32', dims: [1], data: Float32Array.of(1) });
  const zero = graph.constant({ type: 'float32', dims: [1], data: Float32Array.of(0) });
  const normed = graph.op('InstanceNormalization', [flat, one, zero], { epsilon: float(1e-5) });
  const restored = graph.op('Reshape', [normed, graph.ints(1, width, 1, -1)]);
  const [, scale] = weights.inputsOf('/groupnorm/Mul') as [string, string];
  const [, shift] = weights.inputsOf('/groupnorm/Add') as [string, string];
  const perChannel = (name: string) => graph.constant({ ...weights.tensor(name), dims: [1, width, 1, 1] });
  const scaled = graph.op('Add', [graph.op('Mul', [restored, perChannel(scale)]), perChannel(shift)]);
  const second = graph.op('Gelu', [convolution(graph, weights, scaled, 'conv2', 3)]);
  const third = graph.op('Gelu', [convolution(graph, weights, second, 'conv3', 2)]);
  const sequence = graph.op('Reshape', [third, graph.ints(1, width, -1)]);
  return graph.op('Transpose', [sequence], { perm: [0, 2, 1] });
}

function convolution(graph: GraphBuilder, weights: ModelWeights, x: Value, name: string, stride: number): Value {
  const { dims, data } = weights.tensor(`${name}.weight_quantized`);
  const [scale] = weights.tensor(`${name}.weight_scale`).data as Float32Array;
  const [offset] = weights.tensor(`${name}.weight_zero_point`).data as Float32Array;
  const kernel = Float32Array.from(data as Int8Array, (value) => value * scale! + offset!);
  const [channelsOut, channelsIn, size] = dims as [number, number, number];
  const inputs = [x, graph.constant({ type: 'float32', dims: [channelsOut, channelsIn, 1, size], data: kernel })];
  if (weights.has(`${name}.bias`)) inputs.push(graph.constant(weights.tensor(`${name}.bias`)));
  return graph.op('Conv', inputs, { kernel_shape: [1, size], strides: [1, stride] });
}

/** Keys and values of all layers from the encoder states, computed once a window. */
function crossAttentionCache(graph: GraphBuilder, weights: ModelWeights, states: Value, options: LinearOptions): void {
  for (const [output, projection] of [
    ['cross_keys', 'k_proj'],
    ['cross_values', 'v_proj'],
  ] as const) {
    const names = Array.from(
      { length: layers },
      (_, layer) => `${decoderLayer(layer)}/encoder_attn/${projection}/MatMul`,
    );
    const joined = quantizedMatMul(
      graph,
      states,
      joinColumns(names.map((name) => quantizedWeight(weights, name))),
      options,
    );
    const split = graph.op('Reshape', [joined, graph.ints(-1, layers, heads, headSize)]);
    const stacked = graph.op('Transpose', [split], { perm: [1, 2, 0, 3] });
    graph.output(output, stacked, 'float32', [layers, heads, 'frames', headSize]);
  }
}

/**
 * One greedy decoding step for one sequence.
 *
 * Inputs: `embedding` [1, 1, width] of the last token; `position` [1]; `mask` [1, past], 0 where the cache is filled and
 * a large negative number elsewhere; `end_bias` [1], added to the logit of the end token; for every layer l `past_key.l`,
 * `past_value.l` [heads, past, headSize] and `cross_key.l`, `cross_value.l` [heads, frames, headSize].
 * Outputs: `token` [1], `logprob` [1]; `key`, `value` [layers, heads, 1, headSize] to be appended to the cache;
 * `attention` [frames], the cross-attention weights, averaged over the alignment heads.
 */
export function decoderGraph(
  weights: ModelWeights,
  options: LinearOptions,
  alignmentHeads: readonly (readonly [layer: number, head: number])[],
): Uint8Array {
  const graph = new GraphBuilder('moonshine-decoder');
  const embedding = graph.input('embedding', 'float32', [1, 1, width]);
  const position = graph.input('position', 'int64', [1]);
  const mask = graph.input('mask', 'float32', [1, 'past']);
  const rotary = rotaryTables(graph);
  const keys: Value[] = [];
  const values: Value[] = [];
  const attentions: Value[] = [];
  let x = embedding;
  for (let layer = 0; layer < layers; layer++) {
    const past = (kind: string) => graph.input(`past_${kind}.${layer}`, 'float32', [heads, 'past', headSize]);
    const cross = (kind: string) => graph.input(`cross_${kind}.${layer}`, 'float32', [heads, 'frames', headSize]);
    const norm = (x: Value, name: string) =>
      layerNorm(graph, weights, x, `model.decoder.layers.${layer}.${name}.weight_merged_0`);
    const name = decoderLayer(layer);

    const [query, key, value] = linears(graph, weights, norm(x, 'input_layernorm'), options, [
      `${name}/self_attn/q_proj/MatMul`,
      `${name}/self_attn/k_proj/MatMul`,
      `${name}/self_attn/v_proj/MatMul`,
    ]) as [Value, Value, Value];
    const newKey = toHeads(graph, rotate(graph, key, position, rotary));
    const newValue = toHeads(graph, value);
    keys.push(newKey);
    values.push(newValue);
    const queryHeads = toHeads(graph, rotate(graph, query, position, rotary));
    const attended = cachedAttention(graph, queryHeads, past('key'), past('value'), newKey, newValue, mask);
    x = graph.op('Add', [x, linear(graph, weights, attended, options, `${name}/self_attn/dense/MatMul`)]);

    const crossQuery = linear(
      graph,
      weights,
      norm(x, 'post_attention_layernorm'),
      options,
      `${name}/encoder_attn/q_proj/MatMul`,
    );
    const { output, probabilities } = crossAttention(graph, toHeads(graph, crossQuery), cross('key'), cross('value'));
    attentions.push(probabilities);
    x = graph.op('Add', [x, linear(graph, weights, output, options, `${name}/encoder_attn/dense/MatMul`)]);

    x = graph.op('Add', [x, gatedFeedForward(graph, weights, norm(x, 'final_layernorm'), options, layer)]);
  }
  const logits = unembed(graph, weights, layerNorm(graph, weights, x, 'model.decoder.norm.weight_merged_0'), options);
  greedyChoice(graph, logits, graph.input('end_bias', 'float32', [1]));
  graph.output('key', stack(graph, keys), 'float32', [layers, heads, 1, headSize]);
  graph.output('value', stack(graph, values), 'float32', [layers, heads, 1, headSize]);
  graph.output('attention', averageHeads(graph, attentions, alignmentHeads), 'float32', ['frames']);
  return graph.build();
}

const scale = headSize ** -0.5;

/** Attention over the cache and the new token. The scores are joined rather than the keys, which would copy the cache. */
function cachedAttention(
  graph: GraphBuilder,
  query: Value,
  pastKey: Value,
  pastValue: Value,
  key: Value,
  value: Value,
  mask: Value,
): Value {
  const pastScores = graph.op('Add', [scores(graph, query, pastKey), mask]);
  const all = graph.op('Softmax', [graph.op('Concat', [pastScores, scores(graph, query, key)], { axis: -1 })], {
    axis: -1,
  });
  const last = graph.op('Slice', [all, graph.ints(-1), graph.ints(2 ** 31 - 1), graph.ints(-1)]);
  const past = graph.op('Slice', [all, graph.ints(0), graph.ints(-1), graph.ints(-1)]);
  const output = graph.op('Add', [graph.op('MatMul', [past, pastValue]), graph.op('Mul', [last, value])]);
  return graph.op('Reshape', [output, graph.ints(1, 1, width)]);
}

function crossAttention(
  graph: GraphBuilder,
  query: Value,
  key: Value,
  value: Value,
): { output: Value; probabilities: Value } {
  const probabilities = graph.op('Softmax', [scores(graph, query, key)], { axis: -1 });
  const output = graph.op('Reshape', [graph.op('MatMul', [probabilities, value]), graph.ints(1, 1, width)]);
  return { output, probabilities };
}

/** Query `[heads, 1, headSize]` against keys `[heads, n, headSize]`, scaled → `[heads, 1, n]`. */
function scores(graph: GraphBuilder, query: Value, key: Value): Value {
  return graph.op('FusedMatMul', [query, key], { transB: 1, alpha: float(scale) });
}

/** `[1, 1, width]` → `[heads, 1, headSize]`; one position, so that no data moves. */
function toHeads(graph: GraphBuilder, x: Value): Value {
  return graph.op('Reshape', [x, graph.ints(heads, 1, headSize)]);
}

/** up → (value, gate) → value · SiLU(gate) → down (Shazeer 2020, https://arxiv.org/abs/2002.05202). */
function gatedFeedForward(
  graph: GraphBuilder,
  weights: ModelWeights,
  x: Value,
  options: LinearOptions,
  layer: number,
): Value {
  const name = `${decoderLayer(layer)}/mlp`;
  const bias = (projection: string) => `model.decoder.layers.${layer}.mlp.${projection}.bias_merged_0`;
  const expanded = linear(graph, weights, x, options, `${name}/up_proj/MatMul`, bias('up_proj'));
  const [value, gate] = graph.ops('Split', [expanded], 2, { axis: -1, num_outputs: 2 }) as [Value, Value];
  const gated = graph.op('Mul', [value, graph.op('Mul', [gate, graph.op('Sigmoid', [gate])])]);
  return linear(graph, weights, gated, options, `${name}/down_proj/MatMul`, bias('down_proj'));
}

/** Logits against the transposed embedding table. */
function unembed(graph: GraphBuilder, weights: ModelWeights, x: Value, options: LinearOptions): Value {
  const { weight, scale, zeroPoint } = embeddingTable(weights);
  const transposed = new Uint8Array(weight.length);
  // A row of the result at a time: sequential writes, and reads whose stride stays within the cache of 288 lines.
  for (let channel = 0, to = 0; channel < width; channel++) {
    for (let from = channel; from < weight.length; from += width) transposed[to++] = weight[from]!;
  }
  const quantized = { rows: width, columns: vocabulary, weight: transposed, scales: [scale], zeroPoints: [zeroPoint] };
  return quantizedMatMul(graph, x, quantized, options);
}

/** The embedding table: value = (weight − zeroPoint) · scale. */
export interface EmbeddingTable {
  /** `[vocabulary, width]` */
  weight: Uint8Array;
  scale: number;
  zeroPoint: number;
}

/** Reads the table of the tokens from the weights of the decoder. */
export function embeddingTable(weights: ModelWeights): EmbeddingTable {
  const name = 'model.decoder.embed_tokens.weight_merged_0';
  return {
    weight: weights.tensor(`${name}_quantized`).data as Uint8Array,
    scale: Number(weights.tensor(`${name}_scale`).data[0]),
    zeroPoint: Number(weights.tensor(`${name}_zero_point`).data[0]),
  };
}

/** The most probable token and its log probability: two numbers leave the graph instead of 32,768. */
function greedyChoice(graph: GraphBuilder, logits: Value, endBias: Value): void {
  const isEnd = new Float32Array(vocabulary);
  isEnd[moonshineTiny.endToken] = 1;
  const bias = graph.op('Mul', [graph.constant({ type: 'float32', dims: [vocabulary], data: isEnd }), endBias]);
  const flat = graph.op('Add', [graph.op('Reshape', [logits, graph.ints(vocabulary)]), bias]);
  const axis = graph.ints(0);
  const best = graph.op('ReduceMax', [flat, axis], { keepdims: 1 });
  const sum = graph.op('ReduceSum', [graph.op('Exp', [graph.op('Sub', [flat, best])]), axis], { keepdims: 1 });
  graph.output('token', graph.op('ArgMax', [flat], { axis: 0, keepdims: 1 }), 'int64', [1]);
  graph.output('logprob', graph.op('Neg', [graph.op('Log', [sum])]), 'float32', [1]);
}

function averageHeads(
  graph: GraphBuilder,
  attentions: readonly Value[],
  alignmentHeads: readonly (readonly [layer: number, head: number])[],
): Value {
  const all = graph.op('Concat', attentions, { axis: 0 });
  const indices = graph.ints(...alignmentHeads.map(([layer, head]) => layer * heads + head));
  const chosen = graph.op('Gather', [all, indices], { axis: 0 });
  return graph.op('ReduceMean', [chosen, graph.ints(0, 1)], { keepdims: 0 });
}

function stack(graph: GraphBuilder, values: readonly Value[]): Value {
  const axis = graph.ints(0);
  return graph.op(
    'Concat',
    values.map((value) => graph.op('Unsqueeze', [value, axis])),
    { axis: 0 },
  );
}

function layerNorm(graph: GraphBuilder, weights: ModelWeights, x: Value, weight: string): Value {
  return graph.op('LayerNormalization', [x, graph.constant(weights.tensor(weight))], {
    axis: -1,
    epsilon: float(1e-5),
  });
}

/** Rotary position embedding (Su et al. 2021, https://arxiv.org/abs/2104.09864) over neighbouring channels. */
function rotate(graph: GraphBuilder, x: Value, start: Value, tables: { cos: Value; sin: Value }): Value {
  return graph.op('RotaryEmbedding', [x, start, tables.cos, tables.sin], {
    interleaved: 1,
    num_heads: heads,
    rotary_embedding_dim: rotaryChannels,
  });
}

function rotaryTables(graph: GraphBuilder): { cos: Value; sin: Value } {
  const pairs = rotaryChannels / 2;
  const table = (of: (angle: number) => number) => {
    const data = new Float32Array(MAX_POSITIONS * pairs);
    for (let index = 0; index < data.length; index++) {
      const frequency = moonshineTiny.rotaryBase ** (-(index % pairs) / pairs);
      data[index] = of(Math.floor(index / pairs) * frequency);
    }
    return graph.constant({ type: 'float32', dims: [MAX_POSITIONS, pairs], data });
  };
  return { cos: table(Math.cos), sin: table(Math.sin) };
}

const decoderLayer = (layer: number) => `/model/decoder/layers.${layer}`;
