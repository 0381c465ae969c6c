import type { EncodedAudio } from './batch.ts';
import type { DecoderState } from './decoder-state.ts';
import type { WhisperModel } from './model.ts';
import type { ScheduledWindow } from './step-scheduler.ts';
import type { TranscribingModel } from './transcribe.ts';

/** The model for one window, of which it holds one encoded piece at a time. */
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
