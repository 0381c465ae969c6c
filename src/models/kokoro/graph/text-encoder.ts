import type { Value } from '../../../ort/graph/builder.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import { type Layers, SLOPE } from './layers.ts';

/**
 * The decoder's states of the phonemes: convolutions, then a recurrent layer.
 * @param tokens `[n]`
 * @returns `[n, width]`
 */
export function textEncoder(layers: Layers, tokens: Value, configuration: KokoroConfiguration): Value {
  const { graph, weights } = layers;
  const { width, vocabulary, textKernel } = configuration;
  const table = weights.read('text_encoder.embedding.weight', [vocabulary, width]);
  const embedding = graph.constant({ type: 'float32', dims: [vocabulary, width], data: table });
  let x = graph.op('Gather', [embedding, tokens], { axis: 0 });
  for (let layer = 0; layer < configuration.layers; layer++) {
    const name = `text_encoder.cnn.${layer}`;
    const convolved = layers.convolution(toSignal(layers, x), `${name}.0`, {
      inputs: width,
      outputs: width,
      kernel: textKernel,
    });
    const normed = layers.layerNorm(toSequence(layers, convolved, width), width, [`${name}.1.gamma`, `${name}.1.beta`]);
    x = layers.leakyRelu(normed, SLOPE);
  }
  const steps = graph.op('Unsqueeze', [x, graph.ints(1)]);
  const states = layers.bidirectionalLstm(steps, 'text_encoder.lstm', width, width / 2);
  return graph.op('Squeeze', [states, graph.ints(1)]);
}

/** `[n, channels]` → `[1, channels, 1, n]`. */
export function toSignal({ graph }: Layers, x: Value): Value {
  return graph.op('Unsqueeze', [graph.op('Transpose', [x], { perm: [1, 0] }), graph.ints(0, 2)]);
}

/** `[1, channels, 1, n]` → `[n, channels]`. */
function toSequence({ graph }: Layers, x: Value, channels: number): Value {
  return graph.op('Transpose', [graph.op('Reshape', [x, graph.ints(channels, -1)])], { perm: [1, 0] });
}
