import { type Feeds, float32, int64, Session } from '../../ort/session.ts';
import { loopLength } from '../common/repetition.ts';
import type { CompiledMoonshine } from './graph/compile.ts';
import type { EmbeddingTable } from './graph/decoder.ts';
import { moonshineTiny } from './graph/network.ts';

const { layers, heads, headSize, width } = moonshineTiny;

/** The loaded graphs: encodes windows, and decodes them token by token. */
export class MoonshineModel {
  readonly #encoder: Session;
  readonly #decoder: Session;
  readonly #embedding: EmbeddingTable;

  private constructor(encoder: Session, decoder: Session, embedding: EmbeddingTable) {
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#embedding = embedding;
  }

  static async load(compiled: CompiledMoonshine): Promise<MoonshineModel> {
    const encoder = await Session.load(compiled.encoder, compiled.device);
    const decoder = await Session.load(compiled.decoder, compiled.device);
    return new MoonshineModel(encoder, decoder, compiled.embedding);
  }

  /** Encodes one window of mono 16 kHz audio, at most 30 s. @returns a decoder at its first step */
  async encode(samples: Float32Array): Promise<DecoderState> {
    const outputs = await this.#encoder.run({ audio: float32(samples, [1, samples.length]) });
    return new DecoderState(this.#decoder, this.#embedding, outputs);
  }
}

/** Result of one decoder step. */
export interface Step {
  token: number;
  /** Natural logarithm of the token's probability. */
  logprob: number;
  /** Cross-attention weights over the encoder's frames, averaged over the alignment heads. */
  attention: Float32Array;
  /** Of all tokens; absent if not requested. */
  logits?: Float32Array;
}

/** What a greedy step reads from the graph. */
const GREEDY_OUTPUTS = ['token', 'logprob', 'key', 'value', 'attention'];

const MASKED = -1e9;
const INITIAL_CAPACITY = 64;

/** One sequence being decoded, with its key-value cache. */
export class DecoderState {
  readonly #decoder: Session;
  readonly #embedding: EmbeddingTable;
  readonly #cross: Feeds;
  readonly #feeds: Feeds = {};
  readonly frames: number;
  #length = 0;
  #capacity = 0;
  #keys = new Float32Array(0);
  #values = new Float32Array(0);
  #mask = new Float32Array(0);

  constructor(decoder: Session, embedding: EmbeddingTable, cross: Feeds) {
    this.#decoder = decoder;
    this.#embedding = embedding;
    this.#cross = cross;
    this.frames = cross.cross_keys!.dims[2]!;
    this.#feed('cross_key', cross.cross_keys!.data as Float32Array, this.frames);
    this.#feed('cross_value', cross.cross_values!.data as Float32Array, this.frames);
    this.#grow(INITIAL_CAPACITY);
  }

  /**
   * Decodes one more token.
   * @param last the previous token, or the begin token
   * @param options.forbidEnd takes the best token that does not end the sequence
   * @param options.logits returns them too
   */
  async step(last: number, { forbidEnd = false, logits = false } = {}): Promise<Step> {
    if (this.#length === this.#capacity) this.#grow(2 * this.#capacity);
    const feeds = {
      ...this.#feeds,
      embedding: this.#embed(last),
      position: int64(this.#length, [1]),
      mask: float32(this.#mask, [1, this.#capacity]),
      end_bias: float32(Float32Array.of(forbidEnd ? MASKED : 0), [1]),
    };
    const outputs = await this.#decoder.run(feeds, logits ? [...GREEDY_OUTPUTS, 'logits'] : GREEDY_OUTPUTS);
    this.#append(this.#keys, outputs.key!.data as Float32Array);
    this.#append(this.#values, outputs.value!.data as Float32Array);
    this.#mask[this.#length++] = 0;
    return {
      token: Number(outputs.token!.data[0]),
      logprob: Number(outputs.logprob!.data[0]),
      attention: outputs.attention!.data as Float32Array,
      ...(logits && { logits: outputs.logits!.data as Float32Array }),
    };
  }

  /** A copy that can be decoded on its own. Both read the same encoded audio. */
  fork(): DecoderState {
    const copy = new DecoderState(this.#decoder, this.#embedding, this.#cross);
    copy.#length = this.#length;
    copy.#grow(this.#capacity);
    copy.#keys.set(this.#keys);
    copy.#values.set(this.#values);
    return copy;
  }

  /** Drops all tokens, to decode the same window again. */
  reset(): void {
    this.#length = 0;
    this.#mask.fill(MASKED);
  }

  #embed(token: number) {
    const { weight, scale, zeroPoint } = this.#embedding;
    const row = weight.subarray(token * width, (token + 1) * width);
    return float32(
      Float32Array.from(row, (value) => (value - zeroPoint) * scale),
      [1, 1, width],
    );
  }

  /** Pads the cache, since each new length costs onnxruntime a new plan; the mask hides the padding. */
  #grow(capacity: number): void {
    const copy = (from: Float32Array) => {
      const to = new Float32Array(layers * heads * capacity * headSize);
      const row = this.#capacity * headSize;
      for (let head = 0; head < layers * heads; head++) {
        to.set(from.subarray(head * row, (head + 1) * row), head * capacity * headSize);
      }
      return to;
    };
    this.#keys = copy(this.#keys);
    this.#values = copy(this.#values);
    this.#mask = new Float32Array(capacity).fill(MASKED).fill(0, 0, this.#length);
    this.#capacity = capacity;
    this.#feed('past_key', this.#keys, capacity);
    this.#feed('past_value', this.#values, capacity);
  }

  /** Feeds each layer a view of its part of `[layers, heads, positions, headSize]`. */
  #feed(name: string, data: Float32Array, positions: number): void {
    const size = heads * positions * headSize;
    for (let layer = 0; layer < layers; layer++) {
      const part = data.subarray(layer * size, (layer + 1) * size);
      this.#feeds[`${name}.${layer}`] = float32(part, [heads, positions, headSize]);
    }
  }

  #append(cache: Float32Array, rows: Float32Array): void {
    for (let head = 0; head < layers * heads; head++) {
      const row = rows.subarray(head * headSize, (head + 1) * headSize);
      cache.set(row, (head * this.#capacity + this.#length) * headSize);
    }
  }
}

const { beginToken, endToken } = moonshineTiny;

export interface DecodingResult {
  tokens: number[];
  /** Natural log probability of each token. */
  logprobs: number[];
  /** Attention over the encoder's frames of the step that chose each token. */
  attention: Float32Array[];
  /** False if the model looped or reached the maximum length, so that text may be missing. */
  complete: boolean;
}

/** A less probable end token at the very start is hesitation, not silence. */
export const MIN_INITIAL_END_LOGPROB = Math.log(0.55);

/**
 * Decodes one window greedily until the end token.
 * @param maxTokens maximum length of the transcript
 */
export async function decodeGreedily(state: DecoderState, maxTokens: number): Promise<DecodingResult> {
  let step = await state.step(beginToken);
  if (step.token === endToken && step.logprob < MIN_INITIAL_END_LOGPROB) {
    state.reset();
    step = await state.step(beginToken, { forbidEnd: true });
  }
  const result: DecodingResult = { tokens: [], logprobs: [], attention: [], complete: true };
  while (step.token !== endToken) {
    result.tokens.push(step.token);
    result.logprobs.push(step.logprob);
    result.attention.push(step.attention);
    const repeated = loopLength(result.tokens);
    if (repeated > 0 || result.tokens.length >= maxTokens) {
      const kept = result.tokens.length - repeated;
      return {
        tokens: result.tokens.slice(0, kept),
        logprobs: result.logprobs.slice(0, kept),
        attention: result.attention.slice(0, kept),
        complete: false,
      };
    }
    step = await state.step(step.token);
  }
  return result;
}
