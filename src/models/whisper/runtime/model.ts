import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCompiled } from '../../../ort/compiled-models.ts';
import { float32, Session } from '../../../ort/session.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { type CompiledWhisper, compileWhisper } from '../graph/compile.ts';
import { EmbeddingRows } from '../graph/embedding.ts';
import { summedText } from '../graph/logits.ts';
import { Batch, EncodedAudio, type StepRequest, type Streams } from './batch.ts';
import { Decoder, type StreamStep } from './decoder.ts';
import type { DecoderStart, DecoderState, DecoderStep } from './decoder-state.ts';
import type { KeyValueCache } from './key-value-cache.ts';
import { type Asker, Turns } from './step-scheduler.ts';

export interface WhisperModelOptions {
  /** How many windows are decoded together at most. */
  windows?: number;
  /** Tokens that are never chosen: where text is summed up they are left out. */
  never?: readonly number[];
}

/** Who asks where there is nobody else. */
const nobody: Asker = { owner: undefined };

/** A loaded checkpoint: windows are encoded, and decoded step by step, in turns and where it can be together. */
export class WhisperModel {
  readonly configuration: WhisperConfiguration;
  readonly #encoder: Session;
  readonly #decoder: Decoder;
  readonly #batch: Batch;
  readonly #turns: Turns<StepRequest, StreamStep[]>;

  private constructor(encoder: Session, decoder: Decoder, windows: number) {
    this.configuration = decoder.configuration;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#batch = new Batch(decoder, windows);
    this.#turns = new Turns({
      most: windows,
      batches: ({ tokens, earlier }) => tokens.length === 1 && tokens[0]!.length === 1 && earlier === undefined,
      run: (requests) => this.#batch.run(requests),
    });
  }

  /**
   * Loads a compiled model, which is compiled again where its files are damaged.
   * @throws HearsayError `model_load_failed`
   */
  static load(compiled: CompiledWhisper, options: WhisperModelOptions = {}): Promise<WhisperModel> {
    return loadCompiled(
      'Whisper',
      compiled,
      (found) => WhisperModel.#load(found, options),
      () => compileWhisper(compiled),
    );
  }

  static async #load(
    { folder, configuration, device, endOfText }: CompiledWhisper,
    { windows = 1, never = [] }: WhisperModelOptions,
  ) {
    const { width, vocabulary, textPositions } = configuration;
    const encoder = await Session.load(join(folder, 'encoder.onnx'), device);
    const session = await Session.load(join(folder, 'decoder.onnx'), device);
    const positions = new Float32Array(new Uint8Array(await readFile(join(folder, 'positions.f32'))).buffer);
    if (positions.length !== textPositions * width) throw new Error('The table of positions is damaged');
    const tokens = new EmbeddingRows(folder, width);
    tokens.read(vocabulary - 1);
    const text = summedText(configuration, endOfText);
    const decoder = new Decoder({ configuration, session, tokens, positions, text, never });
    return new WhisperModel(encoder, decoder, windows);
  }

  /** @param mel log-mel spectrogram `[mels, 2 · audioPositions]` */
  encode(mel: Float32Array, asker: Asker = nobody): Promise<EncodedAudio> {
    const { mels, audioPositions } = this.configuration;
    return this.#turns.encode(asker, async () => {
      const cross = await this.#encoder.run({ mel: float32(mel, [1, mels, 2 * audioPositions]) });
      return new EncodedAudio(cross, asker);
    });
  }

  /**
   * A decoder at its start over one encoded window. Steps of several windows are run together.
   * @param options.attention whether its steps hand attention out; else it is empty
   */
  decode(audio: EncodedAudio, { attention }: { attention: boolean } = { attention: true }): DecoderState {
    const shared = { configuration: this.configuration, batch: this.#batch, turns: this.#turns };
    return new CachedDecoder(audio, shared, { cache: this.#decoder.cache(1), attention });
  }

  /** Frees what an encoded window holds; its decoders are of no use any more. */
  release(audio: EncodedAudio): void {
    this.#batch.release(audio);
  }
}

/** What all decoders of a model share. */
interface Shared {
  configuration: WhisperConfiguration;
  batch: Batch;
  turns: Turns<StepRequest, StreamStep[]>;
}

/** Checks what is asked of a decoder, and hands its steps on to be run with those of other windows. */
class CachedDecoder implements DecoderState, Streams {
  readonly audio: EncodedAudio;
  own: KeyValueCache | undefined;
  readonly attention: boolean;
  readonly #shared: Shared;

  constructor(audio: EncodedAudio, shared: Shared, own: { cache: KeyValueCache; attention: boolean }) {
    this.audio = audio;
    this.own = own.cache;
    this.attention = own.attention;
    this.#shared = shared;
  }

  get length(): number {
    const { cache, first } = this.#shared.batch.place(this);
    return cache.length(first);
  }

  get streams(): number {
    return this.own?.streams ?? 1;
  }

  keep(parents: readonly number[]): void {
    const wrong = parents.find((parent) => !(Number.isInteger(parent) && parent >= 0 && parent < this.streams));
    if (parents.length === 0 || wrong !== undefined) throw new RangeError(`There is no stream ${wrong} to keep`);
    // One stream that goes on as it is keeps its place among the others.
    if (this.streams > 1 || parents.length > 1) this.#shared.batch.standUp(this).keep(parents);
  }

  async start(tokens: readonly number[], earlier: number): Promise<DecoderStart> {
    if (!(Number.isInteger(earlier) && earlier >= 0 && earlier < tokens.length)) {
      throw new RangeError(`Of ${tokens.length} tokens there is none with the index ${earlier}`);
    }
    const [step] = await this.#feed({ streams: this, tokens: [tokens], summed: true, earlier });
    return { logits: [step!.logits], attention: [step!.attention], earlier: step!.earlier! };
  }

  async step(tokens: readonly (readonly number[])[], { summed } = { summed: false }): Promise<DecoderStep> {
    const steps = await this.#feed({ streams: this, tokens, summed });
    return { logits: steps.map(({ logits }) => logits), attention: steps.map(({ attention }) => attention) };
  }

  async #feed(request: StepRequest): Promise<StreamStep[]> {
    const { tokens } = request;
    const { vocabulary, textPositions } = this.#shared.configuration;
    const count = tokens[0]?.length ?? 0;
    if (tokens.length !== this.streams || count === 0 || tokens.some(({ length }) => length !== count)) {
      throw new RangeError(`${this.streams} streams want the same number of tokens each`);
    }
    if (this.length + count > textPositions) throw new RangeError(`A sequence has ${textPositions} tokens at most`);
    const wrong = tokens.flat().find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary));
    if (wrong !== undefined) throw new RangeError(`The vocabulary has no token ${wrong}`);
    return this.#shared.turns.step(this.audio.asker, request);
  }
}
