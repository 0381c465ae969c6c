import { bool, type Feeds, float32, int64s, type Session } from '../../../ort/session.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import type { EmbeddingRows } from '../graph/embedding.ts';
import { SUMMARY, type SummedText } from '../graph/logits.ts';
import { KeyValueCache } from './key-value-cache.ts';
import { Logits, maximum, type TextSummary } from './logits.ts';

/** What a step gives for one stream. */
export interface StreamStep {
  logits: Logits;
  /** `[alignmentHeads, audioPositions]`; empty where it was not asked for */
  attention: Float32Array;
  /** Of the token that was named besides the last one. */
  earlier?: Logits;
}

/** What a stream is fed, and what is to be handed out, since that takes time. */
export interface StreamFeed {
  tokens: readonly number[];
  summed: boolean;
  attention: boolean;
}

/** Streams of a cache that lie side by side. */
export interface StreamRange {
  cache: KeyValueCache;
  first: number;
  /** As many tokens for each stream; a stream of `undefined` is computed along, and nothing comes of it. */
  fed: readonly (StreamFeed | undefined)[];
}

/** What the decoder's graph is run with. */
export interface DecoderParts {
  configuration: WhisperConfiguration;
  session: Session;
  /** The token table. */
  tokens: EmbeddingRows;
  /** `[textPositions, width]` */
  positions: Float32Array;
  /** The text tokens that the graph can sum up. */
  text: SummedText;
  /** Tokens that are left out of that. */
  never: readonly number[];
}

/** What stands for attention that was not asked for. */
const noAttention: Float32Array = new Float32Array(0);

/** Added to the score of what a token may not look at: after the softmax it weighs nothing. */
const MASKED = -1e9;

/** The decoder's graph, with what it wants made ready on our side. */
export class Decoder {
  readonly configuration: WhisperConfiguration;
  readonly #parts: DecoderParts;
  readonly #outputs: readonly string[];
  readonly #masks: Record<'everything' | 'possible', Feeds>;

  constructor(parts: DecoderParts) {
    this.configuration = parts.configuration;
    this.#parts = parts;
    const layers = Array.from({ length: parts.configuration.decoderLayers }, (_, layer) => layer);
    this.#outputs = ['others', ...layers.flatMap((layer) => [`key.${layer}`, `value.${layer}`])];
    this.#masks = { everything: textMask(parts.text, []), possible: textMask(parts.text, parts.never) };
  }

  /** @param streams empty ones */
  cache(streams: number): KeyValueCache {
    const { decoderLayers, decoderHeads, width } = this.configuration;
    return new KeyValueCache({ layers: decoderLayers, heads: decoderHeads, headSize: width / decoderHeads }, streams);
  }

  /**
   * Feeds each stream its tokens, and adds them to the cache.
   * @param cross the encoder's outputs of the audios that the streams belong to
   * @param earlier at the start of a transcript, where nothing is left out of a summary: the index of a token whose logits
   *   are handed out besides those of the last one
   */
  async run(cross: Feeds, { cache, first, fed }: StreamRange, earlier?: number): Promise<(StreamStep | undefined)[]> {
    const { width } = this.configuration;
    const streams = fed.length;
    const count = fed.find((feed) => feed !== undefined)!.tokens.length;
    const answered = earlier === undefined ? [count - 1] : [earlier, count - 1];
    const wanted = {
      text: fed.some((feed) => feed && !feed.summed),
      summary: fed.some((feed) => feed?.summed),
      attention: fed.some((feed) => feed?.attention),
    };
    const feeds = {
      ...cross,
      ...cache.feeds(first, streams),
      x: float32(this.#embed(cache, first, fed, count), [streams, count, width]),
      mask: float32(mask(cache, first, streams, count), [streams, 1, count, cache.capacity + count]),
      answered: int64s(answered),
      sum_up: bool(wanted.summary),
      ...(earlier === undefined ? this.#masks.possible : this.#masks.everything),
    };
    const names = [...this.#outputs, ...Object.entries(wanted).flatMap(([name, is]) => (is ? [name] : []))];
    const outputs = await this.#parts.session.run(feeds, names);
    cache.append(
      outputs,
      count,
      fed.map((feed, index) => (feed ? first + index : undefined)),
    );
    const logits = this.#logitsOf(outputs);
    const attentions = rows(outputs.attention, streams);
    return fed.map((feed, index) => {
      if (!feed) return undefined;
      const answer = (of: number) => logits(answered.length * index + of, feed.summed);
      return {
        logits: answer(answered.length - 1),
        // A window keeps its attention to the end: a copy, so that it does not keep that of others.
        attention: feed.attention ? attentions[index]!.slice() : noAttention,
        ...(earlier !== undefined && { earlier: answer(0) }),
      };
    });
  }

  /** Reads a row of the logits' outputs. */
  #logitsOf({ others, text, summary }: Feeds): (row: number, summed: boolean) => Logits {
    const { blocks, block } = this.#parts.text;
    const count = others!.dims[0]!;
    const [tails, texts, summaries] = [others, text, summary].map((output) => rows(output, count));
    return (row, summed) => {
      if (summed) return new Logits(tails![row]!, summaryOf(summaries![row]!, blocks * block, block));
      const all = new Float32Array(this.configuration.vocabulary);
      all.set(texts![row]!);
      all.set(tails![row]!, blocks * block);
      return new Logits(all);
    };
  }

  #embed(cache: KeyValueCache, first: number, fed: StreamRange['fed'], count: number): Float32Array {
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

/** A token looks at all that its stream was fed before and at itself; not at the cache's padding. */
function mask(cache: KeyValueCache, first: number, streams: number, count: number): Float32Array {
  const { capacity } = cache;
  const columns = capacity + count;
  const values = new Float32Array(streams * count * columns);
  for (let stream = 0; stream < streams; stream++) {
    for (let row = 0; row < count; row++) {
      const start = (stream * count + row) * columns;
      values.fill(MASKED, start + cache.length(first + stream), start + capacity);
      values.fill(MASKED, start + capacity + row + 1, start + columns);
    }
  }
  return values;
}

/** @param never tokens that are left out where text is summed up */
function textMask({ blocks, block }: SummedText, never: readonly number[]): Feeds {
  const mask = new Float32Array(blocks * block);
  for (const token of never) if (token < mask.length) mask[token] = Number.NEGATIVE_INFINITY;
  return { text_mask: float32(mask, [mask.length]) };
}

/** @param row of the graph's output `summary` */
function summaryOf(row: Float32Array, tokens: number, block: number): TextSummary {
  const logits = row.subarray(SUMMARY.logits);
  const logit = maximum(logits);
  const best = row[SUMMARY.block]! * block + logits.indexOf(logit);
  const possible = logit > Number.NEGATIVE_INFINITY;
  return { tokens, best, logit, total: possible ? logit + Math.log(row[SUMMARY.sum]!) : logit };
}

/** Each row of an output, without a copy; none of one that was not asked for. */
function rows(output: Feeds[string] | undefined, count: number): Float32Array[] {
  if (!output) return [];
  const data = output.data as Float32Array;
  const size = data.length / count;
  return Array.from({ length: count }, (_, index) => data.subarray(index * size, (index + 1) * size));
}
