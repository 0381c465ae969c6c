import { float, GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { LinearOptions } from '../../../ort/graph/linear.ts';
import type { ModelWeights } from '../../../ort/graph/weights.ts';
import { decoderLayer, layerNorm, moonshineTiny, rotaryTables, rotate } from './network.ts';
import { joinColumns, linear, linears, quantizedMatMul, quantizedWeight } from './quantized-linear.ts';

const { layers, heads, headSize, width } = moonshineTiny;

/**
 * The audio encoder, with the decoder's projections of its states to cross-attention keys and values.
 *
 * Input: `audio` [1, samples], at 16 kHz.
 * Outputs: `cross_keys`, `cross_values` [layers, heads, frames, headSize] of the decoder's cross-attention.
 * @param decoder weights of the decoder, for these projections
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

/** Three strided convolutions, as 2-D ones of height 1, for which onnxruntime has blocked kernels. */
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

/** Cross-attention keys and values of all layers, computed once per window. */
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
