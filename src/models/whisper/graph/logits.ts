import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';
import { dataTypes } from '../../../ort/graph/schema.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { Network } from './network.ts';
import type { WhisperWeights } from './weights.ts';

/** Tokens per block in the search for the best ones. */
const BLOCK = 128;
/** Blocks in a summary: as many as the choices of a beam search with five beams. */
const BEST = 6;

/** The text tokens that the graph summarizes: the first of the vocabulary, in blocks. */
export interface SummedText {
  blocks: number;
  /** Tokens per block. */
  block: number;
  /** Blocks whose logits a summary holds. */
  best: number;
}

/** @param endOfText id of the first token that is not text */
export function summedText({ vocabulary }: Pick<WhisperConfiguration, 'vocabulary'>, endOfText: number): SummedText {
  const tokens = Math.min(endOfText, vocabulary - 1);
  const block = Math.min(BLOCK, tokens);
  const blocks = Math.floor(tokens / block);
  return { blocks, block, best: Math.min(BEST, blocks) };
}

/** First columns of the parts of the output `summary`. @returns and how many columns there are */
export function summaryColumns({ block, best }: SummedText) {
  return { sum: 0, blocks: 1, logits: 1 + best, count: 1 + best + best * block };
}

/**
 * Values of the logits, and a summary of text tokens for greedy decoding and small beams: their best tokens and their share of the
 * probability. Finding that outside the graph takes as long as a layer, and copying the whole vocabulary out takes longer
 * still.
 *
 * Inputs: `text_mask` [summed], minus infinity for suppressed tokens, 0 for others; `sum_up` [1], whether to compute the
 * summary; without it, the summary has no rows. The form for a GPU always computes it: a branch would wait for the device.
 * Returns, with a row for each of `x`: `text` [rows, summed], logits of the summarized text tokens; `others` [rows, vocabulary −
 * summed], those of the tokens after them; `summary` [rows, columns], see `summaryColumns`: Σ exp(logit − largest), the
 * indices of the blocks with the largest logits, and the logits of these blocks. As many of the best tokens are among them.
 * @param x [rows, width], normalized by `decoder.layer_norm`
 * @param embedding token table `[vocabulary, width]`, tied to the output projection
 */
export async function logitValues(
  { graph, logits: linear, weights, configuration, form }: Network,
  x: Value,
  embedding: Float32Array,
  summed: SummedText,
): Promise<Record<'text' | 'others' | 'summary', Value>> {
  const { vocabulary, width } = configuration;
  const { blocks, block, best } = summed;
  const columns = summaryColumns(summed).count;
  const tokens = blocks * block;
  const mask = graph.input('text_mask', 'float32', [tokens]);
  const inputScales = await scalesOfNormed(weights, embedding, width);
  const layer = (from: number, to: number) => ({
    weight: embedding.subarray(from * width, to * width),
    outputs: to - from,
    inputs: width,
    inputScales,
  });
  const text = linear.apply(x, { ...layer(0, tokens), mask });
  const others = linear.apply(x, layer(tokens, vocabulary));
  const last = graph.ints(-1);
  const summarize = async () => {
    const byBlock = graph.op('Reshape', [text, graph.ints(-1, blocks, block)]);
    const largestOfBlocks = graph.op('ReduceMax', [byBlock, last], { keepdims: 1 });
    const largest = graph.op('ReduceMax', [largestOfBlocks, graph.ints(1)], { keepdims: 0 });
    const exponentials = graph.op('Exp', [graph.op('Sub', [text, largest])]);
    const sum = graph.op('ReduceSum', [exponentials, last], { keepdims: 1 });
    // [rows, best, 1], as GatherND takes them: WebGPU has no kernel that reshapes integers of 64 bits.
    const [, indices] = graph.ops('TopK', [largestOfBlocks, graph.ints(best)], 2, { axis: 1 }) as [Value, Value];
    const logits = graph.op('GatherND', [byBlock, indices], { batch_dims: 1 });
    const numbers = form === 'gpu' ? asFloats(graph, indices, blocks) : graph.op('Cast', [indices], toFloat);
    const rows = (x: Value, size: number) => graph.op('Reshape', [x, graph.ints(0, size)]);
    return graph.op('Concat', [sum, rows(numbers, best), rows(logits, best * block)], { axis: -1 });
  };
  const summary =
    form === 'gpu'
      ? await summarize()
      : await graph.when(graph.input('sum_up', 'bool', [1]), summarize, async () =>
          graph.op('ConstantOfShape', [graph.ints(0, columns)]),
        );
  return { text, others, summary };
}

/** Of a normalized channel; few values are beyond. */
const STANDARD_DEVIATIONS = 3;

/**
 * Scales that leave neither inputs nor weights of the output projection with outlying channels, √(max|x| / max|w|) of each
 * channel (SmoothQuant, Xiao et al. 2022, https://arxiv.org/abs/2211.10438). The normalization's scale and shift bound the
 * inputs, so that no audio is needed to measure them.
 */
async function scalesOfNormed(weights: WhisperWeights, embedding: Float32Array, width: number): Promise<Float32Array> {
  const scale = await weights.read('decoder.layer_norm.weight', [width]);
  const shift = await weights.read('decoder.layer_norm.bias', [width]);
  const largestWeights = new Float32Array(width);
  for (let index = 0; index < embedding.length; index++) {
    const magnitude = Math.abs(embedding[index]!);
    if (magnitude > largestWeights[index % width]!) largestWeights[index % width] = magnitude;
  }
  return largestWeights.map((largestWeight, channel) => {
    const largestInput = STANDARD_DEVIATIONS * Math.abs(scale[channel]!) + Math.abs(shift[channel]!);
    return Math.sqrt(Math.max(largestInput, SMALLEST) / Math.max(largestWeight, SMALLEST));
  });
}

/** Avoids a division by zero for a channel of zeros. */
const SMALLEST = 1e-5;

const toFloat = { to: dataTypes.float32 } as const;

/** Indices below `count` as floats: WebGPU has no kernel that casts an integer of 64 bits. */
function asFloats(graph: GraphBuilder, indices: Value, count: number): Value {
  const data = Float32Array.from({ length: count }, (_, index) => index);
  return graph.op('Gather', [graph.constant({ type: 'float32', dims: [count], data }), indices], { axis: 0 });
}
