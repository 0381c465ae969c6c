import { GraphBuilder, type Value } from '../../../ort/graph/builder.ts';
import type { ExternalData } from '../../../ort/graph/external-data.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import { albert } from './albert.ts';
import { decoder } from './decoder.ts';
import { type ConvolutionForm, generator } from './generator.ts';
import { Layers } from './layers.ts';
import { contours, durationEncoder, durations } from './prosody.ts';
import { textEncoder } from './text-encoder.ts';
import type { KokoroWeights } from './weights.ts';

export interface GraphSource {
  weights: KokoroWeights;
  configuration: KokoroConfiguration;
  /** Takes the large constants; without it the model holds them. */
  external?: ExternalData;
}

/**
 * Phonemes → durations, and the states to repeat as long.
 *
 * Inputs: `tokens` [n], int64; `style` [style], the prosody's.
 * Outputs: `durations` [n], in frames at a speed of 1, not rounded; `states` [n, width + style]; `text` [n, width].
 */
export function textGraph({ weights, configuration, external }: GraphSource): Uint8Array {
  const graph = new GraphBuilder('kokoro-text', external);
  const layers = new Layers(graph, weights);
  const { width, style: styleWidth } = configuration;
  const tokens = graph.input('tokens', 'int64', ['n']);
  const style = graph.input('style', 'float32', [styleWidth]);
  const phonemes = layers.linear(
    albert(layers, tokens, configuration),
    'bert_encoder',
    configuration.albert.width,
    width,
  );
  const states = durationEncoder(layers, phonemes, style, configuration);
  graph.output('durations', durations(layers, states, configuration), 'float32', ['n']);
  graph.output('states', states, 'float32', ['n', width + styleWidth]);
  graph.output('text', textEncoder(layers, tokens, configuration), 'float32', ['n', width]);
  return graph.build();
}

/**
 * Pitch and energy of all frames.
 *
 * Inputs: `states` [n, width + style]; `alignment` [frames], int64, the phoneme of each frame; `style` [style], the
 * prosody's. Outputs: `pitch` and `energy` [2 · frames].
 */
export function prosodyGraph({ weights, configuration, external }: GraphSource): Uint8Array {
  const graph = new GraphBuilder('kokoro-prosody', external);
  const layers = new Layers(graph, weights);
  const states = aligned(graph, 'states', configuration.width + configuration.style);
  const style = graph.input('style', 'float32', [configuration.style]);
  const { pitch, energy } = contours(layers, states, style, configuration);
  graph.output('pitch', pitch, 'float32', ['values']);
  graph.output('energy', energy, 'float32', ['values']);
  return graph.build();
}

/**
 * Samples.
 *
 * Inputs: `text` [n, width]; `alignment` [frames], int64; `pitch` and `energy` [2 · frames]; `harmonics` [2 · bins,
 * length]; `style` [style], the decoder's. Output: `samples`, whose ends need `correctEdges`.
 */
export async function speechGraph(
  { weights, configuration, external }: GraphSource,
  form: ConvolutionForm,
): Promise<Uint8Array> {
  const graph = new GraphBuilder('kokoro-speech', external);
  const layers = new Layers(graph, weights);
  const inputs = {
    text: aligned(graph, 'text', configuration.width),
    pitch: graph.input('pitch', 'float32', ['values']),
    energy: graph.input('energy', 'float32', ['values']),
    style: graph.input('style', 'float32', [configuration.style]),
  };
  const harmonics = graph.input('harmonics', 'float32', [configuration.generator.fourierSize + 2, 'length']);
  const x = decoder(layers, inputs, configuration);
  const samples = await generator(layers, x, harmonics, inputs.style, configuration, form);
  graph.output('samples', samples, 'float32', ['samples_count']);
  return graph.build();
}

/** States of phonemes, each repeated for its duration. */
function aligned(graph: GraphBuilder, name: string, channels: number): Value {
  const states = graph.input(name, 'float32', ['n', channels]);
  const alignment = graph.input('alignment', 'int64', ['frames']);
  return graph.op('Gather', [states, alignment], { axis: 0 });
}
