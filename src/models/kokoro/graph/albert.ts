import type { Value } from '../../../ort/graph/builder.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import type { Layers } from './layers.ts';

/** Epsilon of ALBERT's layer norms. */
const EPSILON = 1e-12;

/**
 * ALBERT (Lan et al. 2019, https://arxiv.org/abs/1909.11942) over phonemes: one transformer layer, applied repeatedly.
 * @param tokens `[n]`
 * @returns `[n, albert.width]`
 */
export function albert(layers: Layers, tokens: Value, { albert, vocabulary }: KokoroConfiguration): Value {
  const { graph, weights } = layers;
  const { width, embedding, heads, feedForward, positions } = albert;
  const table = (name: string, rows: number) =>
    weights.read(`bert.embeddings.${name}_embeddings.weight`, [rows, embedding]);
  const positionTable = table('position', positions);
  // All tokens have the first of BERT's two types.
  const type = table('token_type', 2);
  for (let index = 0; index < positionTable.length; index++) positionTable[index]! += type[index % embedding]!;
  const words = graph.constant({ type: 'float32', dims: [vocabulary, embedding], data: table('word', vocabulary) });
  const positionRows = graph.constant({ type: 'float32', dims: [positions, embedding], data: positionTable });
  const count = graph.op('Shape', [tokens]);
  const sum = graph.op('Add', [
    graph.op('Gather', [words, tokens], { axis: 0 }),
    graph.op('Slice', [positionRows, graph.ints(0), count, graph.ints(0)]),
  ]);
  const norm = (name: string): [string, string] => [`${name}.weight`, `${name}.bias`];
  const embedded = layers.layerNorm(sum, embedding, norm('bert.embeddings.LayerNorm'), EPSILON);
  let x = layers.linear(embedded, 'bert.encoder.embedding_hidden_mapping_in', embedding, width);

  const name = 'bert.encoder.albert_layer_groups.0.albert_layers.0';
  // All applications of the layer share its constants.
  const query = linear(layers, `${name}.attention.query`, width, width);
  const key = linear(layers, `${name}.attention.key`, width, width);
  const value = linear(layers, `${name}.attention.value`, width, width);
  const dense = linear(layers, `${name}.attention.dense`, width, width);
  const expand = linear(layers, `${name}.ffn`, width, feedForward);
  const contract = linear(layers, `${name}.ffn_output`, feedForward, width);
  const batched = (x: Value) => graph.op('Reshape', [x, graph.ints(1, -1, width)]);
  for (let layer = 0; layer < albert.layers; layer++) {
    const inputs = [query(x), key(x), value(x)].map(batched);
    const attended = graph.op('MultiHeadAttention', inputs, { num_heads: heads });
    const mixed = dense(graph.op('Reshape', [attended, graph.ints(-1, width)]));
    x = layers.layerNorm(graph.op('Add', [x, mixed]), width, norm(`${name}.attention.LayerNorm`), EPSILON);
    const contracted = contract(graph.op('FastGelu', [expand(x)]));
    x = layers.layerNorm(graph.op('Add', [contracted, x]), width, norm(`${name}.full_layer_layer_norm`), EPSILON);
  }
  return x;
}

function linear({ graph, weights }: Layers, name: string, inputs: number, outputs: number) {
  const dims = [outputs, inputs];
  const weight = graph.constant({ type: 'float32', dims, data: weights.read(`${name}.weight`, dims) });
  const bias = graph.constant({ type: 'float32', dims: [outputs], data: weights.read(`${name}.bias`, [outputs]) });
  return (x: Value) => graph.op('Gemm', [x, weight, bias], { transB: 1 });
}
