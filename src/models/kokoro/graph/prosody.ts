import type { Value } from '../../../ort/graph/builder.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import type { Layers } from './layers.ts';
import { adaptiveResidualBlock } from './residual-block.ts';
import { toSignal } from './text-encoder.ts';

/**
 * States of the phonemes for a voice: recurrent layers with the style appended to each step's input.
 * @param text `[n, width]`, ALBERT's output
 * @param style `[style]`
 * @returns `[n, width + style]`
 */
export function durationEncoder(layers: Layers, text: Value, style: Value, configuration: KokoroConfiguration): Value {
  const { graph } = layers;
  const { width } = configuration;
  const count = graph.op('Shape', [text], { start: 0, end: 1 });
  const styles = graph.op('Expand', [
    style,
    graph.op('Concat', [count, graph.ints(1, configuration.style)], { axis: 0 }),
  ]);
  let x = graph.op('Unsqueeze', [text, graph.ints(1)]);
  for (let layer = 0; layer < configuration.layers; layer++) {
    const name = `predictor.text_encoder.lstms`;
    const input = graph.op('Concat', [x, styles], { axis: 2 });
    const states = layers.bidirectionalLstm(input, `${name}.${2 * layer}`, width + configuration.style, width / 2);
    x = layers.adaptiveLayerNorm(states, style, `${name}.${2 * layer + 1}`, width, configuration.style);
  }
  return graph.op('Squeeze', [graph.op('Concat', [x, styles], { axis: 2 }), graph.ints(1)]);
}

/**
 * Frames of each phoneme at a speed of 1, not rounded: the sum of the probabilities that it lasts one more.
 * @param states `[n, width + style]`
 * @returns `[n]`
 */
export function durations(layers: Layers, states: Value, configuration: KokoroConfiguration): Value {
  const { graph } = layers;
  const { width, maxDuration } = configuration;
  const steps = graph.op('Unsqueeze', [states, graph.ints(1)]);
  const x = layers.bidirectionalLstm(steps, 'predictor.lstm', width + configuration.style, width / 2);
  const flat = graph.op('Squeeze', [x, graph.ints(1)]);
  const logits = layers.linear(flat, 'predictor.duration_proj.linear_layer', width, maxDuration);
  return graph.op('ReduceSum', [graph.op('Sigmoid', [logits]), graph.ints(1)], { keepdims: 0 });
}

/**
 * Pitch and energy, two values per frame.
 * @param states `[frames, width + style]`, the phonemes' states repeated for their durations
 * @returns `[2 · frames]` each; the pitch in Hz
 */
export function contours(
  layers: Layers,
  states: Value,
  style: Value,
  configuration: KokoroConfiguration,
): { pitch: Value; energy: Value } {
  const { graph } = layers;
  const { width } = configuration;
  const steps = graph.op('Unsqueeze', [states, graph.ints(1)]);
  const shared = layers.bidirectionalLstm(steps, 'predictor.shared', width + configuration.style, width / 2);
  const signal = toSignal(layers, graph.op('Squeeze', [shared, graph.ints(1)]));
  const contour = (name: string) => {
    const half = width / 2;
    let x = signal;
    for (const [index, size] of [
      { inputs: width, outputs: width },
      { inputs: width, outputs: half, upsample: true },
      { inputs: half, outputs: half },
    ].entries()) {
      x = adaptiveResidualBlock(layers, x, style, `predictor.${name}.${index}`, {
        ...size,
        style: configuration.style,
      });
    }
    const values = layers.convolution(x, `predictor.${name}_proj`, { inputs: half, outputs: 1, kernel: 1 });
    return graph.op('Reshape', [values, graph.ints(-1)]);
  };
  return { pitch: contour('F0'), energy: contour('N') };
}
