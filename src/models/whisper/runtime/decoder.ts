import type { GraphForm } from '../../../ort/graph/linear.ts';
import { bool, type Feeds, float32, freeBuffers, int64s, type Session } from '../../../ort/session.ts';
import { Logits, maximum, type TextSummary } from '../../common/logits.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { EmbeddingRows } from '../graph/embedding.ts';
import { type SummedText, summaryColumns } from '../graph/logits.ts';
import { GpuKeyValueCache } from './gpu-key-value-cache.ts';
import type { GpuRows } from './gpu-rows.ts';
import { type CacheShape, KeyValueCache, type StreamCache } from './key-value-cache.ts';

/** The model's output after one of the tokens that a stream was fed. */
export interface Answer {
  logits: Logits;
  /** Attention of that token, `[alignmentHeads, positions]`; empty if not requested. */
  attention: Float32Array;
}

/** Input of one stream, and the outputs to copy for it, which takes time. */
export interface StreamFeed {
  tokens: readonly number[];
  summed: boolean;
  attention: boolean;
}

/** Contiguous streams of a cache. */
export interface StreamRange {
  cache: StreamCache;
  first: number;
  /** The same number of tokens for each stream. `undefined` streams are computed too, and discarded. */
  fed: readonly (StreamFeed | undefined)[];
}

/** Which outputs a run returns. */
export interface RunOptions {
  /** Indices of the tokens whose outputs to return. Default: the last one. */
  answered?: readonly number[] | undefined;
  /** Whether summaries cover tokens that are never chosen, as `Logits.probability` needs. Default: false */
  unmasked?: boolean | undefined;
}

/** The decoder's graph and its data. */
export interface DecoderParts {
  form: GraphForm;
  configuration: WhisperConfiguration;
  session: Session;
  /** The token table. */
  tokens: EmbeddingRows;
  /** `[textPositions, width]` */
  positions: Float32Array;
  /** The text tokens that the graph can summarize. */
  text: SummedText;
  /** Tokens left out of the summary. */
  never: readonly number[];
  /** For graphs in the form for a GPU. */
  gpu?: Pick<GpuRows, 'zeros' | 'take'>;
}

/** Rows of the decoder's outputs, one for each answer. */
type AnswerRows = Record<'text' | 'others' | 'summary' | 'attention', Float32Array[]>;

const noAttention: Float32Array = new Float32Array(0);

/** Replaces minus infinity, whose behaviour WebGPU's shading language does not define. */
const SUPPRESSED_ON_GPU = -1e30;

/** Runs the decoder's graph: prepares its inputs and reads its outputs. */
export class Decoder {
  readonly configuration: WhisperConfiguration;
  readonly #parts: DecoderParts;
  readonly #outputs: readonly string[];
  readonly #masks: Record<'all' | 'allowed', Feeds>;

  constructor(parts: DecoderParts) {
    this.configuration = parts.configuration;
    this.#parts = parts;
    const { form, text, never } = parts;
    this.#outputs = [...(form === 'gpu' ? ['answer'] : ['others']), ...cacheOutputs(parts)];
    const suppressed = form === 'gpu' ? SUPPRESSED_ON_GPU : Number.NEGATIVE_INFINITY;
    this.#masks = { all: textMask(text, [], suppressed), allowed: textMask(text, never, suppressed) };
  }

  /** How many of the best text tokens a summary contains. */
  get choices(): number {
    return summedChoices(this.#parts.text);
  }

  /** A cache of one empty stream, on the model's device. */
  cache(): StreamCache {
    const { gpu } = this.#parts;
    if (!gpu) return this.slotCache(1);
    return GpuKeyValueCache.empty({ ...this.#cacheShape, capacity: this.configuration.textPositions }, gpu.zeros);
  }

  /** A cache for streams of several windows. */
  slotCache(streams: number): KeyValueCache {
    return new KeyValueCache(this.#cacheShape, streams);
  }

  get #cacheShape(): CacheShape {
    const { decoderLayers, decoderHeads, width } = this.configuration;
    return { layers: decoderLayers, heads: decoderHeads, headSize: width / decoderHeads };
  }

  /**
   * Feeds each stream its tokens, and appends them to the cache.
   * @param cross the encoder's outputs for the streams' audios
   * @returns the outputs for each stream
   */
  async run(
    cross: Feeds,
    { cache, first, fed }: StreamRange,
    { answered, unmasked = false }: RunOptions = {},
  ): Promise<(Answer[] | undefined)[]> {
    const { width } = this.configuration;
    const { gpu } = this.#parts;
    if (gpu && cache instanceof GpuKeyValueCache) await cache.settle(gpu.take);
    const streams = fed.length;
    const count = fed.find((feed) => feed !== undefined)!.tokens.length;
    const indices = answered ?? [count - 1];
    const requested = {
      text: fed.some((feed) => feed && !feed.summed),
      summary: fed.some((feed) => feed?.summed),
      attention: fed.some((feed) => feed?.attention),
    };
    const feeds = {
      ...cross,
      ...cache.feeds(
        first,
        streams,
        count,
        fed.map((feed) => feed !== undefined),
      ),
      x: float32(this.#embed(cache, first, fed, count), [streams, count, width]),
      answered: int64s(indices),
      ...(this.#parts.form === 'cpu' && { sum_up: bool(requested.summary) }),
      ...(unmasked ? this.#masks.all : this.#masks.allowed),
    };
    const isOutput = (name: string) => this.#parts.form === 'cpu' || name === 'text';
    const names = [
      ...this.#outputs,
      ...Object.entries(requested).flatMap(([name, isRequested]) => (isRequested && isOutput(name) ? [name] : [])),
    ];
    const outputs = await this.#parts.session.run(feeds, names);
    cache.append(
      outputs,
      count,
      fed.map((feed, index) => (feed ? first + index : undefined)),
    );
    const answers = this.#answerRows(outputs, streams * indices.length);
    const read = fed.map((feed, stream) => {
      if (!feed) return undefined;
      return indices.map((_, index) => {
        const row = indices.length * stream + index;
        // Copy it: a view would keep the attention of all streams in memory until the window ends.
        const attention = feed.attention ? copyOf(answers.attention[row]!) : noAttention;
        return { logits: this.#readLogits(answers, row, feed.summed), attention };
      });
    });
    if (!gpu) this.#freeCopied(outputs);
    return read;
  }

  /**
   * Frees the outputs that were copied. As garbage they would be most of what a step leaves, and the garbage collector
   * would run every ten steps.
   */
  #freeCopied({ attention, ...outputs }: Feeds): void {
    const copied = [...cacheOutputs(this.#parts).map((name) => outputs[name]!), ...(attention ? [attention] : [])];
    freeBuffers(copied.map(({ data }) => data as Float32Array));
  }

  /** Rows of the outputs; empty for those that were not requested. */
  #answerRows({ answer, text, others, summary, attention }: Feeds, count: number): AnswerRows {
    const texts = rows(text, count);
    if (!answer) {
      const [tails, summaries, attentions] = [others, summary, attention].map((output) => rows(output, count));
      return { text: texts, others: tails!, summary: summaries!, attention: attentions! };
    }
    const { text: summed } = this.#parts;
    const summaryEnd = summaryColumns(summed).count;
    const othersEnd = summaryEnd + this.configuration.vocabulary - summed.blocks * summed.block;
    const parts = (from: number, to?: number) => rows(answer, count).map((row) => row.subarray(from, to));
    return {
      text: texts,
      summary: parts(0, summaryEnd),
      others: parts(summaryEnd, othersEnd),
      attention: parts(othersEnd),
    };
  }

  #readLogits({ text, others, summary }: AnswerRows, row: number, isSummed: boolean): Logits {
    const { text: summed } = this.#parts;
    if (isSummed) return new Logits(others[row]!, summaryOf(summary[row]!, summed));
    const all = new Float32Array(this.configuration.vocabulary);
    all.set(text[row]!);
    all.set(others[row]!, summed.blocks * summed.block);
    return new Logits(all);
  }

  #embed(cache: StreamCache, first: number, fed: StreamRange['fed'], count: number): Float32Array {
    const { tokens: table, positions } = this.#parts;
    const { width } = this.configuration;
    const x = new Float32Array(fed.length * count * width);
    for (const [index, feed] of fed.entries()) {
      let to = index * count * width;
      const start = cache.length(first + index);
      for (const [offset, token] of (feed?.tokens ?? []).entries()) {
        const row = table.read(token);
        const position = (start + offset) * width;
        for (let channel = 0; channel < width; channel++) x[to++] = row[channel]! + positions[position + channel]!;
      }
    }
    return x;
  }
}

/** A copy in memory that the garbage collector does not count: the attention of a few steps would trigger it. */
function copyOf(attention: Float32Array): Float32Array {
  const copy = new Float32Array(new SharedArrayBuffer(attention.byteLength));
  copy.set(attention);
  return copy;
}

/** Outputs of the decoder's graph for the KV cache. */
export function cacheOutputs({ form, configuration }: Pick<DecoderParts, 'form' | 'configuration'>): string[] {
  const prefix = form === 'gpu' ? 'present_' : '';
  const layers = Array.from({ length: configuration.decoderLayers }, (_, layer) => layer);
  return layers.flatMap((layer) => [`${prefix}key.${layer}`, `${prefix}value.${layer}`]);
}

/** @param never tokens left out of the summary */
function textMask({ blocks, block }: SummedText, never: readonly number[], suppressed: number): Feeds {
  const mask = new Float32Array(blocks * block);
  for (const token of never) if (token < mask.length) mask[token] = suppressed;
  return { text_mask: float32(mask, [mask.length]) };
}

/** How many of the best text tokens a summary contains: all of them if it has all blocks. */
function summedChoices({ blocks, best }: SummedText): number {
  return best === blocks ? Number.POSITIVE_INFINITY : best;
}

/** Reads a row of the graph's output `summary`. */
function summaryOf(row: Float32Array, text: SummedText): TextSummary {
  const { blocks, block } = text;
  const columns = summaryColumns(text);
  const logits = row.subarray(columns.logits);
  for (let index = 0; index < logits.length; index++) {
    if (logits[index]! <= SUPPRESSED_ON_GPU / 2) logits[index] = Number.NEGATIVE_INFINITY;
  }
  const numbers = row.subarray(columns.blocks, columns.logits);
  const token = (index: number) => numbers[Math.floor(index / block)]! * block + (index % block);
  // The best block comes first.
  const logit = maximum(logits.subarray(0, block));
  const possible = logit > Number.NEGATIVE_INFINITY;
  return {
    tokens: blocks * block,
    best: token(logits.indexOf(logit)),
    logit,
    total: possible ? logit + Math.log(row[columns.sum]!) : logit,
    candidates: { logits, token, count: summedChoices(text) },
  };
}

/** Views of the rows of an output; empty if it was not requested. */
function rows(output: Feeds[string] | undefined, count: number): Float32Array[] {
  if (!output) return [];
  const data = output.data as Float32Array;
  const size = data.length / count;
  return Array.from({ length: count }, (_, index) => data.subarray(index * size, (index + 1) * size));
}
