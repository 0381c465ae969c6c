import type { SpeakerModel, SpeakerModelFiles } from '../../contracts/speakers.ts';
import { HearsayError } from '../../errors.ts';

/** Loads a model that tells speakers apart for the first job that needs it, and keeps it for the others. */
export class SpeakerModels {
  readonly #load: (files: SpeakerModelFiles) => Promise<SpeakerModel>;
  readonly #loaded = new Map<string, Promise<SpeakerModel>>();

  constructor(load: (files: SpeakerModelFiles) => Promise<SpeakerModel>) {
    this.#load = load;
  }

  /** @throws HearsayError `model_unavailable` if it cannot be loaded; the next call tries again */
  async get(files: SpeakerModelFiles): Promise<SpeakerModel> {
    const { checkpoint } = files;
    const loading = this.#loaded.get(checkpoint) ?? this.#load(files);
    this.#loaded.set(checkpoint, loading);
    try {
      return await loading;
    } catch (cause) {
      this.#loaded.delete(checkpoint);
      if (!(cause instanceof HearsayError)) throw cause;
      throw new HearsayError('model_unavailable', `The model that tells speakers apart: ${cause.message}`, { cause });
    }
  }
}
