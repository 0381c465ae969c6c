import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';
import { dataTypes } from '../../../ort/graph/schema.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { Network } from './network.ts';

/** Tokens per block in the search for the best one. */
const BLOCK = 128;

/** The text tokens that the graph summarizes: the first of the vocabulary, in blocks. */
export interface SummedText {
  blocks: number;
  /** Tokens per block. */
  block: number;
}

/** @param endOfText id of the first token that is not text */
export function summedText({ vocabulary }: Pick<WhisperConfiguration, 'vocabulary'>, endOfText: number): SummedText {
  const tokens = Math.min(endOfText, vocabulary - 1);
  const block = Math.min(BLOCK, tokens);
  return { blocks: Math.floor(tokens / block), block };
}

/** Columns of the output `summary`; the logits of the best block fill the rest of the row. */
export const SUMMARY = { sum: 0, block: 1, logits: 2 } as const;

/**
 * Logits, and a summary of text tokens for greedy decoding: their best token and their share of the probability. Finding
 * that outside the graph takes as long as a layer, and copying the whole vocabulary out takes longer still.
 *
 * Inputs: `text_mask` [summed], minus infinity for suppressed tokens, 0 for others; `sum_up` [1], whether to compute the
 * summary; without it, the summary has no rows. The form for a GPU always computes it: a branch would wait for the device.
 * Outputs, a row for each of `x`: `text` [rows, summed], logits of the summarized text tokens; `others` [rows, vocabulary −
 * summed], those of the tokens after them; `summary` [rows, 2 + block], see `SUMMARY`: Σ exp(logit − largest), the index of
 * the block with the largest logit, and that block's logits.
 * @param x [rows, width]
 * @param embedding token table `[vocabulary, width]`, tied to the output projection
 */
export async function logitOutputs(
  { graph, logits: linear, configuration, form }: Network,
  x: Value,
  embedding: Float32Array,
  { blocks, block }: SummedText,
): Promise<void> {
  const { vocabulary, width } = configuration;
  const summed = blocks * block;
  const mask = graph.input('text_mask', 'float32', [summed]);
  const layer = (from: number, to: number) => ({
    weight: embedding.subarray(from * width, to * width),
    outputs: to - from,
    inputs: width,
  });
  const text = linear.apply(x, { ...layer(0, summed), mask });
  const others = linear.apply(x, layer(summed, vocabulary));
  const last = graph.ints(-1);
  const summarize = async () => {
    const byBlock = graph.op('Reshape', [text, graph.ints(-1, blocks, block)]);
    const largestOfBlocks = graph.op('ReduceMax', [byBlock, last], { keepdims: 0 });
    const largest = graph.op('ReduceMax', [largestOfBlocks, last], { keepdims: 1 });
    const exponentials = graph.op('Exp', [graph.op('Sub', [text, largest])]);
    const sum = graph.op('ReduceSum', [exponentials, last], { keepdims: 1 });
    const best = graph.op('ArgMax', [largestOfBlocks], { axis: -1, keepdims: 1 });
    const logits = graph.op('GatherND', [byBlock, best], { batch_dims: 1 });
    const number =
      form === 'gpu'
        ? firstEqual(graph, largestOfBlocks, largest, blocks)
        : graph.op('Cast', [best], { to: dataTypes.float32 });
    return graph.op('Concat', [sum, number, logits], { axis: -1 });
  };
  const summary =
    form === 'gpu'
      ? await summarize()
      : await graph.when(graph.input('sum_up', 'bool', [1]), summarize, async () =>
          graph.op('ConstantOfShape', [graph.ints(0, 2 + block)]),
        );
  graph.output('text', text, 'float32', ['rows', summed]);
  graph.output('others', others, 'float32', ['rows', vocabulary - summed]);
  graph.output('summary', summary, 'float32', ['rows of the summary', 2 + block]);
}

/**
 * The index of the first value of each row that equals `wanted`, as a float: WebGPU has no kernel that casts an integer of 64
 * bits.
 * @param x [rows, columns] @param wanted [rows, 1]
 */
function firstEqual(graph: GraphBuilder, x: Value, wanted: Value, columns: number): Value {
  const data = Float32Array.from({ length: columns }, (_, index) => index);
  const indices = graph.constant({ type: 'float32', dims: [columns], data });
  const found = graph.op('Where', [graph.op('Equal', [x, wanted]), indices, graph.scalar(columns)]);
  return graph.op('ReduceMin', [found, graph.ints(-1)], { keepdims: 1 });
}
