import { type Feeds, float32, int64s, type Session } from '../inference/session.ts';
import type { WhisperConfiguration } from './configuration.ts';
import type { EmbeddingRows } from './embedding.ts';
import { KeyValueCache } from './key-value-cache.ts';

/** What a step gives for one stream. */
export interface StreamStep {
  /** `[vocabulary]` */
  logits: Float32Array;
  /** `[alignmentHeads, audioPositions]`; empty where it was not asked for */
  attention: Float32Array;
  /** `[vocabulary]` of the token that was named besides the last one. */
  earlierLogits?: Float32Array;
}

/** What a step is to hand out besides the logits of the last token, since what is copied out takes time. */
export interface StepAnswers {
  attention: boolean;
  /** The index of a token before the last one. */
  earlier?: number | undefined;
}

/** Streams of a cache that lie side by side. */
export interface StreamRange {
  cache: KeyValueCache;
  first: number;
  /** As many tokens for each stream; a stream of `undefined` is computed along, and nothing comes of it. */
  tokens: readonly (readonly number[] | undefined)[];
}

/** What the decoder's graph is run with. */
export interface DecoderParts {
  configuration: WhisperConfiguration;
  session: Session;
  /** The token table. */
  tokens: EmbeddingRows;
  /** `[textPositions, width]` */
  positions: Float32Array;
}

/** What stands for attention that was not asked for. */
export const noAttention: Float32Array = new Float32Array(0);

/** Added to the score of what a token may not look at: after the softmax it weighs nothing. */
const MASKED = -1e9;

/** The decoder's graph, with what it wants made ready on our side. */
export class Decoder {
  readonly configuration: WhisperConfiguration;
  readonly #parts: DecoderParts;
  readonly #outputs: readonly string[];

  constructor(parts: DecoderParts) {
    this.configuration = parts.configuration;
    this.#parts = parts;
    const layers = Array.from({ length: parts.configuration.decoderLayers }, (_, layer) => layer);
    this.#outputs = ['logits', ...layers.flatMap((layer) => [`key.${layer}`, `value.${layer}`])];
  }

  /** @param streams empty ones */
  cache(streams: number): KeyValueCache {
    const { decoderLayers, decoderHeads, width } = this.configuration;
    return new KeyValueCache({ layers: decoderLayers, heads: decoderHeads, headSize: width / decoderHeads }, streams);
  }

  /**
   * Feeds each stream its tokens, and adds them to the cache.
   * @param cross the encoder's outputs of the audios that the streams belong to
   */
  async run(
    cross: Feeds,
    { cache, first, tokens }: StreamRange,
    { attention, earlier }: StepAnswers,
  ): Promise<(StreamStep | undefined)[]> {
    const { vocabulary, audioPositions, alignmentHeads, width } = this.configuration;
    const streams = tokens.length;
    const count = tokens.find((fed) => fed !== undefined)!.length;
    const feeds = {
      ...cross,
      ...cache.feeds(first, streams),
      x: float32(this.#embed(cache, first, tokens, count), [streams, count, width]),
      mask: float32(mask(cache, first, streams, count), [streams, 1, count, cache.capacity + count]),
      answered: int64s(earlier === undefined ? [count - 1] : [earlier, count - 1]),
    };
    const wanted = attention ? [...this.#outputs, 'attention'] : this.#outputs;
    const outputs = await this.#parts.session.run(feeds, wanted);
    cache.append(
      outputs,
      count,
      tokens.map((fed, index) => (fed ? first + index : undefined)),
    );
    const logits = rows(outputs.logits!.data as Float32Array, vocabulary);
    // A window keeps its attention to the end: copies, so that it does not keep that of others.
    const attentions = attention
      ? rows(outputs.attention!.data as Float32Array, alignmentHeads.length * audioPositions).map((row) => row.slice())
      : [];
    return tokens.map((fed, index) => {
      if (!fed) return undefined;
      const step = { logits: logits[index]!, attention: attentions[index] ?? noAttention };
      if (earlier === undefined) return step;
      return { ...step, logits: logits[2 * index + 1]!, earlierLogits: logits[2 * index]! };
    });
  }

  #embed(cache: KeyValueCache, first: number, tokens: StreamRange['tokens'], count: number): Float32Array {
    const { tokens: table, positions } = this.#parts;
    const { width } = this.configuration;
    const x = new Float32Array(tokens.length * count * width);
    for (const [index, fed] of tokens.entries()) {
      let to = index * count * width;
      const start = cache.length(first + index);
      for (const [offset, token] of (fed ?? []).entries()) {
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

/** Each stream's part of an output, without a copy. */
function rows(data: Float32Array, size: number): Float32Array[] {
  return Array.from({ length: data.length / size }, (_, index) => data.subarray(index * size, (index + 1) * size));
}
