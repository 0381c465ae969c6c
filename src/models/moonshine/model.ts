import { join } from 'node:path';
import { type Feeds, float32, int64, Session } from '../../ort/session.ts';
import { loopLength } from '../common/repetition.ts';
import { type CompiledMoonshine, readEmbedding } from './graph/compile.ts';
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

  /** @param embedding shared by threads; by default that of the compiled model is read */
  static async load({ folder, device }: CompiledMoonshine, embedding?: EmbeddingTable): Promise<MoonshineModel> {
    // From their paths: loading from bytes takes more memory.
    const encoder = await Session.load(join(folder, 'encoder.onnx'), device);
    const decoder = await Session.load(join(folder, 'decoder.onnx'), device);
    return new MoonshineModel(encoder, decoder, embedding ?? (await readEmbedding(folder)));
  }

  /**
   * Encodes one window of mono 16 kHz audio, at most 30 s.
   * @param beforeRun awaited before each run of a graph
   * @returns a decoder at its first step
   */
  async encode(samples: Float32Array, beforeRun = async () => {}): Promise<DecoderState> {
    await beforeRun();
    const outputs = await this.#encoder.run({ audio: float32(samples, [1, samples.length]) });
    return new DecoderState(this.#decoder, this.#embedding, outputs, beforeRun);
  }
}

/** Result of one decoder step. */
export interface Step {
  token: number;
  /** Natural logarithm of the token's probability. */
  logprob: number;
  /** Cross-attention weights over the encoder's frames, averaged over the alignment heads. */
  attention: Float32Array;
  /** Logits of all tokens; absent if not requested. */
  logits?: Float32Array;
}

/** Outputs of the graph that a greedy step reads. */
const GREEDY_OUTPUTS = ['token', 'logprob', 'key', 'value', 'attention'];

const MASKED = -1e9;
const INITIAL_CAPACITY = 64;

/** One sequence being decoded, with its key-value cache. */
export class DecoderState {
  readonly #decoder: Session;
  readonly #embedding: EmbeddingTable;
  readonly #cross: Feeds;
  readonly #beforeRun: () => Promise<void>;
  readonly #feeds: Feeds = {};
  readonly frames: number;
  #length = 0;
  #capacity = 0;
  #keys = new Float32Array(0);
  #values = new Float32Array(0);
  #mask = new Float32Array(0);

  constructor(decoder: Session, embedding: EmbeddingTable, cross: Feeds, beforeRun: () => Promise<void>) {
    this.#decoder = decoder;
    this.#embedding = embedding;
    this.#cross = cross;
    this.#beforeRun = beforeRun;
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
  async step(last: number, options: { forbidEnd?: boolean; logits?: boolean } = {}): Promise<Step> {
    const [step] = await this.feed([last], options);
    return step!;
  }

  /**
   * Decodes what follows each of several tokens in a row.
   * @param tokens the next ones of the sequence, the begin token first
   */
  async feed(tokens: readonly number[], { forbidEnd = false, logits = false } = {}): Promise<Step[]> {
    const count = tokens.length;
    while (this.#length + count > this.#capacity) this.#grow(2 * this.#capacity);
    const feeds = {
      ...this.#feeds,
      embedding: this.#embed(tokens),
      position: int64(this.#length, [1]),
      mask: float32(this.#mask, [1, this.#capacity]),
      causal_mask: float32(causalMask(count), [count, count]),
      first_new: int64(-count, [1]),
      end_bias: float32(Float32Array.of(forbidEnd ? MASKED : 0), [1]),
    };
    await this.#beforeRun();
    const outputs = await this.#decoder.run(feeds, logits ? [...GREEDY_OUTPUTS, 'logits'] : GREEDY_OUTPUTS);
    this.#append(this.#keys, outputs.key!.data as Float32Array, count);
    this.#append(this.#values, outputs.value!.data as Float32Array, count);
    this.#mask.fill(0, this.#length, this.#length + count);
    this.#length += count;
    const row = (name: string, index: number) => {
      const data = outputs[name]!.data as Float32Array;
      return data.subarray((index * data.length) / count, ((index + 1) * data.length) / count);
    };
    return tokens.map((_, index) => ({
      token: Number(outputs.token!.data[index]),
      logprob: Number(outputs.logprob!.data[index]),
      attention: row('attention', index),
      ...(logits && { logits: row('logits', index) }),
    }));
  }

  /** A copy that can be decoded on its own. Both read the same encoded audio. */
  fork(): DecoderState {
    const copy = new DecoderState(this.#decoder, this.#embedding, this.#cross, this.#beforeRun);
    copy.#length = this.#length;
    copy.#grow(this.#capacity);
    copy.#keys.set(this.#keys);
    copy.#values.set(this.#values);
    return copy;
  }

  /** Keeps only the first tokens. */
  truncate(length: number): void {
    this.#length = length;
    this.#mask.fill(MASKED, length);
  }

  #embed(tokens: readonly number[]) {
    const { weight, scale, zeroPoint } = this.#embedding;
    const rows = new Float32Array(tokens.length * width);
    for (const [index, token] of tokens.entries()) {
      const row = weight.subarray(token * width, (token + 1) * width);
      rows.set(
        Float32Array.from(row, (value) => (value - zeroPoint) * scale),
        index * width,
      );
    }
    return float32(rows, [1, tokens.length, width]);
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

  #append(cache: Float32Array, rows: Float32Array, count: number): void {
    const size = count * headSize;
    for (let head = 0; head < layers * heads; head++) {
      const added = rows.subarray(head * size, (head + 1) * size);
      cache.set(added, (head * this.#capacity + this.#length) * headSize);
    }
  }
}

/** `[count, count]`: a token attends to itself and those before it. */
function causalMask(count: number): Float32Array {
  const mask = new Float32Array(count * count);
  for (let row = 0; row < count; row++) mask.fill(MASKED, row * count + row + 1, (row + 1) * count);
  return mask;
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
/** The same for the beginning of unfinished speech, which the model expects to continue. */
export const MIN_DRAFT_END_LOGPROB = Math.log(0.95);

/**
 * Decodes one window greedily until the end token.
 * @param maxTokens maximum length of the transcript
 * @param expected tokens that it may begin with: the matching ones take a single run (as in Leviathan, Kalman,
 *   Matias 2023, "Fast inference from transformers via speculative decoding", whose draft is here a guess at less of the speech)
 * @param minEndLogprob minimum log probability of an end token at the very start
 */
export async function decodeGreedily(
  state: DecoderState,
  maxTokens: number,
  expected: readonly number[] = [],
  minEndLogprob = MIN_INITIAL_END_LOGPROB,
): Promise<DecodingResult> {
  const foreseen = await foresee(state, expected.slice(0, maxTokens));
  let step = foreseen.shift()!;
  if (step.token === endToken && step.logprob < minEndLogprob) {
    state.truncate(0);
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
    step = foreseen.shift() ?? (await state.step(step.token));
  }
  return result;
}

/** The first steps of a sequence, up to the first token that is not as expected. */
async function foresee(state: DecoderState, expected: readonly number[]): Promise<Step[]> {
  const steps = await state.feed([beginToken, ...expected]);
  const differing = expected.findIndex((token, index) => steps[index]!.token !== token);
  const count = (differing < 0 ? expected.length : differing) + 1;
  state.truncate(count);
  return steps.slice(0, count);
}
