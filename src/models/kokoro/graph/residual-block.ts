import type { Value } from '../../../ort/graph/builder.ts';
import { type Layers, SLOPE } from './layers.ts';

export interface ResidualBlockSize {
  inputs: number;
  outputs: number;
  /** Channels of the style. */
  style: number;
  /** Whether the block doubles the length. */
  upsample?: boolean;
}

/** `AdainResBlk1d`: two convolutions, each after an adaptive norm, with a shortcut. */
export function adaptiveResidualBlock(
  layers: Layers,
  x: Value,
  style: Value,
  name: string,
  { inputs, outputs, upsample = false, style: width }: ResidualBlockSize,
): Value {
  const { graph } = layers;
  const active = (x: Value, norm: string, channels: number) =>
    layers.leakyRelu(layers.adaptiveInstanceNorm(x, style, `${name}.${norm}`, { channels, style: width }), SLOPE);
  let residual = active(x, 'norm1', inputs);
  if (upsample) {
    residual = layers.transposedConvolution(residual, `${name}.pool`, {
      inputs,
      outputs: inputs,
      kernel: 3,
      stride: 2,
      padding: 1,
      outputPadding: 1,
      groups: inputs,
    });
  }
  residual = layers.convolution(residual, `${name}.conv1`, { inputs, outputs, kernel: 3 });
  residual = layers.convolution(active(residual, 'norm2', outputs), `${name}.conv2`, {
    inputs: outputs,
    outputs,
    kernel: 3,
  });
  let shortcut = x;
  if (inputs !== outputs) {
    shortcut = layers.convolution(shortcut, `${name}.conv1x1`, { inputs, outputs, kernel: 1, hasBias: false });
  }
  // After the pointwise convolution, not before it as published: the same values for half the work.
  if (upsample) shortcut = repeatEach(layers, shortcut);
  return graph.op('Mul', [graph.op('Add', [residual, shortcut]), graph.scalar(Math.SQRT1_2)]);
}

/** Repeats each sample. */
function repeatEach(layers: Layers, x: Value): Value {
  return layers.graph.op('Resize', [x, '', layers.vector(Float32Array.of(1, 1, 1, 2))], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
}
