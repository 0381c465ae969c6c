import type { Value } from '../../../ort/graph/builder.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import type { Layers } from './layers.ts';
import { adaptiveResidualBlock } from './residual-block.ts';
import { toSignal } from './text-encoder.ts';

/** Inner blocks before the one that doubles the frames. */
const INNER_BLOCKS = 3;

/**
 * The generator's input, two values per frame.
 * @param text `[frames, width]`, the text encoder's states repeated for each phoneme's duration
 * @param pitch `[2 · frames]`, like the energy
 * @returns `[1, generator.channels, 1, 2 · frames]`
 */
export function decoder(
  layers: Layers,
  { text, pitch, energy, style }: { text: Value; pitch: Value; energy: Value; style: Value },
  configuration: KokoroConfiguration,
): Value {
  const { graph } = layers;
  const { width } = configuration;
  const { channels: outputs } = configuration.generator;
  const inner = 2 * width;
  const reduced = width / 8;
  const perFrame = (contour: Value, name: string) =>
    layers.convolution(graph.op('Unsqueeze', [contour, graph.ints(0, 1, 2)]), name, {
      inputs: 1,
      outputs: 1,
      kernel: 3,
      stride: 2,
    });
  const prosody = [perFrame(pitch, 'decoder.F0_conv'), perFrame(energy, 'decoder.N_conv')];
  const signal = toSignal(layers, text);
  const block = (x: Value, name: string, inputs: number, outputs: number, upsample = false) =>
    adaptiveResidualBlock(layers, x, style, `decoder.${name}`, {
      inputs,
      outputs,
      style: configuration.style,
      upsample,
    });

  let x = block(graph.op('Concat', [signal, ...prosody], { axis: 1 }), 'encode', width + 2, inner);
  const skip = layers.convolution(signal, 'decoder.asr_res.0', { inputs: width, outputs: reduced, kernel: 1 });
  for (let index = 0; index <= INNER_BLOCKS; index++) {
    const last = index === INNER_BLOCKS;
    const joined = graph.op('Concat', [x, skip, ...prosody], { axis: 1 });
    x = block(joined, `decode.${index}`, inner + reduced + 2, last ? outputs : inner, last);
  }
  return x;
}
