import { float, GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { LinearOptions } from '../../../ort/graph/linear.ts';
import type { ModelWeights } from '../../../ort/graph/weights.ts';
import { decoderLayer, layerNorm, moonshineTiny, rotaryTables, rotate } from './network.ts';
import { linear, linears, quantizedMatMul } from './quantized-linear.ts';

const { layers, heads, headSize, width, vocabulary } = moonshineTiny;

/**
 * Decodes n tokens in a row of one sequence: one in a greedy step, several to check a guess.
 *
 * Inputs: `embedding` [1, n, width] of the tokens; `position` [1] of the first; `mask` [1, past], 0 for filled positions of the
 * cache, a large negative number for others; `causal_mask` [n, n], the same for the tokens among themselves; `first_new` [1], -n;
 * `end_bias` [1], added to the logit of the end token; for every layer l `past_key.l`, `past_value.l` [heads, past, headSize] and
 * `cross_key.l`, `cross_value.l` [heads, frames, headSize].
 * Outputs, of what follows each token: `token` [n], `logprob` [n], `logits` [n, vocabulary]; `attention` [n, frames], the
 * cross-attention weights, averaged over the alignment heads; `key`, `value` [layers, heads, n, headSize] to append to the cache.
 */
export function decoderGraph(
  weights: ModelWeights,
  options: LinearOptions,
  alignmentHeads: readonly (readonly [layer: number, head: number])[],
): Uint8Array {
  const graph = new GraphBuilder('moonshine-decoder');
  const embedding = graph.input('embedding', 'float32', [1, 'tokens', width]);
  const position = graph.input('position', 'int64', [1]);
  const masks: Masks = {
    past: graph.input('mask', 'float32', [1, 'past']),
    causal: graph.input('causal_mask', 'float32', ['tokens', 'tokens']),
    firstNew: graph.input('first_new', 'int64', [1]),
  };
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
    const attended = cachedAttention(graph, queryHeads, past('key'), past('value'), newKey, newValue, masks);
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
  graph.output('key', stack(graph, keys), 'float32', [layers, heads, 'tokens', headSize]);
  graph.output('value', stack(graph, values), 'float32', [layers, heads, 'tokens', headSize]);
  graph.output('attention', averageHeads(graph, attentions, alignmentHeads), 'float32', ['tokens', 'frames']);
  return graph.build();
}

const scale = headSize ** -0.5;

interface Masks {
  past: Value;
  causal: Value;
  firstNew: Value;
}

/** Attention over the cache and the new tokens. Joins scores rather than keys, which would copy the cache. */
function cachedAttention(
  graph: GraphBuilder,
  query: Value,
  pastKey: Value,
  pastValue: Value,
  key: Value,
  value: Value,
  masks: Masks,
): Value {
  const pastScores = graph.op('Add', [scores(graph, query, pastKey), masks.past]);
  const newScores = graph.op('Add', [scores(graph, query, key), masks.causal]);
  const all = graph.op('Softmax', [graph.op('Concat', [pastScores, newScores], { axis: -1 })], { axis: -1 });
  const last = graph.ints(-1);
  const ofNew = graph.op('Slice', [all, masks.firstNew, graph.ints(2 ** 31 - 1), last]);
  const ofPast = graph.op('Slice', [all, graph.ints(0), masks.firstNew, last]);
  const [past, added] = [graph.op('MatMul', [ofPast, pastValue]), graph.op('MatMul', [ofNew, value])];
  return fromHeads(graph, graph.op('Add', [past, added]));
}

function crossAttention(
  graph: GraphBuilder,
  query: Value,
  key: Value,
  value: Value,
): { output: Value; probabilities: Value } {
  const probabilities = graph.op('Softmax', [scores(graph, query, key)], { axis: -1 });
  return { output: fromHeads(graph, graph.op('MatMul', [probabilities, value])), probabilities };
}

/** Query `[heads, n, headSize]` against keys `[heads, m, headSize]`, scaled → `[heads, n, m]`. */
function scores(graph: GraphBuilder, query: Value, key: Value): Value {
  return graph.op('FusedMatMul', [query, key], { transB: 1, alpha: float(scale) });
}

/** `[1, n, width]` → `[heads, n, headSize]`. */
function toHeads(graph: GraphBuilder, x: Value): Value {
  return graph.op('Transpose', [graph.op('Reshape', [x, graph.ints(-1, heads, headSize)])], { perm: [1, 0, 2] });
}

/** `[heads, n, headSize]` → `[1, n, width]`. */
function fromHeads(graph: GraphBuilder, x: Value): Value {
  return graph.op('Reshape', [graph.op('Transpose', [x], { perm: [1, 0, 2] }), graph.ints(1, -1, width)]);
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

/** Logits: the output projection is the transposed embedding table. */
function unembed(graph: GraphBuilder, weights: ModelWeights, x: Value, options: LinearOptions): Value {
  const { weight, scale, zeroPoint } = embeddingTable(weights);
  const transposed = new Uint8Array(weight.length);
  // Row by row: sequential writes, and strided reads that fit 288 cache lines.
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

/** Reads the embedding table from the decoder's weights. */
export function embeddingTable(weights: ModelWeights): EmbeddingTable {
  const name = 'model.decoder.embed_tokens.weight_merged_0';
  return {
    weight: weights.tensor(`${name}_quantized`).data as Uint8Array,
    scale: Number(weights.tensor(`${name}_scale`).data[0]),
    zeroPoint: Number(weights.tensor(`${name}_zero_point`).data[0]),
  };
}

/** The most probable tokens and their log probabilities, so that two numbers a token can leave the graph instead of 32,768. */
function greedyChoice(graph: GraphBuilder, logits: Value, endBias: Value): void {
  const isEnd = new Float32Array(vocabulary);
  isEnd[moonshineTiny.endToken] = 1;
  const bias = graph.op('Mul', [graph.constant({ type: 'float32', dims: [vocabulary], data: isEnd }), endBias]);
  const rows = graph.op('Add', [graph.op('Reshape', [logits, graph.ints(-1, vocabulary)]), bias]);
  const axis = graph.ints(1);
  const best = graph.op('ReduceMax', [rows, axis], { keepdims: 1 });
  const sum = graph.op('ReduceSum', [graph.op('Exp', [graph.op('Sub', [rows, best])]), axis], { keepdims: 0 });
  graph.output('logits', rows, 'float32', ['tokens', vocabulary]);
  graph.output('token', graph.op('ArgMax', [rows], { axis: 1, keepdims: 0 }), 'int64', ['tokens']);
  graph.output('logprob', graph.op('Neg', [graph.op('Log', [sum])]), 'float32', ['tokens']);
}

/** The attention `[heads, n, frames]` of every layer → the mean over the alignment heads `[n, frames]`. */
function averageHeads(
  graph: GraphBuilder,
  attentions: readonly Value[],
  alignmentHeads: readonly (readonly [layer: number, head: number])[],
): Value {
  const all = graph.op('Concat', attentions, { axis: 0 });
  const indices = graph.ints(...alignmentHeads.map(([layer, head]) => layer * heads + head));
  const chosen = graph.op('Gather', [all, indices], { axis: 0 });
  return graph.op('ReduceMean', [chosen, graph.ints(0)], { keepdims: 0 });
}

function stack(graph: GraphBuilder, values: readonly Value[]): Value {
  const axis = graph.ints(0);
  return graph.op(
    'Concat',
    values.map((value) => graph.op('Unsqueeze', [value, axis])),
    { axis: 0 },
  );
}
