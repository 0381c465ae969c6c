import type { Value } from '../../../ort/graph/builder.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { toActivations } from './activations.ts';
import { gpuEncoderAttention } from './gpu-attention.ts';
import { feedForward, type GraphOptions, layerNorm, type Network, network } from './network.ts';
import type { WhisperWeights } from './weights.ts';

/** Shapes that are known only when the graph runs. */
interface EncoderShapes {
  /** `[audios, positions, width]` */
  sequences: Value;
  /** `[audios, positions, decoderHeads, headSize]` */
  byHead: Value;
}

/**
 * The audio encoder, with the decoder's projections of its states to cross-attention keys and values.
 *
 * Input: `mel` [audios, mels, 2 · positions], of one of the `audioLengths`.
 * Outputs for every decoder layer l: `cross_key.l`, `cross_value.l` and their scales, see cross-attention.ts.
 */
export async function encoderGraph(
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  options: GraphOptions,
): Promise<Uint8Array> {
  const net = network('whisper-encoder', weights, configuration, options);
  const { encoderLayers, decoderLayers } = configuration;
  const { rows, shapes } = await convolutionStem(net);
  let x = rows;
  for (let layer = 0; layer < encoderLayers; layer++) x = await encoderBlock(net, x, `encoder.layers.${layer}`, shapes);
  const states = await layerNorm(net, x, 'encoder.layer_norm');
  for (let layer = 0; layer < decoderLayers; layer++) await crossAttentionCache(net, states, layer, shapes);
  return net.graph.build();
}

/**
 * Two convolutions, the second with stride 2, and the position embedding. As 2-D convolutions of height 1, for which
 * onnxruntime has blocked kernels.
 * @returns `[audios · positions, width]`
 */
async function convolutionStem(net: Network): Promise<{ rows: Value; shapes: EncoderShapes }> {
  const { graph, weights, configuration } = net;
  const { mels, width, audioPositions } = configuration;
  const mel = graph.input('mel', 'float32', ['audios', mels, 'frames']);
  const image = graph.op('Reshape', [mel, graph.ints(0, mels, 1, -1)]);
  const first = graph.op('Gelu', [await convolution(net, image, 'encoder.conv1', mels, 1)]);
  const second = graph.op('Gelu', [await convolution(net, first, 'encoder.conv2', width, 2)]);
  const channels = graph.op('Reshape', [second, graph.ints(0, width, -1)]);
  const sequence = graph.op('Transpose', [channels], { perm: [0, 2, 1] });
  const positions = await weights.read('encoder.embed_positions.weight', [audioPositions, width]);
  const table = graph.constant({ type: 'float32', dims: [audioPositions, width], data: positions });
  const count = graph.op('Shape', [sequence], { start: 1, end: 2 });
  const used = graph.op('Slice', [table, graph.ints(0), count, graph.ints(0)]);
  const rows = graph.op('Reshape', [graph.op('Add', [sequence, used]), graph.ints(-1, width)]);
  return { rows: toActivations(net, rows), shapes: encoderShapes(net, sequence) };
}

/** @param sequence `[audios, positions, width]` */
function encoderShapes({ graph, configuration }: Network, sequence: Value): EncoderShapes {
  const { width, decoderHeads } = configuration;
  const counts = graph.op('Shape', [sequence], { start: 0, end: 2 });
  const join = (...sizes: number[]) => graph.op('Concat', [counts, graph.ints(...sizes)], { axis: 0 });
  return { sequences: join(width), byHead: join(decoderHeads, width / decoderHeads) };
}

async function convolution(net: Network, x: Value, name: string, channels: number, stride: number): Promise<Value> {
  const { graph, weights, configuration } = net;
  const { width } = configuration;
  const kernel = await weights.read(`${name}.weight`, [width, channels, 3]);
  const bias = await weights.read(`${name}.bias`, [width]);
  return graph.op(
    'Conv',
    [
      x,
      graph.constant({ type: 'float32', dims: [width, channels, 1, 3], data: kernel }),
      graph.constant({ type: 'float32', dims: [width], data: bias }),
    ],
    { kernel_shape: [1, 3], strides: [1, stride], pads: [0, 1, 0, 1] },
  );
}

async function encoderBlock(net: Network, x: Value, name: string, { sequences }: EncoderShapes): Promise<Value> {
  const { graph, configuration } = net;
  const projected = await byParts(net, [x], async ([rows], count) =>
    projections(
      net,
      await layerNorm(net, rows!, `${name}.self_attn_layer_norm`),
      `${name}.self_attn`,
      ['q', 'k', 'v'],
      count,
    ),
  );
  const attended = selfAttention(net, projected, sequences);
  const [output] = await byParts(net, [x, attended], async ([rows, attendedRows], count) => {
    const [added] = await projections(net, attendedRows!, `${name}.self_attn`, ['out'], count);
    const y = graph.op('Add', [rows!, added!]);
    const known = count === undefined ? {} : { count };
    const normed = await layerNorm(net, y, `${name}.final_layer_norm`);
    const transformed = await feedForward(net, normed, name, configuration.encoderFeedForward, known);
    return [graph.op('Add', [y, transformed])];
  });
  return output!;
}

/** @param projected query, key and value, `[rows, width]` each */
function selfAttention(net: Network, projected: readonly Value[], sequences: Value): Value {
  const { graph, configuration, form } = net;
  const { width, encoderHeads } = configuration;
  const inputs = projected.map((part) => graph.op('Reshape', [part, sequences]));
  // The operator divides by the square root of the head size.
  const attended =
    form === 'gpu'
      ? gpuEncoderAttention(net, inputs)
      : graph.op('MultiHeadAttention', inputs, { num_heads: encoderHeads });
  return graph.op('Reshape', [attended, graph.ints(-1, width)]);
}

/** Outputs of the encoder's graph in the form for a GPU. */
export function crossOutputs({ decoderLayers }: Pick<WhisperConfiguration, 'decoderLayers'>): string[] {
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);
  return layers.flatMap((layer) => [`cross_key.${layer}`, `cross_value.${layer}`]);
}

/** Cross-attention keys and values of one decoder layer, computed once per window. */
async function crossAttentionCache(
  net: Network,
  states: Value,
  layer: number,
  { byHead }: EncoderShapes,
): Promise<void> {
  const { graph } = net;
  const projected = await byParts(net, [states], ([rows], count) =>
    projections(net, rows!, `decoder.layers.${layer}.encoder_attn`, ['k', 'v'], count),
  );
  const [key, value] = projected.map((part) => graph.op('Reshape', [part, byHead])) as [Value, Value];
  net.cross.write(layer, key, value);
}

/**
 * Projections as separate products: splitting a joint one would read and write all of it.
 * @param kinds names of the attention's projections in the checkpoint
 */
async function projections(
  { linear, weights, configuration }: Network,
  x: Value,
  attention: string,
  kinds: readonly ('q' | 'k' | 'v' | 'out')[],
  count?: Value,
): Promise<Value[]> {
  const { width } = configuration;
  const projected: Value[] = [];
  for (const kind of kinds) {
    // Whisper's keys have no bias.
    const layer = await weights.linear(width, width, { name: `${attention}.${kind}_proj`, hasBias: kind !== 'k' });
    projected.push(linear.apply(x, layer, count === undefined ? {} : { count }));
  }
  return projected;
}

/** Activations of this many rows are 2 to 5 MB at the widest, most of which stays in a core's cache. */
const MAX_PART_ROWS = 250;
/** Minimum number of audio lengths, for checkpoints with a short window. */
const MIN_LENGTHS = 6;

/** Lengths between whole numbers of parts, in parts: most requests are commands and dictations of some seconds. */
const SHORT_LENGTHS = [7 / 5, 12 / 5];

/** Positions of the audio that the graphs take, ascending: 250, 350, 500, 600, 750, 1000, 1250 and 1500 for 1500. */
export function audioLengths(configuration: Pick<WhisperConfiguration, 'audioPositions'>): number[] {
  const rows = maxPartRows(configuration);
  const whole = Array.from({ length: configuration.audioPositions / rows }, (_, index) => (index + 1) * rows);
  const short = SHORT_LENGTHS.map((parts) => parts * rows).filter((length) => length % Math.ceil(length / rows) === 0);
  return [...whole, ...short].sort((a, b) => a - b);
}

/** Maximum rows of a part: 250 for 1500 positions. Divides them. */
function maxPartRows({ audioPositions }: Pick<WhisperConfiguration, 'audioPositions'>): number {
  let divisor = Math.max(1, Math.min(MAX_PART_ROWS, Math.floor(audioPositions / MIN_LENGTHS)));
  while (audioPositions % divisor !== 0) divisor--;
  return divisor;
}

/**
 * Runs row-wise operators on one part of the rows after another, so that activations stay in the cache. On a GPU, runs
 * them on all rows at once.
 * @param body builds the graph of one part, of `count` rows
 */
async function byParts(
  { graph, configuration, form }: Network,
  inputs: readonly Value[],
  body: (rows: Value[], count?: Value) => Promise<Value[]>,
): Promise<Value[]> {
  if (form === 'gpu') return body([...inputs]);
  const { width } = configuration;
  const max = maxPartRows(configuration);
  const all = graph.op('Shape', [inputs[0]!], { start: 0, end: 1 });
  const number = graph.op('Div', [graph.op('Add', [all, graph.ints(max - 1)]), graph.ints(max)]);
  const count = graph.op('Div', [all, number]);
  const shape = graph.op('Concat', [number, count, graph.ints(width)], { axis: 0 });
  const parts = inputs.map((x) => graph.op('Reshape', [x, shape]));
  const outputs = await graph.scan(parts, (rows) => body(rows, count));
  return outputs.map((output) => graph.op('Reshape', [output, graph.ints(-1, width)]));
}
