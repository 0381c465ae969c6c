import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCompiled } from '../../../ort/compiled-models.ts';
import { float32, Session } from '../../../ort/session.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { type CompiledWhisper, compileWhisper } from '../graph/compile.ts';
import { EmbeddingRows } from '../graph/embedding.ts';
import { audioLengths, crossOutputs } from '../graph/encoder.ts';
import { summedText } from '../graph/logits.ts';
import { EncodedAudio, runKey, type StepRequest, type Streams, type WindowBatch } from './batch.ts';
import { CpuBatch } from './cpu-batch.ts';
import { type Answer, cacheOutputs, Decoder } from './decoder.ts';
import type { DecoderStart, DecoderState, DecoderStep } from './decoder-state.ts';
import { GpuBatch } from './gpu-batch.ts';
import { type GpuRows, loadGpuRows } from './gpu-rows.ts';
import { KeyValueCache, type StreamCache } from './key-value-cache.ts';
import type { TranscribingModel } from './piece-decoder.ts';
import { type ScheduledWindow, type SlotLimits, StepScheduler } from './step-scheduler.ts';

export interface WhisperModelOptions {
  /** Maximum number of windows decoded together. Default: 1 */
  windows?: number;
  /** Default: windows in flight are not limited */
  limits?: SlotLimits;
  /** Tokens that are never chosen; summaries of text omit them. */
  never?: readonly number[];
}

/** Streams of a GPU's batch for each window in flight: a few windows have several. */
const STREAMS_PER_WINDOW = 2;

const onlyWindow: ScheduledWindow = { owner: undefined };

/** A loaded checkpoint. Windows are encoded in turn and decoded step by step, batched with others if possible. */
export class WhisperModel {
  readonly configuration: WhisperConfiguration;
  readonly #encoder: Session;
  readonly #decoder: Decoder;
  readonly #batch: WindowBatch;
  readonly #scheduler: StepScheduler<StepRequest, Answer[][]>;

  private constructor(
    encoder: Session,
    decoder: Decoder,
    { windows = 1, limits, rows }: WhisperModelOptions & { rows: GpuRows | undefined },
  ) {
    this.configuration = decoder.configuration;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#batch = rows ? new GpuBatch(decoder, rows, STREAMS_PER_WINDOW * windows) : new CpuBatch(decoder, windows);
    this.#scheduler = new StepScheduler({
      limits,
      maxBatch: windows,
      batchKey: (request) => (this.#batch.canShare(request) ? runKey(request) : undefined),
      run: (requests) => this.#batch.run(requests),
    });
  }

  /**
   * Loads a compiled model; compiles it again if its files are damaged.
   * @throws HearsayError `model_load_failed`
   */
  static load(compiled: CompiledWhisper, options: WhisperModelOptions = {}): Promise<WhisperModel> {
    return loadCompiled(
      'Whisper',
      compiled,
      (intact) => WhisperModel.#load(intact, options),
      () => compileWhisper(compiled),
    );
  }

  static async #load(compiled: CompiledWhisper, options: WhisperModelOptions) {
    const { folder, configuration, device, endOfText, form } = compiled;
    const { never = [] } = options;
    const { width, vocabulary, textPositions } = configuration;
    const encoder = await Session.load(join(folder, 'encoder.onnx'), device, { onDevice: crossOutputs(configuration) });
    const onDevice = cacheOutputs({ form, configuration });
    const session = await Session.load(join(folder, 'decoder.onnx'), device, { onDevice, onDemand: ['text'] });
    const positions = new Float32Array(new Uint8Array(await readFile(join(folder, 'positions.f32'))).buffer);
    if (positions.length !== textPositions * width) throw new Error('The table of positions is damaged');
    const tokens = new EmbeddingRows(folder, width);
    tokens.read(vocabulary - 1);
    const text = summedText(configuration, endOfText);
    const parts = { form, configuration, session, tokens, positions, text, never };
    if (form === 'cpu') return new WhisperModel(encoder, new Decoder(parts), { ...options, rows: undefined });
    const rows = await loadGpuRows(compiled);
    const decoder = new Decoder({ ...parts, gpu: rows });
    return new WhisperModel(encoder, decoder, { ...options, rows });
  }

  /**
   * @param mel log-mel spectrogram `[mels, 2 · positions]`
   * @returns the encoded audio, which the caller must release
   * @throws the reason of the window's signal; RangeError unless `positions` is one of the lengths of audio that the graphs take
   */
  async encode(mel: Float32Array, window = onlyWindow): Promise<EncodedAudio> {
    const { mels } = this.configuration;
    const positions = mel.length / (2 * mels);
    if (!audioLengths(this.configuration).includes(positions)) {
      throw new RangeError(`The model does not encode ${positions} positions`);
    }
    return this.#scheduler.encode(window, async () => {
      const cross = await this.#encoder.run({ mel: float32(mel, [1, mels, 2 * positions]) });
      const audio = new EncodedAudio(cross, window, positions);
      this.#batch.add(audio);
      // The caller has stopped waiting, so it will not release the audio.
      if (window.signal?.aborted) this.#batch.release(audio);
      return audio;
    });
  }

  /**
   * A new decoder over one encoded window; steps of several windows run together.
   * @param options.attention whether steps return attention; if not, it is empty
   */
  decode(audio: EncodedAudio, { attention }: { attention: boolean } = { attention: true }): DecoderState {
    const { configuration } = this;
    const { choices } = this.#decoder;
    const shared = { configuration, batch: this.#batch, scheduler: this.#scheduler, choices };
    return new CachedDecoder(audio, shared, { cache: this.#decoder.cache(), attention });
  }

  /** Frees the memory of an encoded window; its decoders cannot run any more. */
  release(audio: EncodedAudio): void {
    this.#batch.release(audio);
  }

  /** Encoder positions that take memory for batched runs: at most those of as many whole windows. */
  get reservedPositions(): number {
    return this.#batch.reserved;
  }

  /** Frees the slot of a window. */
  end(window: ScheduledWindow): void {
    this.#scheduler.end(window);
  }
}

/** Shared by all decoders of a model. */
interface Shared {
  configuration: WhisperConfiguration;
  batch: WindowBatch;
  scheduler: StepScheduler<StepRequest, Answer[][]>;
  /** Number of text tokens that a summary contains. */
  choices: number;
}

/** Checks the arguments of steps and schedules them with those of other windows. */
class CachedDecoder implements DecoderState, Streams {
  readonly audio: EncodedAudio;
  own: StreamCache | undefined;
  readonly attention: boolean;
  readonly #shared: Shared;

  constructor(audio: EncodedAudio, shared: Shared, own: { cache: StreamCache; attention: boolean }) {
    this.audio = audio;
    this.own = own.cache;
    this.attention = own.attention;
    this.#shared = shared;
  }

  get length(): number {
    const { cache, first } = this.#shared.batch.locate(this);
    return cache.length(first);
  }

  get streams(): number {
    return this.#shared.batch.locate(this).count;
  }

  keep(parents: readonly number[]): void {
    const isStream = (parent: number) => Number.isInteger(parent) && parent >= 0 && parent < this.streams;
    if (parents.length === 0 || !parents.every(isStream)) {
      throw new RangeError(`Cannot keep streams [${parents}] of ${this.streams}`);
    }
    this.#shared.batch.keep(this, parents);
  }

  async start(tokens: readonly number[], earlier: number): Promise<DecoderStart> {
    if (!(Number.isInteger(earlier) && earlier >= 0 && earlier < tokens.length)) {
      throw new RangeError(`Index ${earlier} is out of range: there are ${tokens.length} tokens`);
    }
    const answered = [earlier, tokens.length - 1];
    const [answers] = await this.#feed({ streams: this, tokens: [tokens], summed: true, answered, unmasked: true });
    const [before, last] = answers as [Answer, Answer];
    return { ...stepOf([last]), earlier: before.logits };
  }

  async step(
    tokens: readonly (readonly number[])[],
    { summed, choices = 1 }: { summed: boolean; choices?: number } = { summed: false },
  ): Promise<DecoderStep> {
    const isEnough = choices <= this.#shared.choices;
    return stepOf((await this.#feed({ streams: this, tokens, summed: summed && isEnough })).flat());
  }

  async feed(tokens: readonly number[]): Promise<DecoderStep> {
    const answered = [...tokens.keys()];
    return stepOf((await this.#feed({ streams: this, tokens: [tokens], summed: true, answered })).flat());
  }

  get canTruncate(): boolean {
    return this.#shared.batch.locate(this).cache instanceof KeyValueCache;
  }

  truncate(length: number): void {
    const { cache, first } = this.#shared.batch.locate(this);
    if (!(cache instanceof KeyValueCache)) throw new Error('A cache in the memory of a GPU only grows');
    cache.truncate(first, length);
  }

  async #feed(request: StepRequest): Promise<Answer[][]> {
    const { tokens } = request;
    const { vocabulary, textPositions } = this.#shared.configuration;
    const count = tokens[0]?.length ?? 0;
    if (tokens.length !== this.streams || count === 0 || tokens.some(({ length }) => length !== count)) {
      throw new RangeError(`Each of ${this.streams} streams needs the same number of tokens, at least one`);
    }
    if (this.length + count > textPositions) throw new RangeError(`A sequence is limited to ${textPositions} tokens`);
    const wrong = tokens.flat().find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary));
    if (wrong !== undefined) throw new RangeError(`Token ${wrong} is not in the vocabulary`);
    return this.#shared.scheduler.step(this.audio.window, request);
  }
}

function stepOf(answers: readonly Answer[]): DecoderStep {
  return { logits: answers.map(({ logits }) => logits), attention: answers.map(({ attention }) => attention) };
}

/** The model for one window; it holds one encoded piece of the window at a time. */
export class WindowModel implements TranscribingModel<EncodedAudio> {
  readonly configuration: WhisperModel['configuration'];
  readonly #model: WhisperModel;
  readonly #window: ScheduledWindow;
  #audio: EncodedAudio | undefined;

  constructor(model: WhisperModel, window: ScheduledWindow) {
    this.configuration = model.configuration;
    this.#model = model;
    this.#window = window;
  }

  async encode(mel: Float32Array): Promise<EncodedAudio> {
    this.#release();
    this.#audio = await this.#model.encode(mel, this.#window);
    return this.#audio;
  }

  decode(audio: EncodedAudio, options: { attention: boolean }): DecoderState {
    return this.#model.decode(audio, options);
  }

  /** Frees the encoded audio and the window's slot. */
  end(): void {
    this.#release();
    this.#model.end(this.#window);
  }

  #release(): void {
    if (this.#audio) this.#model.release(this.#audio);
    this.#audio = undefined;
  }
}
