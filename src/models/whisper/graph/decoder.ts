import type { Value } from '../../../ort/graph/builder.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { toActivations, toFloat32 } from './activations.ts';
import { type GpuCache, gpuCache, gpuSelfAttention } from './gpu-attention.ts';
import { logitValues, type SummedText, summaryColumns } from './logits.ts';
import { addAndNorm, feedForward, type GraphOptions, layerNorm, type Network, network } from './network.ts';
import type { WhisperWeights } from './weights.ts';

/** Shapes that are known only when the graph runs, for all decoder blocks. */
interface DecoderShapes {
  /** `[streams, tokens, heads, headSize]`; on a GPU, for joined projections, `[streams, tokens, 3, heads, headSize]`. */
  byStream: Value;
  /** `[audios, streams of one audio · tokens, heads, headSize]` */
  byAudio: Value;
  /** `[tokens]` */
  tokens: Value;
  /** `[past, tokens]`: splits scores between the cache and the new tokens; on a GPU, where the new tokens go. */
  past: Value | GpuCache;
  /** `[streams, 1, tokens, past + tokens]`, for a GPU `[streams, 1, tokens, capacity]`; added to the scores of every head. */
  mask: Value;
}

/**
 * The text decoder, for `streams` sequences of the same number of new tokens. Each audio has the same number of
 * neighbouring streams.
 *
 * Inputs: `x` [streams, tokens, width], token plus position embedding of the new tokens; `mask` [streams, 1, tokens,
 * past + tokens], 0 for positions that a token attends to and a large negative number elsewhere; `answered` [answers],
 * indices of the tokens to compute logits for; for every layer l `past_key.l`, `past_value.l` [streams, heads, past,
 * headSize] and the encoder's outputs; the inputs of `logitValues`. The form for a GPU has the KV cache of `gpuCache`
 * instead.
 * Outputs: the values of `logitValues` and `attention` [rows, alignmentHeads, positions], in `streams · answers` rows; `key.l`,
 * `value.l` [streams · tokens, width] of the new tokens, heads side by side, to append to the cache. The form for a GPU has
 * `text`, and `answer` [rows, columns]: a row of the summary, then of the others, then of the attention.
 * @param embedding token table `[vocabulary, width]`, tied to the output projection
 */
export async function decoderGraph(
  weights: WhisperWeights,
  configuration: WhisperConfiguration,
  embedding: Float32Array,
  text: SummedText,
  options: GraphOptions,
): Promise<Uint8Array> {
  const net = network('whisper-decoder', weights, configuration, options);
  const { graph } = net;
  const { width, decoderLayers } = configuration;
  const input = graph.input('x', 'float32', ['streams', 'tokens', width]);
  const shapes = decoderShapes(net, input);
  const attentions: Value[] = [];
  let x = toActivations(net, graph.op('Reshape', [input, graph.ints(-1, width)]));
  /** Residual to be added by the next normalization. */
  let added: Value | undefined;
  for (let layer = 0; layer < decoderLayers; layer++) {
    const block = await decoderBlock(net, x, added, layer, shapes);
    ({ x, added } = block);
    attentions.push(block.probabilities);
  }
  if (added !== undefined) x = graph.op('Add', [x, added]);
  const byStream = graph.op('Reshape', [x, graph.op('Shape', [input])]);
  const answered = graph.input('answered', 'int64', ['answers']);
  const rows = graph.op('Reshape', [graph.op('Gather', [byStream, answered], { axis: 1 }), graph.ints(-1, width)]);
  const states = toFloat32(net, await layerNorm(net, rows, 'decoder.layer_norm'));
  const logits = await logitValues(net, states, embedding, text);
  const attention = alignmentAttention(net, attentions, { answered, ...shapes });
  writeAnswers(net, text, { ...logits, attention });
  return graph.build();
}

/**
 * Adds the outputs that are read on the CPU. For a GPU, joins most of them into one, since waiting for each takes a
 * millisecond.
 */
function writeAnswers(
  { graph, configuration, form }: Network,
  summed: SummedText,
  { text, others, summary, attention }: Record<'text' | 'others' | 'summary' | 'attention', Value>,
): void {
  const { vocabulary, alignmentHeads } = configuration;
  const tokens = summed.blocks * summed.block;
  graph.output('text', text, 'float32', ['rows', tokens]);
  if (form === 'gpu') {
    const flat = graph.op('Reshape', [attention, graph.ints(0, -1)]);
    const joined = graph.op('Concat', [summary, others, flat], { axis: -1 });
    graph.output('answer', joined, 'float32', ['rows', 'columns']);
    return;
  }
  graph.output('others', others, 'float32', ['rows', vocabulary - tokens]);
  graph.output('summary', summary, 'float32', ['rows of the summary', summaryColumns(summed).count]);
  graph.output('attention', attention, 'float32', ['rows', alignmentHeads.length, 'audio positions']);
}

function decoderShapes(net: Network, x: Value): DecoderShapes {
  const { graph, configuration, form } = net;
  const { width, decoderHeads } = configuration;
  const headSize = width / decoderHeads;
  const size = (value: Value, axis: number) => graph.op('Shape', [value], { start: axis, end: axis + 1 });
  const join = (...parts: Value[]) => graph.op('Concat', parts, { axis: 0 });
  const tokens = size(x, 1);
  return {
    byStream: join(size(x, 0), tokens, graph.ints(...(form === 'gpu' ? [3] : []), decoderHeads, headSize)),
    byAudio: join(size('cross_key.0', 0), graph.ints(-1, decoderHeads, headSize)),
    tokens,
    past: form === 'gpu' ? gpuCache(net) : join(size('past_key.0', 2), tokens),
    mask: toActivations(net, graph.input('mask', 'float32', ['streams', 1, 'tokens', 'positions'])),
  };
}

/** @returns `x`, and the residual to be added to it */
async function decoderBlock(
  net: Network,
  x: Value,
  added: Value | undefined,
  layer: number,
  shapes: DecoderShapes,
): Promise<{ x: Value; added: Value; probabilities: Value }> {
  const name = `decoder.layers.${layer}`;
  const self = await addAndNorm(net, x, added, `${name}.self_attn_layer_norm`);
  const heard = await decoderSelfAttention(net, self.normed, layer, shapes);
  const cross = await addAndNorm(net, self.sum, heard, `${name}.encoder_attn_layer_norm`);
  const { output, probabilities } = await crossAttention(net, cross.normed, layer, shapes);
  const last = await addAndNorm(net, cross.sum, output, `${name}.final_layer_norm`);
  const transformed = await feedForward(net, last.normed, name, net.configuration.decoderFeedForward);
  return { x: last.sum, added: transformed, probabilities };
}

/** Attention over the cache and the new tokens. Joins scores rather than keys, which would copy the cache. */
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
  const joined = linear.apply(x, projections);
  const { past, mask } = shapes;
  const attended =
    typeof past === 'string'
      ? attendInParts(net, layer, joined, { ...shapes, pastAndNew: past })
      : gpuSelfAttention(net, layer, joined, { ...shapes, cache: past, mask });
  const byToken = graph.op('Transpose', [attended], { perm: [0, 2, 1, 3] });
  const rows = graph.op('Reshape', [byToken, graph.ints(-1, width)]);
  return linear.apply(rows, await weights.linear(width, width, { name: `${name}.out_proj` }));
}

/**
 * @param joined query, key and value side by side, `[rows, 3 · width]`; the query is scaled
 * @returns `[streams, heads, tokens, headSize]`
 */
function attendInParts(
  { graph, configuration }: Network,
  layer: number,
  joined: Value,
  { byStream, pastAndNew, mask }: { byStream: Value; pastAndNew: Value; mask: Value },
): Value {
  const { width, decoderHeads } = configuration;
  const parts = graph.ops('Split', [joined], 3, { axis: -1, num_outputs: 3 }) as [Value, Value, Value];
  const byHead = (rows: Value) =>
    graph.op('Transpose', [graph.op('Reshape', [rows, byStream])], { perm: [0, 2, 1, 3] });
  const [query, key, value] = parts.map(byHead) as [Value, Value, Value];
  graph.output(`key.${layer}`, parts[1], 'float32', ['rows', width]);
  graph.output(`value.${layer}`, parts[2], 'float32', ['rows', width]);
  const past = (kind: string) =>
    graph.input(`past_${kind}.${layer}`, 'float32', ['streams', decoderHeads, 'past', width / decoderHeads]);
  const pastScores = graph.op('FusedMatMul', [query, past('key')], { transB: 1 });
  const newScores = graph.op('FusedMatMul', [query, key], { transB: 1 });
  const scores = graph.op('Add', [graph.op('Concat', [pastScores, newScores], { axis: -1 }), mask]);
  const probabilities = graph.op('Softmax', [scores], { axis: -1 });
  const [ofPast, ofNew] = graph.ops('Split', [probabilities, pastAndNew], 2, { axis: -1 }) as [Value, Value];
  return graph.op('Add', [graph.op('MatMul', [ofPast, past('value')]), graph.op('MatMul', [ofNew, value])]);
}

/** Attention over the audio. All streams of one audio share one product with its keys. */
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

/**
 * Cross-attention of the alignment heads for the answered tokens: where in the audio they were spoken.
 * @returns `[rows, alignmentHeads, positions]`
 */
function alignmentAttention(
  net: Network,
  attentions: readonly Value[],
  { answered, tokens }: Pick<DecoderShapes, 'tokens'> & { answered: Value },
): Value {
  const { graph } = net;
  const { alignmentHeads } = net.configuration;
  const positions = graph.op('Shape', [attentions[0]!], { start: 3 });
  // Splits [audios, heads, streams of one audio · tokens, positions].
  const byToken = graph.op('Concat', [graph.ints(0, 0, -1), tokens, positions], { axis: 0 });
  const chosen = groupByLayer(alignmentHeads).map(({ layer, heads }) => {
    const ofHeads = graph.op('Gather', [attentions[layer]!, graph.ints(...heads)], { axis: 1 });
    return graph.op('Gather', [graph.op('Reshape', [ofHeads, byToken]), answered], { axis: 3 });
  });
  const byHead = graph.op('Concat', chosen, { axis: 1 });
  const byAnswer = graph.op('Transpose', [byHead], { perm: [0, 2, 3, 1, 4] });
  const shape = graph.op('Concat', [graph.ints(-1, alignmentHeads.length), positions], { axis: 0 });
  return toFloat32(net, graph.op('Reshape', [byAnswer, shape]));
}

/** Groups neighbouring heads of the same layer; the order of heads stays. */
function groupByLayer(pairs: WhisperConfiguration['alignmentHeads']): { layer: number; heads: number[] }[] {
  const groups: { layer: number; heads: number[] }[] = [];
  for (const [layer, head] of pairs) {
    const group = groups.at(-1);
    if (group?.layer === layer) group.heads.push(head);
    else groups.push({ layer, heads: [head] });
  }
  return groups;
}
