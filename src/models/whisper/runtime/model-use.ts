import type { EncodedAudio } from './batch.ts';
import type { DecoderState } from './decoder-state.ts';
import type { WhisperModel } from './model.ts';
import type { Asker } from './step-scheduler.ts';
import type { TranscribingModel } from './transcribe.ts';

/** One window's use of the model: it holds one encoded piece of it at a time. */
export class ModelUse implements TranscribingModel<EncodedAudio> {
  readonly configuration: WhisperModel['configuration'];
  readonly #model: WhisperModel;
  readonly #asker: Asker;
  #audio: EncodedAudio | undefined;

  constructor(model: WhisperModel, asker: Asker) {
    this.configuration = model.configuration;
    this.#model = model;
    this.#asker = asker;
  }

  async encode(mel: Float32Array): Promise<EncodedAudio> {
    this.end();
    this.#audio = await this.#model.encode(mel, this.#asker);
    return this.#audio;
  }

  decode(audio: EncodedAudio, options: { attention: boolean }): DecoderState {
    return this.#model.decode(audio, options);
  }

  end(): void {
    if (this.#audio) this.#model.release(this.#audio);
    this.#audio = undefined;
  }
}
