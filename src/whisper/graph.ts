import type { ExternalData } from '../onnx/external-data.ts';
import { float, GraphBuilder, type Value } from '../onnx/graph.ts';
import { LinearLayers, type LinearOptions } from '../onnx/linear.ts';
import type { WhisperConfiguration } from './configuration.ts';
import { ByteCrossAttention, type CrossAttention, FloatCrossAttention } from './cross-attention.ts';
import type { WhisperWeights } from './weights.ts';

// Whisper (Radford et al. 2022, https://arxiv.org/abs/2212.04356) as two graphs of our own, from the tensors of an
// official checkpoint. Activations are `[rows, width]` from block to block, a row for each position of each sequence;
// attention alone knows which rows belong together.

/** One of the graphs while it is being written, and what it is written from. */
interface Network {
  graph: GraphBuilder;
  linear: LinearLayers;
  weights: WhisperWeights;
  configuration: WhisperConfiguration;
  cross: CrossAttention;
}

export interface GraphOptions extends LinearOptions {
  /** Takes the weights as they are written; it is the caller's to close. */
  external: ExternalData;
}

/** Unsigned by signed bytes are what cross-attention multiplies: the CPU must do that without saturating. */
export function attendsInBytes({ computeType, signedWeights }: LinearOptions): boolean {
  return computeType === 'int8' && signedWeights;
}

function network(
  name: string,
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  options: GraphOptions,
): Network {
  const graph = new GraphBuilder(name, options.external);
  const { decoderHeads: heads, width, audioPositions: positions } = configuration;
  const shape = { heads, headSize: width / heads, positions };
  const cross = attendsInBytes(options) ? new ByteCrossAttention(graph, shape) : new FloatCrossAttention(graph, shape);
  return { graph, linear: new LinearLayers(graph, options), weights, configuration, cross };
}

/**
 * The audio encoder, and what of the decoder depends on the audio alone.
 *
 * Input: `mel` [audios, mels, 2 · audioPositions].
 * Outputs for every decoder layer l: `cross_key.l`, `cross_value.l` and what belongs to them, as cross-attention.ts has
 * them.
 */
export async function encoderGraph(
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  options: GraphOptions,
): Promise<Uint8Array> {
  const net = network('whisper-encoder', weights, configuration, options);
  const { mels, audioPositions, encoderLayers, decoderLayers } = configuration;
  const mel = net.graph.input('mel', 'float32', ['audios', mels, 2 * audioPositions]);
  let x = await convolutionStem(net, mel);
  for (let layer = 0; layer < encoderLayers; layer++) x = await encoderBlock(net, x, `encoder.layers.${layer}`);
  const states = await layerNorm(net, x, 'encoder.layer_norm');
  for (let layer = 0; layer < decoderLayers; layer++) await crossAttentionCache(net, states, layer);
  return net.graph.build();
}

/**
 * Two convolutions, the second of stride 2, and the positions; as 2-D ones with a height of 1, for which onnxruntime has
 * its blocked kernels.
 */
async function convolutionStem(net: Network, mel: Value): Promise<Value> {
  const { graph, weights, configuration } = net;
  const { mels, width, audioPositions } = configuration;
  const image = graph.op('Reshape', [mel, graph.ints(0, mels, 1, 2 * audioPositions)]);
  const first = graph.op('Gelu', [await convolution(net, image, 'encoder.conv1', mels, 1)]);
  const second = graph.op('Gelu', [await convolution(net, first, 'encoder.conv2', width, 2)]);
  const channels = graph.op('Reshape', [second, graph.ints(0, width, audioPositions)]);
  const sequence = graph.op('Transpose', [channels], { perm: [0, 2, 1] });
  const positions = await weights.read('encoder.embed_positions.weight', [audioPositions, width]);
  const table = graph.constant({ type: 'float32', dims: [audioPositions, width], data: positions });
  return graph.op('Reshape', [graph.op('Add', [sequence, table]), graph.ints(-1, width)]);
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

async function encoderBlock(net: Network, x: Value, name: string): Promise<Value> {
  const { encoderFeedForward } = net.configuration;
  const attended = await encoderSelfAttention(net, await layerNorm(net, x, `${name}.self_attn_layer_norm`), name);
  const y = net.graph.op('Add', [x, attended]);
  return net.graph.op('Add', [y, await feedForward(net, y, name, encoderFeedForward)]);
}

async function encoderSelfAttention(net: Network, x: Value, block: string): Promise<Value> {
  const { graph, linear, weights, configuration } = net;
  const { width, audioPositions, encoderHeads } = configuration;
  const name = `${block}.self_attn`;
  const projections = await weights.linear(
    width,
    width,
    { name: `${name}.q_proj` },
    { name: `${name}.k_proj`, hasBias: false },
    { name: `${name}.v_proj` },
  );
  const shape = graph.ints(-1, audioPositions, width);
  const inputs = split(graph, linear.apply(x, projections), 3).map((part) => graph.op('Reshape', [part, shape]));
  // The operator divides by the square root of the head size itself.
  const attended = graph.op('MultiHeadAttention', inputs, { num_heads: encoderHeads });
  const rows = graph.op('Reshape', [attended, graph.ints(-1, width)]);
  return linear.apply(rows, await weights.linear(width, width, { name: `${name}.out_proj` }));
}

/** Keys and values that one decoder layer attends to: they stay the same for the whole window. */
async function crossAttentionCache(net: Network, states: Value, layer: number): Promise<void> {
  const { graph, linear, weights, configuration } = net;
  const { width, audioPositions, decoderHeads } = configuration;
  const headSize = width / decoderHeads;
  const name = `decoder.layers.${layer}.encoder_attn`;
  const projections = await weights.linear(
    width,
    width,
    { name: `${name}.k_proj`, hasBias: false },
    { name: `${name}.v_proj` },
  );
  const shape = graph.ints(-1, audioPositions, decoderHeads, headSize);
  const [key, value] = split(graph, linear.apply(states, projections), 2).map((part) =>
    graph.op('Reshape', [part, shape]),
  ) as [Value, Value];
  net.cross.write(layer, key, value);
}

/** What every decoder block needs to know of the shapes, which are known only when the graph runs. */
interface DecoderShapes {
  /** `[streams, tokens, heads, headSize]` */
  byStream: Value;
  /** `[audios, streams of one audio · tokens, heads, headSize]` */
  byAudio: Value;
  /** `[0, 0, −1, tokens, audioPositions]`, for what is `[audios, heads, streams of one audio · tokens, audioPositions]` */
  attention: Value;
  /** `[past, tokens]`, where the scores of the cache end and those of the new tokens begin. */
  pastAndNew: Value;
  /** `[streams, 1, tokens, past + tokens]`, added to the scores of every head. */
  mask: Value;
}

/**
 * The text decoder, for `streams` sequences that are fed as many tokens each, an equal number of neighbouring ones for
 * each audio.
 *
 * Inputs: `x` [streams, tokens, width], token plus position embedding of the new tokens; `mask` [streams, 1, tokens,
 * past + tokens], 0 where a token may look and a large negative number elsewhere; for every layer l `past_key.l`,
 * `past_value.l` [streams, heads, past, headSize] and the encoder's outputs.
 * Outputs: `logits` [streams, vocabulary] and `attention` [streams, alignmentHeads, audioPositions] of the last token;
 * `key.l`, `value.l` [streams · tokens, width] of the new tokens, heads side by side, to be appended to the cache.
 * @param embedding the token table `[vocabulary, width]`, against which the logits are taken
 */
export async function decoderGraph(
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  embedding: Float32Array,
  options: GraphOptions,
): Promise<Uint8Array> {
  const net = network('whisper-decoder', weights, configuration, options);
  const { graph, linear } = net;
  const { width, decoderLayers, vocabulary } = configuration;
  const input = graph.input('x', 'float32', ['streams', 'tokens', width]);
  const shapes = decoderShapes(net, input);
  const attentions: Value[] = [];
  let x = graph.op('Reshape', [input, graph.ints(-1, width)]);
  for (let layer = 0; layer < decoderLayers; layer++) {
    const { output, probabilities } = await decoderBlock(net, x, layer, shapes);
    x = output;
    attentions.push(probabilities);
  }
  const byStream = graph.op('Reshape', [x, graph.op('Shape', [input])]);
  const last = graph.op('Gather', [byStream, graph.integer(-1)], { axis: 1 });
  const normed = await layerNorm(net, last, 'decoder.layer_norm');
  const logits = linear.apply(normed, { weight: embedding, outputs: vocabulary, inputs: width });
  graph.output('logits', logits, 'float32', ['streams', vocabulary]);
  alignmentAttention(net, attentions, shapes);
  return graph.build();
}

function decoderShapes({ graph, configuration }: Network, x: Value): DecoderShapes {
  const { width, decoderHeads, audioPositions } = configuration;
  const headSize = width / decoderHeads;
  const size = (value: Value, axis: number) => graph.op('Shape', [value], { start: axis, end: axis + 1 });
  const join = (...parts: Value[]) => graph.op('Concat', parts, { axis: 0 });
  const tokens = size(x, 1);
  return {
    byStream: join(size(x, 0), tokens, graph.ints(decoderHeads, headSize)),
    byAudio: join(size('cross_key.0', 0), graph.ints(-1, decoderHeads, headSize)),
    attention: join(graph.ints(0, 0, -1), tokens, graph.ints(audioPositions)),
    pastAndNew: join(size('past_key.0', 2), tokens),
    mask: graph.input('mask', 'float32', ['streams', 1, 'tokens', 'positions']),
  };
}

async function decoderBlock(
  net: Network,
  x: Value,
  layer: number,
  shapes: DecoderShapes,
): Promise<{ output: Value; probabilities: Value }> {
  const { graph, configuration } = net;
  const name = `decoder.layers.${layer}`;
  const normed = await layerNorm(net, x, `${name}.self_attn_layer_norm`);
  const y = graph.op('Add', [x, await decoderSelfAttention(net, normed, layer, shapes)]);
  const crossNormed = await layerNorm(net, y, `${name}.encoder_attn_layer_norm`);
  const { output, probabilities } = await crossAttention(net, crossNormed, layer, shapes);
  const z = graph.op('Add', [y, output]);
  const transformed = await feedForward(net, z, name, configuration.decoderFeedForward);
  return { output: graph.op('Add', [z, transformed]), probabilities };
}

/** Attention over the cache and the new tokens. The scores are joined rather than the keys, which would copy the cache. */
async function decoderSelfAttention(net: Network, x: Value, layer: number, shapes: DecoderShapes): Promise<Value> {
  const { graph, linear, weights, configuration } = net;
  const { width, decoderHeads } = configuration;
  const headSize = width / decoderHeads;
  const name = `decoder.layers.${layer}.self_attn`;
  const projections = await weights.linear(
    width,
    width,
    { name: `${name}.q_proj`, scale: headSize ** -0.5 },
    { name: `${name}.k_proj`, hasBias: false },
    { name: `${name}.v_proj` },
  );
  const byHead = (rows: Value) =>
    graph.op('Transpose', [graph.op('Reshape', [rows, shapes.byStream])], { perm: [0, 2, 1, 3] });
  const past = (kind: string) =>
    graph.input(`past_${kind}.${layer}`, 'float32', ['streams', decoderHeads, 'past', headSize]);
  const parts = split(graph, linear.apply(x, projections), 3) as [Value, Value, Value];
  const [query, key, value] = parts.map(byHead) as [Value, Value, Value];
  const pastScores = graph.op('FusedMatMul', [query, past('key')], { transB: 1 });
  const newScores = graph.op('FusedMatMul', [query, key], { transB: 1 });
  const scores = graph.op('Add', [graph.op('Concat', [pastScores, newScores], { axis: -1 }), shapes.mask]);
  const probabilities = graph.op('Softmax', [scores], { axis: -1 });
  const [ofPast, ofNew] = graph.ops('Split', [probabilities, shapes.pastAndNew], 2, { axis: -1 }) as [Value, Value];
  const attended = graph.op('Add', [graph.op('MatMul', [ofPast, past('value')]), graph.op('MatMul', [ofNew, value])]);
  const byToken = graph.op('Transpose', [attended], { perm: [0, 2, 1, 3] });
  const rows = graph.op('Reshape', [byToken, graph.ints(-1, width)]);
  graph.output(`key.${layer}`, parts[1], 'float32', ['rows', width]);
  graph.output(`value.${layer}`, parts[2], 'float32', ['rows', width]);
  return linear.apply(rows, await weights.linear(width, width, { name: `${name}.out_proj` }));
}

/** Attention over the audio. All streams of one audio go through one product with its keys. */
async function crossAttention(
  net: Network,
  x: Value,
  layer: number,
  shapes: DecoderShapes,
): Promise<{ output: Value; probabilities: Value }> {
  const { graph, linear, weights, configuration } = net;
  const { width, decoderHeads } = configuration;
  const headSize = width / decoderHeads;
  const name = `decoder.layers.${layer}.encoder_attn`;
  const projection = await weights.linear(width, width, { name: `${name}.q_proj`, scale: headSize ** -0.5 });
  const query = graph.op('Reshape', [linear.apply(x, projection), shapes.byAudio]);
  const { attended, probabilities } = net.cross.attend(layer, query);
  const rows = graph.op('Reshape', [attended, graph.ints(-1, width)]);
  const output = linear.apply(rows, await weights.linear(width, width, { name: `${name}.out_proj` }));
  return { output, probabilities };
}

/** Cross-attention of the alignment heads for the last token: it tells where in the audio that token is heard. */
function alignmentAttention(net: Network, attentions: readonly Value[], shapes: DecoderShapes): void {
  const { graph, configuration } = net;
  const { alignmentHeads, audioPositions } = configuration;
  const last = graph.integer(-1);
  const chosen = runsOfOneLayer(alignmentHeads).map(({ layer, heads }) => {
    const ofHeads = graph.op('Gather', [attentions[layer]!, graph.ints(...heads)], { axis: 1 });
    return graph.op('Gather', [graph.op('Reshape', [ofHeads, shapes.attention]), last], { axis: 3 });
  });
  const byHead = graph.op('Concat', chosen, { axis: 1 });
  const byStream = graph.op('Transpose', [byHead], { perm: [0, 2, 1, 3] });
  const shape = graph.ints(-1, alignmentHeads.length, audioPositions);
  graph.output('attention', graph.op('Reshape', [byStream, shape]), 'float32', [
    'streams',
    alignmentHeads.length,
    audioPositions,
  ]);
}

function runsOfOneLayer(pairs: WhisperConfiguration['alignmentHeads']): { layer: number; heads: number[] }[] {
  const runs: { layer: number; heads: number[] }[] = [];
  for (const [layer, head] of pairs) {
    const run = runs.at(-1);
    if (run?.layer === layer) run.heads.push(head);
    else runs.push({ layer, heads: [head] });
  }
  return runs;
}

async function feedForward(net: Network, x: Value, block: string, hiddenWidth: number): Promise<Value> {
  const { graph, linear, weights, configuration } = net;
  const { width } = configuration;
  const normed = await layerNorm(net, x, `${block}.final_layer_norm`);
  const hidden = linear.apply(normed, await weights.linear(width, hiddenWidth, { name: `${block}.fc1` }));
  const activated = graph.op('Gelu', [hidden]);
  return linear.apply(activated, await weights.linear(hiddenWidth, width, { name: `${block}.fc2` }));
}

async function layerNorm({ graph, weights, configuration }: Network, x: Value, name: string): Promise<Value> {
  const { width } = configuration;
  const constant = async (part: string) =>
    graph.constant({ type: 'float32', dims: [width], data: await weights.read(`${name}.${part}`, [width]) });
  return graph.op('LayerNormalization', [x, await constant('weight'), await constant('bias')], {
    axis: -1,
    epsilon: float(1e-5),
  });
}

function split(graph: GraphBuilder, x: Value, parts: number): Value[] {
  return graph.ops('Split', [x], parts, { axis: -1, num_outputs: parts });
}
